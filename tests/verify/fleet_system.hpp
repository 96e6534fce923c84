#pragma once

#include <string>

#include "artel/core/error.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::verify {

/// The system of a row of fleet.csv, from its words, at that load; a run has enough tasks.
/// Errors: unsupported, with the words that are not known.
[[nodiscard]] Result<scenario::Scenario> fleet_scenario(const std::string& system, double load);

}  // namespace artel::verify
