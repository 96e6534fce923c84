#include "artel/command/detail/script_finder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "artel/command/detail/shell_place.hpp"

namespace artel::command::detail {
namespace {

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

constexpr std::array<std::string_view, 3> kSh{"sh", "dash", "ash"};
constexpr std::array<std::string_view, 6> kBash{"bash", "rbash", "ksh", "mksh", "zsh", "ksh93"};
constexpr std::array<std::string_view, 6> kOther{"fish", "csh", "tcsh", "nu", "pwsh", "rc"};

}  // namespace

std::optional<ShellDialect> dialect_of(std::string_view program) {
  if (has(kSh, name_of(program))) return ShellDialect::sh;
  if (has(kBash, name_of(program))) return ShellDialect::bash;
  return std::nullopt;
}

bool is_shell(std::string_view program) {
  return dialect_of(program).has_value() || has(kOther, name_of(program));
}

bool ScriptFinder::take(std::optional<std::string_view> word) {
  if (shell_.empty() || !word || !(word->starts_with('-') || word->starts_with('+'))) {
    if (value_follows_) {
      value_follows_ = false;
      return false;
    }
    if (script_follows_) {
      script_follows_ = false;
      script_shell_ = std::exchange(shell_, {});
      return true;
    }
    shell_ = word && is_shell(*word) ? *word : std::string_view{};
    return false;
  }
  take_option(*word);
  return false;
}

// As in -euo pipefail -c SCRIPT.
void ScriptFinder::take_option(std::string_view option) {
  if (option.starts_with("--")) return;
  if (option.starts_with('-') && option.find('c') != std::string_view::npos) script_follows_ = true;
  if (option.ends_with('o') || option.ends_with('O')) value_follows_ = true;
}

}  // namespace artel::command::detail
