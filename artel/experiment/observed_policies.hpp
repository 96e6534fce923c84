#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "artel/fleet/observation.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::experiment {

/// One watched replication of every policy of a scenario.
struct ObservedPolicies {
  fleet::TimeWindow
      window;  ///< around the moment when the most tasks were there, see observe_policies
  std::vector<fleet::Observation> policies;  ///< in the scenario's order
};

/// How observe_policies() goes about it.
struct ObserveOptions {
  unsigned jobs = 1;       ///< threads; the result does not depend on it
  std::stop_token stop{};  ///< asked to stop: nothing comes of it
};

/// Watches the first replication of every policy, each twice: once to find the moment when most
/// tasks are in the system, then with the window around it. That moment is the one of the policy
/// whose worst is the least bad, which tells of the load rather than of a policy's mistakes; it is
/// the same for all, so that they can be compared task by task.
/// Errors:  nullopt when stopped.
[[nodiscard]] std::optional<ObservedPolicies> observe_policies(const scenario::Scenario& scenario,
                                                               const ObserveOptions& options);

}  // namespace artel::experiment
