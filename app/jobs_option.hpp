#pragma once

#include <CLI/CLI.hpp>

namespace artel::app {

/// Adds -j, --jobs: how many threads simulate; `jobs`, the default, must live until the command
/// line has been parsed.
void add_jobs_option(CLI::App& command, unsigned& jobs);

}  // namespace artel::app
