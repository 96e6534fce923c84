#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/detail/shell_place.hpp"

namespace artel::command::detail {

/// A script in which values stand as variables that it sets from its parameters: so functions,
/// `set` and `shift` do not change them.
class ShellScript {
 public:
  void add_text(std::string_view text) { text_ += text; }
  /// Values at a place, each a variable. `group`: the same number, the same values; they are asked
  /// for once.
  void add_values(std::size_t group, const std::function<std::vector<std::string>()>& values,
                  const ShellPlace& place);

  /// What the shell runs. `shift`: afterwards, the parameters behind them are $1, $2, …
  [[nodiscard]] std::string text(bool shift) const;
  [[nodiscard]] std::vector<std::string> take_parameters() { return std::move(parameters_); }

 private:
  struct Variables {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  std::string text_;
  std::vector<std::string> parameters_;
  std::map<std::size_t, Variables> groups_;
  std::set<std::size_t> numbers_;  // variables that must be a number
};

}  // namespace artel::command::detail
