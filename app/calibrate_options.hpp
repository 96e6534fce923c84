#pragma once

#include <CLI/CLI.hpp>

#include "artel/predict/calibrate.hpp"

namespace artel::app {

/// Adds --workers, --policy and --seed: what every subcommand that calibrates lets its user say
/// instead of the trace. `options` must live until the command line has been parsed.
void add_calibrate_options(CLI::App& command, predict::CalibrateOptions& options);

}  // namespace artel::app
