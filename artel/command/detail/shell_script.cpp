#include "artel/command/detail/shell_script.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/detail/shell_place.hpp"

namespace artel::command::detail {
namespace {

using Spelling = ShellPlace::Spelling;

constexpr std::string_view kOnlyNumbers =
    "case ${{artel_{0}#[-+]}} in ''|*[!0-9]*) printf 'artel: not a number: %s\\n' \"$artel_{0}\" "
    ">&2; exit 2;; esac; ";

std::string spelled(const std::string& variables, Spelling spelling) {
  switch (spelling) {
    case Spelling::quoted:
      return '"' + variables + '"';
    case Spelling::in_single:
      return "'\"" + variables + "\"'";
    case Spelling::in_dollar_single:
      return "'\"" + variables + "\"$'";
    case Spelling::nothing:
      return {};
    default:
      return variables;
  }
}

}  // namespace

void ShellScript::add_values(std::size_t group,
                             const std::function<std::vector<std::string>()>& values,
                             const ShellPlace& place) {
  auto [at, is_new] = groups_.try_emplace(group);
  if (is_new) {
    auto found = values();
    at->second = {.first = parameters_.size() + 1, .count = found.size()};
    parameters_.insert(parameters_.end(), std::make_move_iterator(found.begin()),
                       std::make_move_iterator(found.end()));
  }
  const bool apart = place.spelling == Spelling::quoted && !place.one_word;
  const bool bare = place.spelling == Spelling::bare;  // anything may follow
  std::string variables;
  const auto [first, count] = at->second;
  for (std::size_t i = first; i < first + count; ++i) {
    if (i > first) variables += apart ? "\" \"" : " ";
    // bash does not find the end of "`… \"$(… \"it's\" "${x}")\"`"; of "$x" it does.
    variables += bare ? fmt::format("${{artel_{}}}", i) : fmt::format("$artel_{}", i);
    if (place.number) numbers_.insert(i);
  }
  text_ += spelled(variables, place.spelling);
}

std::string ShellScript::text(bool shift) const {
  if (parameters_.empty()) return text_;
  std::string whole;
  for (std::size_t i = 1; i <= parameters_.size(); ++i) {
    whole += fmt::format("artel_{0}=${{{0}}}", i) + (i < parameters_.size() ? " " : "; ");
  }
  for (const auto number : numbers_) whole += fmt::format(kOnlyNumbers, number);
  if (shift) whole += fmt::format("shift {}; ", parameters_.size());
  return whole + text_;
}

}  // namespace artel::command::detail
