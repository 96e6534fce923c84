#pragma once

#include <optional>
#include <string_view>

namespace artel::command::detail {

/// Whether read_script() knows the syntax of the shell that a path names: sh, dash, bash.
[[nodiscard]] bool has_simple_scripts(std::string_view program);

/// Whether that shell takes `-c SCRIPT NAME`, and then what the script has as $1, $2, …
[[nodiscard]] bool takes_parameters(std::string_view program);

/// Finds the SCRIPT among the words of a command in which `sh -c SCRIPT` may stand somewhere, as
/// behind env or timeout.
class ScriptFinder {
 public:
  /// Takes the words one after the other; `literal`: up to the first placeholder, and `whole` if
  /// there is none. Whether this one is a script, for script_shell().
  [[nodiscard]] bool take(std::string_view literal, bool whole);
  /// The shell's name, as it was written.
  [[nodiscard]] std::string_view script_shell() const { return script_shell_; }

 private:
  void take_option(std::string_view option);

  std::string_view shell_;  // empty: none is open
  std::string_view script_shell_;
  bool script_follows_ = false;
  bool value_follows_ = false;
  bool behind_option_ = false;
  bool has_word_ = false;  // of those that have some before the option
};

}  // namespace artel::command::detail
