#pragma once

#include <cstdint>
#include <optional>

#include "app/command_line.hpp"

namespace artel::app {

// What subcommands that simulate let their user say about the run. The variables must live until
// the command line has been read.

/// --seed, instead of the scenario's.
void add_seed_option(Subcommand command, std::optional<std::uint64_t>& seed);

/// -j, --jobs: how many threads simulate; `jobs` is the default.
void add_jobs_option(Subcommand command, unsigned& jobs);

}  // namespace artel::app
