#pragma once

#include "app/command_line.hpp"
#include "artel/predict/calibrate.hpp"

namespace artel::app {

/// Adds --workers, --policy and --seed: what every subcommand that calibrates lets its user say
/// instead of the trace. `options` must live until the command line has been read.
void add_calibrate_options(Subcommand command, predict::CalibrateOptions& options);

}  // namespace artel::app
