#pragma once

#include <string>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::arena {

/// What a policy costs in a scenario, one number per replication; less is better.
///
/// How much it uses of the objective that it uses most of: value / limit, so that 1 is just met.
/// Without objectives the mean response, in seconds. Values are those of each replication, a
/// percentile too. Where no task completed, or none counted, the cost is infinite.
/// Cost: O(replications × objectives).
[[nodiscard]] std::vector<double> costs(const scenario::Scenario& scenario,
                                        const experiment::PolicyResult& policy);

/// What costs() is about, for people: "mean_response", "p99_response <= 2.00 s, failed <= 1%".
[[nodiscard]] std::string costs_text(const scenario::Scenario& scenario);

}  // namespace artel::arena
