#include "artel/report/plan_json.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/compared_fleets.hpp"
#include "artel/plan/growth.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/pool_code.hpp"
#include "artel/plan/settings_to_paste.hpp"
#include "artel/report/detail/plan_obstacle.hpp"
#include "artel/report/detail/verdict_name.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json bound_json(std::optional<std::uint32_t> bound) {
  if (bound == scenario::kUnbounded) return "inf";
  return or_null(bound);
}

Json interval_json(const stat::Interval& interval) {
  Json json = {{"value", interval.center}, {"half_width", nullptr}};
  if (std::isfinite(interval.half_width)) json["half_width"] = interval.half_width;
  return json;
}

// Whose objective it is, if not of all tasks.
void note_group(Json& json, const plan::PlanResult& plan, const scenario::Objective& objective) {
  if (const auto& of = objective.of_class)
    json[of->number < plan.scenario.workload.classes.size() ? "class" : "stage"] = of->name;
}

void add_objectives(Json& json, const plan::PlanResult& plan,
                    const experiment::PolicyResult& result) {
  json["slo"] = Json::array();
  for (const auto& objective : plan.slo) {
    auto entry = interval_json(result.estimate(objective, plan.level));
    entry["objective"] = objective.name;
    note_group(entry, plan, objective);
    entry["verdict"] = detail::verdict_name(judge(result, objective, plan.level));
    json["slo"].push_back(std::move(entry));
  }
}

void add_measured(Json& json, const plan::PlanResult& plan,
                  const experiment::PolicyResult& result) {
  add_objectives(json, plan, result);
  json["response"] = Json::object();
  for (const auto& [name, statistic] : detail::kStatistics) {
    json["response"][std::string(name)] =
        interval_json(result.estimate(scenario::Quantity::response, statistic, plan.level));
  }
}

Json trial_json(const plan::PlanResult& plan, const plan::PlanTrial& trial) {
  const auto& result = trial.result;
  Json json = {{"workers", trial.workers},
               {"load", trial.load},
               {"verdict", detail::verdict_name(trial.verdict)},
               {"exact", result.exact},
               {"replications", result.replications.size()},
               {"tasks", result.tasks()},
               {"utilisation", result.utilisation().center},
               {"cost_per_hour", or_null(plan.cost_per_hour(trial.workers))}};
  add_measured(json, plan, result);
  return json;
}

Json row_json(const plan::PlanResult& plan, const plan::PlanRow& row) {
  Json json = {{"policy", row.policy.label},
               {"queue_bound", bound_json(row.queue_bound)},
               {"workers", or_null(row.smallest)},
               {"cost_per_hour", nullptr},
               {"workers_min", row.workers_min},
               {"monotone", row.holes.empty()},
               {"holes", row.holes},
               {"complete", row.complete},
               {"reason", nullptr},
               {"trials", Json::array()},
               {"code", nullptr}};
  if (row.smallest) json["cost_per_hour"] = or_null(plan.cost_per_hour(*row.smallest));
  if (row.complete && !row.smallest) json["reason"] = detail::plan_obstacle(plan, row);
  for (const auto& trial : row.trials) json["trials"].push_back(trial_json(plan, trial));
  if (const auto options = plan::pool_options(plan, row)) json["code"] = plan::pool_code(*options);
  return json;
}

Json scaled_json(const plan::PlanResult& plan, const plan::ComparedFleet& fleet) {
  Json json = {{"policy", fleet.policy},
               {"fleet", fleet.size},
               {"workers", interval_json(fleet.result->workers())},
               {"cost_per_hour", or_null(plan.cost_per_hour(fleet.workers))}};
  add_objectives(json, plan, *fleet.result);
  return json;
}

Json fleet_json(const plan::PlanResult& plan, const plan::ComparedFleet& fleet) {
  Json json = {{"policy", fleet.policy},
               {"scaling", nullptr},
               {"fleet", fleet.size},
               {"verdict", detail::verdict_name(fleet.verdict)},
               {"exact", fleet.result->exact},
               {"workers", fleet.workers},
               {"worker_hours_per_day", fleet.worker_hours_per_day()},
               {"cost_per_hour", or_null(plan.cost_per_hour(fleet.workers))}};
  if (!fleet.scaling.empty()) json["scaling"] = fleet.scaling;
  add_measured(json, plan, *fleet.result);
  return json;
}

}  // namespace

std::string plan_json(const plan::PlanResult& plan, const std::vector<std::string>& systems,
                      const RecordedJson& recorded) {
  Json json = {{"schema", "artel.plan/1"},
               {"name", plan.scenario.name},
               {"complete", plan.complete},
               {"confidence", plan.confidence},
               {"level", plan.level},
               {"unit", "s"},
               {"rate", plan.scenario.workload.rate},
               {"seed", static_cast<std::uint64_t>(plan.scenario.run.seed)},
               {"workers_max", plan.workers_max},
               {"price_per_hour", or_null(plan.scenario.price_per_hour)},
               {"slo", Json::array()},
               {"rows", Json::array()},
               {"best", nullptr}};
  for (const auto& objective : plan.slo) {
    const bool implied = plan.rejected_implied && &objective == &plan.slo.back();
    json["slo"].push_back(
        {{"objective", objective.name}, {"limit", objective.limit}, {"implied", implied}});
    note_group(json["slo"].back(), plan, objective);
  }
  for (const auto& row : plan.rows) json["rows"].push_back(row_json(plan, row));
  for (const auto& fleet : plan::compared_fleets(plan)) {
    json["fleets"].push_back(fleet_json(plan, fleet));
    if (!fleet.scaling.empty()) json["scaled"].push_back(scaled_json(plan, fleet));
  }
  if (const auto* best = plan.best()) json["best"] = best - plan.rows.data();
  if (!recorded.fleet.empty()) json["fleet"] = Json::parse(recorded.fleet);
  if (!recorded.backtest.empty()) json["backtest"] = Json::parse(recorded.backtest);
  for (const auto& system : systems) {
    const auto text = plan::settings_to_paste(plan, system);
    json["settings"][system] = text ? Json(*text) : Json(nullptr);
  }
  return json.dump(2) + "\n";
}

std::string growth_json(const plan::PlanResult& plan, const std::vector<plan::Growth>& growth) {
  Json json = Json::array();
  for (const auto& [rate, work, result] : growth) {
    Json point = {{"rate", rate},
                  {"work", work},
                  {"utilisation", result.utilisation().center},
                  {"verdict", detail::verdict_name(judge(result, plan.slo, plan.level))}};
    add_measured(point, plan, result);
    json.push_back(std::move(point));
  }
  return json.dump();
}

}  // namespace artel::report
