#include "artel/scenario/scenario.hpp"

#include <string>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/stage_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {

double Scenario::load() const {
  return workload.rate * workload.mean_service_s * workload.fork /
         pool.capacity(workload.mean_service_s);
}

std::vector<std::string> Scenario::groups() const {
  std::vector<std::string> names;
  for (const auto& one : workload.classes) names.push_back(one.name);
  if (!stages.empty()) names.emplace_back(kFirstStage);
  for (const auto& stage : stages) names.push_back(stage.name);
  return names;
}

bool Scenario::plain() const { return features_of(*this).without(kPlainFeatures).empty(); }

bool Scenario::of_threads() const {
  if (plain()) return true;
  const auto features = features_of(*this);
  constexpr Features kOfThreads(Feature::classes, Feature::patience, Feature::scaling);
  if (!features.has(Feature::stealing) || features.has(Feature::fork)) return false;
  if (!features.without(kPlainFeatures).without(kOfThreads).empty()) return false;
  // Who dispatches knows at once who is there, by the clock.
  return !pool.scaling ||
         (!features.has(Feature::views) &&
          std::holds_alternative<scaling::Timetable>(pool.scaling->policy) &&
          pool.scaling->start_up.mean() == 0 && pool.scaling->metric_delay == Duration::zero());
}

}  // namespace artel::scenario
