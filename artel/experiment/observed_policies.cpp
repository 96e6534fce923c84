#include "artel/experiment/observed_policies.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/experiment/observation.hpp"
#include "artel/experiment/replication.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::experiment {
namespace {

std::optional<std::vector<Observation>> observe(const scenario::Scenario& scenario,
                                                const ObserveOptions& options,
                                                std::optional<TimeWindow> window) {
  const auto& policies = scenario.dispatch.policies;
  std::vector<Observation> observations(policies.size(),
                                        Observation(scenario.pool.workers_max(), window));
  std::atomic<std::size_t> done = 0;
  for_each_index(policies.size(), options.jobs, options.stop, [&](std::size_t i) {
    const auto replication = run_replication(
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
  const auto least = std::ranges::min_element(*first, {}, &Observation::peak_in_system);
  const auto window = window_around_peak(*least, scenario.workload.mean_service_s);
  auto observations = observe(scenario, options, window);
  if (!observations) return std::nullopt;
  return ObservedPolicies{.window = window, .policies = std::move(*observations)};
}

}  // namespace artel::experiment
