#pragma once

#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_command.hpp"

namespace artel::app {

/// The options of this command line that also hold for a run of the failed jobs of its log: all but
/// those that say what the items and the command are, and those of the log.
[[nodiscard]] std::vector<std::string> options_of_retry(const Subcommand& map);

/// What a person is to do to run the failed jobs again, a line. Every shell of shell_quote() reads
/// it. Requires: a job log.
[[nodiscard]] std::string retry_hint(const MapCommand& options);

}  // namespace artel::app
