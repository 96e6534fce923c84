#include "artel/experiment/replication.hpp"
#include <cstdint>
#include <optional>

#include "artel/experiment/meter.hpp"
#include "artel/experiment/simulated_pool.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/simulation.hpp"

namespace artel::experiment {

std::optional<Replication> run_replication(const scenario::Scenario& scenario,
                                           const scenario::PolicySpec& policy,
                                           const ReplicationOptions& options) {
  constexpr std::uint64_t kEventsBetweenLooks = 1U << 16U;  // at the stop token: some milliseconds
  Meter meter(options, scenario.pool.speeds.size());
  sim::Simulation simulation({.seed = scenario.run.seed});
  auto& pool = simulation.add<SimulatedPool>("pool", scenario, policy, options.index, meter);
  pool.open();
  while (simulation.steps(kEventsBetweenLooks) > 0) {
    if (options.stop.stop_requested()) return std::nullopt;
  }
  if (options.observation != nullptr) options.observation->ended(simulation.now());
  auto result = meter.result();
  result.index = options.index;
  result.events = simulation.event_count();
  return result;
}

}  // namespace artel::experiment
