#pragma once

#include <optional>
#include <string_view>

#include "artel/command/detail/shell_place.hpp"

namespace artel::command::detail {

/// The syntax of the shell that a path names; nothing if it is none of sh's kin.
[[nodiscard]] std::optional<ShellDialect> dialect_of(std::string_view program);

/// Finds the SCRIPT among the words of a command in which `sh -c SCRIPT` may stand somewhere, as
/// behind env or timeout.
class ScriptFinder {
 public:
  /// Takes the words one after the other; `word`: nothing if it is not known as it will be.
  /// Whether this one is a script, for script_shell().
  [[nodiscard]] bool take(std::optional<std::string_view> word);
  /// The shell's name, as it was written.
  [[nodiscard]] std::string_view script_shell() const { return script_shell_; }

 private:
  void take_option(std::string_view option);

  std::string_view shell_;  // empty: none is open
  std::string_view script_shell_;
  bool script_follows_ = false;
  bool value_follows_ = false;
};

/// Whether a program of that name reads a script behind -c, whatever its syntax.
[[nodiscard]] bool is_shell(std::string_view program);

}  // namespace artel::command::detail
