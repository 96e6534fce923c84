#include "artel/predict/scenario_to_plan.hpp"

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
  constexpr std::uint32_t kReplications = 10;
  if (!fitted) scenario.run.replications = kReplications;
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
