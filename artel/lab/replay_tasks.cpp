#include "artel/lab/replay_tasks.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "artel/lab/meter.hpp"
#include "artel/lab/replication.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/simulated_pool.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::lab {

std::optional<std::vector<trace::TaskRecord>> replay_tasks(const Scenario& scenario,
                                                           const PolicySpec& policy,
                                                           std::uint32_t replication,
                                                           const std::stop_token& stop) {
  constexpr std::uint64_t kEventsBetweenLooks = 1U << 16U;  // at the stop token: some milliseconds
  const ReplicationOptions unmeasured;
  Meter meter(unmeasured, scenario.pool.speeds.size());
  sim::Simulation simulation({.seed = scenario.run.seed});
  auto& pool = simulation.add<SimulatedPool>("pool", scenario, policy, replication, meter);
  std::vector<trace::TaskRecord> tasks;
  pool.record_into(tasks);
  pool.open();
  while (simulation.steps(kEventsBetweenLooks) > 0) {
    if (stop.stop_requested()) return std::nullopt;
  }
  return tasks;
}

}  // namespace artel::lab
