#include "artel/lab/observed_policies.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "artel/error/contract.hpp"
#include "artel/lab/observation.hpp"
#include "artel/lab/parallel_for.hpp"
#include "artel/lab/replication.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/unit/instant.hpp"

namespace artel::lab {
namespace {

std::optional<std::vector<Observation>> observe(const Scenario& scenario,
                                                const ObserveOptions& options,
                                                std::optional<TimeWindow> window) {
  const auto& policies = scenario.dispatch.policies;
  std::vector<Observation> observations(policies.size(),
                                        Observation(scenario.pool.speeds.size(), window));
  std::atomic<std::size_t> done = 0;
  parallel_for(policies.size(), options.jobs, options.stop, [&](std::size_t i) {
    const auto replication = run_replication(
        scenario, policies[i], {.stop = options.stop, .observation = &observations[i]});
    if (replication) ++done;
  });
  if (done != policies.size()) return std::nullopt;
  return observations;
}

// Long enough for some services on every worker that is shown, short enough for them to be told
// apart; the moment is in its middle.
TimeWindow window_around(Instant moment, const Scenario& scenario) {
  constexpr double kServices = 400;  // of all workers that are shown
  const auto rows = std::min(scenario.pool.speeds.size(), Observation::kRowsMax);
  const double services_each = std::clamp(kServices / static_cast<double>(rows), 6.0, 40.0);
  const auto half = from_seconds(services_each * scenario.workload.mean_service_s / 2);
  const auto from = std::max(Instant{}, moment - half);
  return {.from = from, .to = from + 2 * half};
}

}  // namespace

std::optional<ObservedPolicies> observe_policies(const Scenario& scenario,
                                                 const ObserveOptions& options) {
  ARTEL_REQUIRE(!scenario.dispatch.policies.empty(), "a validated scenario has policies");
  const auto first = observe(scenario, options, std::nullopt);
  if (!first) return std::nullopt;
  const auto least = std::ranges::min_element(*first, {}, &Observation::peak_in_system);
  const auto window = window_around(least->peak(), scenario);
  auto observations = observe(scenario, options, window);
  if (!observations) return std::nullopt;
  return ObservedPolicies{.window = window, .policies = std::move(*observations)};
}

}  // namespace artel::lab
