#include "artel/fleet/replay_tasks.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_simulation.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet {

std::optional<std::vector<trace::TaskRecord>> replay_tasks(const scenario::Scenario& scenario,
                                                           const scenario::PolicySpec& policy,
                                                           std::uint32_t replication,
                                                           const std::stop_token& stop) {
  constexpr std::uint64_t kEventsBetweenLooks = 1U << 16U;  // at the stop token: some milliseconds
  ARTEL_REQUIRE(is_of_threads(scenario), "only a pool of threads is recorded");
  const ReplicationOptions unmeasured;
  detail::Meter meter(unmeasured, scenario.pool.speeds.size());
  detail::ClassMeter classes(scenario.groups().size());
  sim::Simulation simulation({.seed = scenario.run.seed});
  auto& pool = simulation.add<detail::FleetPool>("pool", scenario, policy, replication, meter);
  auto& fleet =
      simulation.add<detail::FleetSimulation>("fleet", scenario, replication, pool, meter, classes);
  std::vector<trace::TaskRecord> tasks;
  pool.record_into(tasks);
  fleet.open();
  while (simulation.steps(kEventsBetweenLooks) > 0) {
    if (stop.stop_requested()) return std::nullopt;
  }
  return tasks;
}

}  // namespace artel::fleet
