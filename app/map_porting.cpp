#include "app/map_porting.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.hpp"
#include "artel/core/nearest_name.hpp"

namespace artel::app {
namespace {

// Options of GNU parallel and xargs that are not here, and what does the same.
struct Foreign {
  std::string_view option;
  std::string_view instead;
};
constexpr std::array<Foreign, 38> kForeign{{
    {"--arg-sep", "the items always stand behind ':::'"},
    {"--bg", "there are no jobs in the background"},
    {"--basefile", "--cluster: the workers have their own files"},
    {"--citation", "there is nothing to agree to"},
    {"--cleanup", "--cluster: the workers have their own files"},
    {"--compress", "outputs that are kept are not compressed"},
    {"--colour", "outputs are left as they are"},
    {"--color", "outputs are left as they are"},
    {"--env", "jobs have this environment; export -f functions and call them by bash -c"},
    {"--fifo", "the shell has it: --shell=bash -- 'cmd <(…)'"},
    {"--filter", "leave items out before: grep … | artel map"},
    {"--group", "outputs are always whole"},
    {"--hostgroups", "--policy chooses among the workers of a --cluster"},
    {"--id", "jobs belong to this run"},
    {"--onall", "artel map -- ssh {} cmd ::: hosts"},
    {"--nonall", "artel map -- ssh {} cmd ::: hosts"},
    {"--open-tty", "-o is not here"},
    {"--parens", "-I chooses another placeholder"},
    {"--plus", "write {%SUFFIX}, {#PREFIX} or {/REGEX/TEXT/}"},
    {"--process-slot-var", "the number of the slot is {%}: --shell -- 'SLOT={%} cmd {}'"},
    {"--profile", "write the options into an alias"},
    {"--regexp", "--recstart and --recend are texts"},
    {"--return", "--cluster: the workers have their own files"},
    {"--roundrobin", "a job reads one block, and the next job starts when a slot is free"},
    {"--round-robin", "a job reads one block, and the next job starts when a slot is free"},
    {"--rpl", "write {%SUFFIX}, {#PREFIX} or {/REGEX/TEXT/}"},
    {"--semaphore", "sem is not here; flock(1) is"},
    {"--shebang", "write #!/bin/sh and artel map … -- cmd"},
    {"--shellquote", "items need no quotes; --dry-run shows quoted commands"},
    {"--show-limits", "getconf ARG_MAX; --max-chars is 131072"},
    {"--skip-first-line", "--header : takes the names of fields from it; else: tail -n +2"},
    {"--sqlmaster", "--joblog writes a table"},
    {"--tee", "the input in a file: artel map ::: 'cmd1 < FILE' 'cmd2 < FILE'"},
    {"--tmux", "write 'tmux new-window …' into the command"},
    {"--transfer", "--cluster: the workers have their own files"},
    {"--transferfile", "--cluster: the workers have their own files"},
    {"--trim", "trim the lines before: sed 's/^ *//; s/ *$//'"},
    {"--workdir", "--shell -- 'cd DIR && cmd {}'"},
}};

}  // namespace

std::string explain_unknown_option(const std::string& option, const Subcommand& command) {
  const auto name = option.substr(0, option.find('='));
  const auto* const foreign = std::ranges::find(kForeign, name, &Foreign::option);
  if (foreign != kForeign.end()) return fmt::format("{}: {}", name, foreign->instead);
  const auto names = command.option_names();
  const std::vector<std::string_view> allowed(names.begin(), names.end());
  const auto nearest = nearest_name(name, allowed);
  return fmt::format("unknown option '{}'{}; artel map --help lists them", name,
                     nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "");
}

}  // namespace artel::app
