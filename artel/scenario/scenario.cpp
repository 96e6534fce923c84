#include "artel/scenario/scenario.hpp"

#include <string>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/dispatch_settings.hpp"
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

namespace {

// But for what a pool of threads may have.
bool workers_are_plain(const Scenario& scenario) {
  const auto& workload = scenario.workload;
  return scenario.stages.empty() && scenario.pool.worker.plain() && workload.callers.plain() &&
         !workload.has_deadline() && scenario.pool.admission.none() &&
         !scenario.dispatch.ejection && !std::holds_alternative<ClosedArrivals>(workload.arrivals);
}

// Who dispatches knows at once who is there.
bool follows_the_clock(const ScalingSettings& scaling, const DispatchSettings& dispatch) {
  return std::holds_alternative<scaling::Timetable>(scaling.policy) &&
         scaling.start_up.mean() == 0 && scaling.metric_delay == Duration::zero() &&
         dispatch.dispatchers == 1 && dispatch.view == DispatcherView::shared &&
         dispatch.staleness == Duration::zero();
}

}  // namespace

bool Scenario::plain() const {
  return workers_are_plain(*this) && !pool.scaling && workload.classes.empty() &&
         !workload.patience;
}

bool Scenario::of_threads() const {
  if (plain()) return true;
  return pool.stealing != dispatch::Stealing::none && workers_are_plain(*this) &&
         workload.fork == 1 && (!pool.scaling || follows_the_clock(*pool.scaling, dispatch));
}

}  // namespace artel::scenario
