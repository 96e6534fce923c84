#pragma once

#include "artel/core/error.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// Adds the policies that fleets behind a load balancer usually have, for a recorded load whose own
/// policy nobody knows: least loaded, two random choices (with queues as long as they get, and of
/// five, as Ray Serve has them), round robin, random. Their workers do not steal from each other:
/// that is what a pool of threads does.
/// Errors: none but a mistake of this function's.
[[nodiscard]] Result<void> add_usual_policies(scenario::Scenario& scenario);

}  // namespace artel::plan
