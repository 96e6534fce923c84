#include "artel/experiment/observed_policies.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::experiment {
namespace {

std::optional<std::vector<fleet::Observation>> observe(const scenario::Scenario& scenario,
                                                       const ObserveOptions& options,
                                                       std::optional<fleet::TimeWindow> window) {
  const auto& policies = scenario.dispatch.policies;
  std::vector<fleet::Observation> observations(
      policies.size(), fleet::Observation(scenario.pool.workers_max(), window));
  std::atomic<std::size_t> done = 0;
  for_each_index(policies.size(), options.jobs, options.stop, [&](std::size_t i) {
    const auto replication = fleet::run_replication(
        scenario, policies[i], {.stop = options.stop, .observation = &observations[i]});
    if (replication) ++done;
  });
  if (done != policies.size()) return std::nullopt;
  return observations;
}

}  // namespace

std::optional<ObservedPolicies> observe_policies(const scenario::Scenario& scenario,
                                                 const ObserveOptions& options) {
  ARTEL_REQUIRE(!scenario.dispatch.policies.empty(), "a validated scenario has policies");
  const auto first = observe(scenario, options, std::nullopt);
  if (!first) return std::nullopt;
  const auto least = std::ranges::min_element(*first, {}, &fleet::Observation::peak_in_system);
  const auto window = fleet::window_around_peak(*least, scenario.workload.mean_service_s);
  auto observations = observe(scenario, options, window);
  if (!observations) return std::nullopt;
  return ObservedPolicies{.window = window, .policies = std::move(*observations)};
}

}  // namespace artel::experiment
