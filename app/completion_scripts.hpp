#pragma once

#include <string>

#include "app/command_line.hpp"

namespace artel::app {

// Completion of artel's command line: subcommands, options, their values by what Option::value()
// says (never|soon|now: these words; FILE, DIR: files), and behind artel map's `--` a command.
[[nodiscard]] std::string bash_completion(const Subcommand& artel);
[[nodiscard]] std::string zsh_completion(const Subcommand& artel);
[[nodiscard]] std::string fish_completion(const Subcommand& artel);

}  // namespace artel::app
