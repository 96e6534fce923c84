#include "artel/scenario/features.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <variant>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {
namespace {

// In the order of the enum, which is that in which they are named.
template <class Subject>
struct FeatureRow {
  Feature feature;
  std::string_view key;  // that asks for it
  bool (*in)(const Subject&);
};

using W = WorkerSettings;
constexpr std::array<FeatureRow<W>, 9> kOfWorkers{{
    {Feature::slots, "pool.slots", [](const W& w) { return w.slots > 1; }},
    {Feature::discipline, "pool.discipline",
     [](const W& w) { return w.discipline != Discipline::fifo; }},
    {Feature::batch, "pool.batch", [](const W& w) { return w.batch.has_value(); }},
    {Feature::cache, "pool.cache", [](const W& w) { return w.cache.has_value(); }},
    {Feature::failures, "pool.failures", [](const W& w) { return w.failures.has_value(); }},
    {Feature::start_up, "pool.start_up", [](const W& w) { return w.start_up.has_value(); }},
    {Feature::slow_start, "pool.slow_start", [](const W& w) { return w.slow_start.has_value(); }},
    {Feature::speed_states, "pool.speed_states",
     [](const W& w) { return !w.speed_states.empty(); }},
    {Feature::speed_timetable, "pool.speed_timetable",
     [](const W& w) { return w.speed_timetable.has_value(); }},
}};

using S = Scenario;
constexpr std::array<FeatureRow<S>, Features::kCount - kOfWorkers.size()> kOfScenarios{{
    {Feature::admission, "pool.admission", [](const S& s) { return !s.pool.admission.none(); }},
    {Feature::ejection, "dispatch.ejection",
     [](const S& s) { return s.dispatch.ejection.has_value(); }},
    {Feature::scaling, "pool.scaling", [](const S& s) { return s.pool.scaling.has_value(); }},
    {Feature::stages, "stages", [](const S& s) { return !s.stages.empty(); }},
    {Feature::patience, "workload.patience",
     [](const S& s) { return s.workload.patience.has_value(); }},
    {Feature::callers, "workload.callers", [](const S& s) { return !s.workload.callers.plain(); }},
    {Feature::closed_arrivals, "closed arrivals",
     [](const S& s) { return std::holds_alternative<ClosedArrivals>(s.workload.arrivals); }},
    {Feature::classes, "workload.classes", [](const S& s) { return !s.workload.classes.empty(); }},
    {Feature::deadline, "workload.deadline", [](const S& s) { return s.workload.has_deadline(); }},
    {Feature::fork, "workload.fork", [](const S& s) { return s.workload.fork > 1; }},
    {Feature::network_delay, "dispatch.network_delay",
     [](const S& s) { return s.dispatch.network_delay > Duration::zero(); }},
    {Feature::views, "dispatch.view",
     [](const S& s) {
       return s.dispatch.dispatchers > 1 || s.dispatch.view != DispatcherView::shared ||
              s.dispatch.staleness > Duration::zero();
     }},
    {Feature::take_over, "pool.take_over", [](const S& s) { return s.pool.take_over; }},
    {Feature::stealing, "pool.stealing",
     [](const S& s) { return s.pool.stealing != dispatch::Stealing::none; }},
    {Feature::wake_up, "pool.wake_up", [](const S& s) { return !s.pool.wake_ups.empty(); }},
    {Feature::task_overhead, "pool.task_overhead",
     [](const S& s) { return s.pool.task_overhead > Duration::zero(); }},
}};

template <class Rows>
constexpr bool in_order(const Rows& rows, Feature first) {
  auto expected = static_cast<std::size_t>(first);
  for (const auto& row : rows) {
    if (static_cast<std::size_t>(row.feature) != expected++) return false;
  }
  return true;
}
static_assert(in_order(kOfWorkers, Feature::slots));
static_assert(in_order(kOfScenarios, Feature::admission));

}  // namespace

Features features_of(const WorkerSettings& worker) {
  Features features;
  for (const auto& row : kOfWorkers) {
    if (row.in(worker)) features.add(row.feature);
  }
  return features;
}

Features features_of(const Scenario& scenario) {
  auto features = features_of(scenario.pool.worker);
  for (const auto& row : kOfScenarios) {
    if (row.in(scenario)) features.add(row.feature);
  }
  return features;
}

bool is_of_threads(const Scenario& scenario) {
  const auto features = features_of(scenario);
  constexpr Features kOfThreads(Feature::classes, Feature::patience, Feature::scaling);
  if (features.without(kPlainFeatures).empty()) return true;
  if (!features.has(Feature::stealing) || features.has(Feature::fork)) return false;
  if (!features.without(kPlainFeatures).without(kOfThreads).empty()) return false;
  // Who dispatches knows at once who is there, by the clock.
  const auto& scaling = scenario.pool.scaling;
  return !scaling || (!features.has(Feature::views) &&
                      std::holds_alternative<scaling::Timetable>(scaling->policy) &&
                      scaling->start_up.mean() == 0 && scaling->metric_delay == Duration::zero());
}

std::string_view key_of_first(Features features) {
  for (const auto& row : kOfWorkers) {
    if (features.has(row.feature)) return row.key;
  }
  for (const auto& row : kOfScenarios) {
    if (features.has(row.feature)) return row.key;
  }
  ARTEL_REQUIRE(false, "a feature has a key");
  return {};
}

}  // namespace artel::scenario
