#pragma once

#include <string>

#include "artel/predict/replay.hpp"

namespace artel::report {

/// Measured beside predicted, for the terminal.
[[nodiscard]] std::string replay_table(const predict::Prediction& prediction);

/// The same as JSON (schema artel.replay/1).
[[nodiscard]] std::string replay_json(const predict::Prediction& prediction);

}  // namespace artel::report
