#include "artel/scenario/conflicts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {
namespace {

// Workers that come and go are alike, and have no numbers.
void check_scaled(const PoolSettings& pool, std::vector<Conflict>& found) {
  if (!pool.scaling) return;
  const auto differ = [](const auto& values) {
    return std::ranges::adjacent_find(values, std::not_equal_to<>{}) != values.end();
  };
  for (const auto& [key, different] :
       {std::pair{"speed", differ(pool.speeds)}, {"queue_bound", differ(pool.queue_bounds)}}) {
    if (!different) continue;
    found.push_back(
        {"pool", "scaling",
         fmt::format("pool.scaling: needs workers that are all alike; these differ in {}", key)});
  }
  const auto& timetable = pool.worker.speed_timetable;
  const bool speeds = timetable && std::ranges::any_of(timetable->points, [](const auto& point) {
                        return !point.workers.empty();
                      });
  if (speeds)
    found.push_back({"pool", "scaling",
                     "pool.scaling: does not go with pool.speed_timetable of some workers only"});
  if (pool.worker.failures && !pool.worker.failures->outages.empty())
    found.push_back({"pool", "scaling", "pool.scaling: does not go with pool.failures.outages"});
}

void check_keys(const Scenario& scenario, std::vector<Conflict>& found) {
  const auto& trace = scenario.workload.trace;
  const auto& classes = scenario.workload.classes;
  const bool of_classes =
      !classes.empty() &&
      std::ranges::all_of(classes, [](const TaskClass& one) { return one.key != 0; });
  if (scenario.workload.keys || of_classes || (trace && !trace->prefixes.empty())) return;
  for (const auto& policy : scenario.dispatch.policies) {
    if (!dispatch::needs(policy.policy).inputs.has(dispatch::PolicyInput::key)) continue;
    return found.push_back(
        {"dispatch", "policies",
         fmt::format("dispatch.policies: {} goes by key; give workload.keys, like "
                     "{{ count = 10000, exponent = 1 }}",
                     policy.label)});
  }
}

void check_caches(const Scenario& scenario, std::vector<Conflict>& found) {
  if (scenario.pool.worker.cache) return;
  for (const auto& policy : scenario.dispatch.policies) {
    const auto fits = dispatch::check_inputs(
        policy.policy, dispatch::PolicyInputs::all().without(dispatch::PolicyInput::matched),
        "a pool without caches");
    if (fits) continue;
    return found.push_back({"dispatch", "policies",
                            fmt::format("dispatch.policies: {}; give pool.cache, like "
                                        "{{ blocks = 10000 }}",
                                        fits.error().what)});
  }
}

// A dispatcher with counts of its own hears of answers, not of starts.
void check_views(const Scenario& scenario, std::vector<Conflict>& found) {
  using enum dispatch::PolicyInput;
  if (scenario.dispatch.view == DispatcherView::shared) return;
  const auto known = dispatch::PolicyInputs::all().without({delay, failures, matched});
  for (const auto& policy : scenario.dispatch.policies) {
    const auto fits =
        dispatch::check_inputs(policy.policy, known, "a dispatcher with its own view");
    if (!fits) found.push_back({"dispatch", "policies", "dispatch.policies: " + fits.error().what});
  }
}

// What is dropped as it leaves a queue has to come into it.
void check_codel(const Scenario& scenario, const PoolSettings& pool, std::vector<Conflict>& found) {
  if (!pool.admission.codel || pool.scaling || pool.worker.failures || scenario.dispatch.ejection)
    return;
  const auto unbounded = [](std::uint32_t bound) { return bound == dispatch::kUnbounded; };
  const bool own = std::ranges::all_of(pool.queue_bounds, unbounded);
  const auto fills_workers = [&](const PolicySpec& policy) {
    return policy.queue_bound ? unbounded(*policy.queue_bound) : own;
  };
  if (std::ranges::all_of(scenario.dispatch.policies, fills_workers))
    found.push_back(
        {"pool", "admission",
         "pool.admission: codel looks at the common queue, where no policy leaves a task; give "
         "pool.queue_bound, or the policy central"});
}

// Nor a worker that cannot be left out.
void check_ejection(const Scenario& scenario, std::vector<Conflict>& found) {
  const auto& ejection = scenario.dispatch.ejection;
  if (!ejection) return;
  const auto& failures = scenario.pool.worker.failures;
  if (!scenario.workload.callers.timeout && !(failures && failures->loses_tasks()))
    found.push_back(
        {"dispatch", "ejection",
         "dispatch.ejection: nothing can fail at a worker; give workload.callers.timeout, "
         "or failures that lose tasks"});
  const std::size_t workers = scenario.pool.speeds.size();
  if (ejection->most_left_out(workers) == 0)
    found.push_back(
        {"dispatch", "ejection",
         fmt::format("dispatch.ejection.share: found {} of {} workers, which is never a "
                     "whole one; allowed: 1/{} or more",
                     ejection->share, workers, workers)});
}

// A retry that cannot happen is a misunderstanding.
void check_retries(const Scenario& scenario, std::vector<Conflict>& found) {
  const auto& workload = scenario.workload;
  const auto loses_tasks = [](const PoolSettings& pool) {
    return pool.worker.failures && pool.worker.failures->loses_tasks();
  };
  const auto fails = [&](const PoolSettings& pool) {
    return loses_tasks(pool) ||
           std::ranges::any_of(scenario.dispatch.policies,
                               [&](const PolicySpec& policy) { return !takes_all(pool, policy); });
  };
  const bool can_fail =
      fails(scenario.pool) ||
      std::ranges::any_of(scenario.stages, [&](const auto& stage) { return fails(stage.pool); });
  if (workload.callers.retry.most == 0 || workload.callers.timeout || workload.patience || can_fail)
    return;
  found.push_back(
      {"workload", "callers",
       "workload.callers.retries: nothing can fail here; give a timeout, patience, bounded "
       "queues that reject, or failures that lose tasks"});
}

}  // namespace

std::vector<Conflict> pool_conflicts(const Scenario& scenario, const PoolSettings& pool) {
  std::vector<Conflict> found;
  if (pool.worker.discipline == Discipline::priority && scenario.workload.classes.empty())
    found.push_back(
        {"pool", "discipline",
         "pool.discipline: priority needs workload.classes, which have the priorities"});
  if (pool.worker.discipline == Discipline::edf && !scenario.workload.has_deadline())
    found.push_back({"pool", "discipline",
                     "pool.discipline: edf needs deadlines, of workload or of its classes"});
  check_codel(scenario, pool, found);
  return found;
}

std::vector<Conflict> conflicts(const Scenario& scenario) {
  auto found = pool_conflicts(scenario, scenario.pool);
  check_keys(scenario, found);
  check_caches(scenario, found);
  check_views(scenario, found);
  if (is_of_threads(scenario)) return found;
  const auto features = features_of(scenario);
  const auto asks = key_of_first(features.without(kPlainFeatures));
  const auto& pool = scenario.pool;
  for (const auto feature :
       {Feature::take_over, Feature::stealing, Feature::wake_up, Feature::task_overhead}) {
    if (!features.has(feature)) continue;
    const auto key = key_of_first(Features(feature));
    found.push_back({"pool", key.substr(key.find('.') + 1),
                     fmt::format("{}: does not go with {}; it is of workers that take one task at "
                                 "a time in order of arrival",
                                 key, asks)});
  }
  const auto& dispatch = scenario.dispatch;
  const std::array<std::pair<std::string_view, bool>, 4> blind{
      {{"dispatchers", dispatch.dispatchers > 1},
       {"view", dispatch.view != DispatcherView::shared},
       {"staleness", dispatch.staleness > Duration::zero()},
       {"ejection", dispatch.ejection.has_value()}}};
  for (const auto& [key, asked] : blind) {
    if (!asked || !pool.scaling) continue;
    found.push_back({"dispatch", key,
                     fmt::format("dispatch.{}: does not go with pool.scaling: the dispatcher knows "
                                 "the workers that there are",
                                 key)});
  }
  check_scaled(pool, found);
  const bool loop = std::ranges::any_of(scenario.dispatch.policies, [](const PolicySpec& policy) {
    return std::holds_alternative<dispatch::ClosedLoop>(policy.policy);
  });
  if (loop)
    found.push_back(
        {"dispatch", "policies",
         fmt::format("dispatch.policies: closed_loop does not go with {}: its beacons go "
                     "through queues in order of arrival",
                     asks)});
  const bool steals = std::ranges::any_of(scenario.dispatch.policies, [](const PolicySpec& policy) {
    return policy.take_over.value_or(false);
  });
  if (steals)
    found.push_back({"dispatch", "policies",
                     fmt::format("dispatch.policies: take_over does not go with {}", asks)});
  check_ejection(scenario, found);
  check_retries(scenario, found);
  return found;
}

}  // namespace artel::scenario
