#include "artel/predict/scenario_to_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::predict {

Result<scenario::Scenario> scenario_to_plan(const Calibration& calibration, WorkloadSource source) {
  const bool fitted = source == WorkloadSource::fitted;
  auto scenario = fitted ? calibration.fitted : calibration.recorded;
  // Only the dice differ: of many tasks they matter less, and each costs more.
  constexpr std::uint32_t kReplications = 10, kOfMany = 5;
  constexpr std::size_t kMany = 100'000;
  const auto& trace = calibration.recorded.workload.trace;
  const bool many = trace && trace->arrivals.size() > kMany;
  if (!fitted) scenario.run.replications = many ? kOfMany : kReplications;
  scenario.pool.scaling.reset();  // how many are enough all the time
  auto& policies = scenario.dispatch.policies;
  if (policies.front().name != scenario::kCentral) {
    auto central = scenario::parse_policy_spec(scenario::kCentral);
    if (!central) return fail(central);
    policies.push_back(*std::move(central));
  }
  return scenario;
}

}  // namespace artel::predict
