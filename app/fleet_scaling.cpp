#include "app/fleet_scaling.hpp"

#include <fmt/core.h>

#include <string>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/plan/scale_fleet.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::app {

Result<FleetScaling> read_fleet_scaling(const FleetScalingText& text) {
  scenario::Scenario scenario;
  scenario.pool.speeds = {1};
  scenario.pool.queue_bounds = {dispatch::kUnbounded};
  const auto read = plan::scale_fleet(scenario, text.policy, text.workers_max);
  if (!read) return fail(read);
  auto& settings = scenario.pool.scaling;
  if (!settings) return fail(ErrorCode::invalid, "no policy");
  const auto refuse = [](const std::string& key) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} is for simulated fleets: workers here come, and are seen, as fast "
                            "as they are",
                            key));
  };
  if (settings->start_up.mean() > 0) return refuse("start_up");
  if (settings->metric_delay > Duration{}) return refuse("metric_delay");
  if (auto* predictive = std::get_if<scaling::Predictive>(&settings->policy))
    predictive->slots = text.slots;
  return FleetScaling{.policy = settings->policy, .limits = settings->limits};
}

}  // namespace artel::app
