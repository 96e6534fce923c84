#pragma once

#include <cstddef>
#include <string>

#include "artel/lab/observed_policies.hpp"
#include "artel/lab/scenario.hpp"

namespace artel::report {

/// What was watched at one point of a study, for the page: series over time, rows of workers and
/// the tasks of the window, per policy. As JSON, see docs/report.md. `point`: which one it was.
[[nodiscard]] std::string observation_json(const lab::Scenario& scenario, std::size_t point,
                                           const lab::ObservedPolicies& observed);

}  // namespace artel::report
