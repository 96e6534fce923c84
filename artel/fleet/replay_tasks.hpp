#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet {

/// Simulates `policy` on the scenario once and gives the life of every task, as a recording of the
/// real pool would; times count from the start of the simulation.
///
/// The same run as run_replication() of that index, down to the last event. Memory: 72 bytes per
/// task. Errors: nullopt when stopped. Threads: safe from several at once.
[[nodiscard]] std::optional<std::vector<trace::TaskRecord>> replay_tasks(
    const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
    std::uint32_t replication = 0, const std::stop_token& stop = {});

}  // namespace artel::fleet
