#pragma once

#include <optional>
#include <stop_token>

#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet {

/// Whether nothing is drawn, so that all replications of the policy are equal: arrivals and
/// services are constant or recorded, the policy throws no dice, and there is one dispatcher.
[[nodiscard]] bool is_exact(const scenario::Scenario& scenario, const scenario::PolicySpec& policy);

/// How many tasks arrive in a replication, about.
[[nodiscard]] double expected_tasks(const scenario::Scenario& scenario);

/// Simulates `policy` on the scenario's workload and pool once.
///
/// Arrivals, sizes and size hints come from streams that depend on seed and replication only, so
/// every policy sees the same tasks (common random numbers). The run ends when the last task that
/// arrived has left. Memory: independent of the length of the run, but for tasks that wait. Errors:
/// nullopt when stopped. Threads: safe from several at once.
[[nodiscard]] std::optional<Replication> run_replication(const scenario::Scenario& scenario,
                                                         const scenario::PolicySpec& policy,
                                                         const ReplicationOptions& options);

}  // namespace artel::fleet
