#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.hpp"

namespace artel::app {

// What subcommands that simulate let their user say about the run. The variables must live until
// the command line has been read.

/// --set KEY=VALUE, for values of `what` ("the scenario"), like `example`.
void add_set_option(Subcommand command, std::vector<std::string>& set, const std::string& what,
                    const std::string& example);

/// --seed, instead of the scenario's.
void add_seed_option(Subcommand command, std::optional<std::uint64_t>& seed);

/// -j, --jobs: how many threads simulate; `jobs` is the default.
void add_jobs_option(Subcommand command, unsigned& jobs);

}  // namespace artel::app
