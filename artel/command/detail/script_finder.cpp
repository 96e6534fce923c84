#include "artel/command/detail/script_finder.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace artel::command::detail {
namespace {

template <class Names>
bool has(const Names& names, std::string_view path) {
  return std::ranges::find(names, path.substr(path.rfind('/') + 1)) != names.end();
}

constexpr std::array<std::string_view, 5> kSimple{"sh", "dash", "ash", "bash", "rbash"};
constexpr std::array<std::string_view, 4> kLikeSh{"ksh", "mksh", "zsh", "ksh93"};
constexpr std::array<std::string_view, 6> kOther{"fish", "csh", "tcsh", "nu", "pwsh", "rc"};
// They give a script to a shell, and have words before it: su USER -c SCRIPT.
constexpr std::array<std::string_view, 4> kRunners{"su", "runuser", "flock", "script"};

}  // namespace

bool has_simple_scripts(std::string_view program) { return has(kSimple, program); }

bool takes_parameters(std::string_view program) {
  return has(kSimple, program) || has(kLikeSh, program);
}

bool ScriptFinder::take(std::string_view literal, bool whole) {
  const bool runner = has(kRunners, shell_);
  const bool option = literal.starts_with('-') || literal.starts_with('+');
  if (runner && option && !whole) {  // su -c{}, su --command={}
    script_shell_ = shell_;
    return true;
  }
  if (!shell_.empty() && option && whole) {
    take_option(literal);
    behind_option_ = true;
    return false;
  }
  const bool may_be_value = std::exchange(behind_option_, false);
  if (std::exchange(value_follows_, false)) return false;
  if (std::exchange(script_follows_, false)) {
    script_shell_ = std::exchange(shell_, {});
    return true;
  }
  const bool shell =
      whole && (takes_parameters(literal) || has(kOther, literal) || has(kRunners, literal));
  // One word may stand before the option, besides values of other options: flock -w 5 FILE -c …
  const bool stays = runner && (may_be_value || !std::exchange(has_word_, true));
  if (shell || !stays) {
    shell_ = shell ? literal : std::string_view{};
    has_word_ = false;
  }
  return false;
}

// As in -euo pipefail -c SCRIPT.
void ScriptFinder::take_option(std::string_view option) {
  if (option.starts_with("--")) {
    script_follows_ = script_follows_ || option == "--command";
    return;
  }
  if (option.starts_with('-') && option.find('c') != std::string_view::npos) script_follows_ = true;
  if (option.ends_with('o') || option.ends_with('O')) value_follows_ = true;
}

}  // namespace artel::command::detail
