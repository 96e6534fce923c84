#include "artel/report/experiment_json.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/experiment/smallest.hpp"
#include "artel/experiment/state_json.hpp"
#include "artel/report/detail/verdict_name.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;
using scenario::Quantity;

constexpr const char* kSchema = "artel.simulate/1";

Json as_json(const stat::Interval& interval) {
  Json json = {{"value", interval.center}, {"half_width", nullptr}};
  if (std::isfinite(interval.half_width)) json["half_width"] = interval.half_width;
  return json;
}

Json statistics_of(const experiment::PolicyResult& policy, Quantity quantity) {
  Json json;
  for (const auto& [name, statistic] : detail::kStatistics)
    json[std::string(name)] = as_json(policy.estimate(quantity, statistic));
  return json;
}

// What a plain pool cannot have.
void add_fleet(Json& json, const experiment::PolicyResult& policy,
               const scenario::Scenario& scenario) {
  const auto share = [](const experiment::PolicyResult& result, Quantity quantity) {
    return as_json(result.estimate(quantity, scenario::Statistic::mean));
  };
  json["abandoned"] = share(policy, Quantity::abandoned);
  if (scenario.workload.has_goodput()) {
    json["failed"] = share(policy, Quantity::failed);
    json["goodput"] = as_json(policy.goodput());
  }
  if (!scenario.workload.callers.plain()) json["attempts"] = as_json(policy.attempts());
  if (scenario.pool.worker.cache) json["hit_ratio"] = as_json(policy.hit_ratio());
  if (scenario.pool.scaling) {
    json["workers"] = as_json(policy.workers());
    if (const auto price = scenario.price_per_hour)
      json["price_per_hour"] = *price * policy.workers().center;
  }
  const auto groups = scenario.groups();
  const auto classes = scenario.workload.classes.size();
  for (std::size_t c = 0; c < groups.size(); ++c) {
    const auto result = policy.of_class(c);
    Json one = {{c < classes ? "class" : "stage", groups[c]}, {"tasks", result.tasks()}};
    one["response"] = statistics_of(result, Quantity::response);
    one["wait"] = statistics_of(result, Quantity::wait);
    one["rejected"] = share(result, Quantity::rejected);
    one["abandoned"] = share(result, Quantity::abandoned);
    if (scenario.workload.has_goodput()) {
      one["failed"] = share(result, Quantity::failed);
      one["goodput"] = as_json(result.goodput());
    }
    json[c < classes ? "classes" : "stages"].push_back(std::move(one));
  }
}

Json as_json(const experiment::PolicyResult& policy, const scenario::Scenario& scenario) {
  Json json = {{"policy", policy.label},
               {"replications", policy.replications.size()},
               {"tasks", policy.tasks()}};
  if (policy.exact) json["exact"] = true;
  if (policy.replications.empty()) return json;
  json["response"] = statistics_of(policy, Quantity::response);
  json["response"]["max_of_all"] = policy.response_max();
  json["wait"] = statistics_of(policy, Quantity::wait);
  json["wait_probability"] = as_json(policy.wait_probability());
  json["utilisation"] = as_json(policy.utilisation());
  json["rejected"] = as_json(policy.estimate(Quantity::rejected, scenario::Statistic::mean));
  json["in_system"] = as_json(policy.in_system());
  if (!is_plain(scenario)) add_fleet(json, policy, scenario);
  json["slo"] = Json::array();
  for (const auto& objective : scenario.slo) {
    auto entry = as_json(policy.estimate(objective));
    entry["objective"] = objective.name;
    if (const auto& of = objective.of_class)
      entry[of->number < scenario.workload.classes.size() ? "class" : "stage"] = of->name;
    entry["limit"] = objective.limit;
    entry["verdict"] = detail::verdict_name(judge(policy, objective));
    json["slo"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string experiment_json(const scenario::Study& study,
                            const experiment::ExperimentResult& result) {
  Json json = {{"schema", kSchema},
               {"name", study.points.empty() ? "" : study.points.front().scenario.name},
               {"complete", result.complete},
               {"confidence", experiment::kConfidence},
               {"unit", "s"},
               {"points", Json::array()}};
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const auto& point = result.points[p];
    const auto& scenario = study.points[p].scenario;
    Json entry = {{"values", Json::object()},
                  {"workers", scenario.pool.speeds.size()},
                  {"load", scenario.load()},
                  {"seed", static_cast<std::uint64_t>(scenario.run.seed)},
                  {"warm_up_tasks", point.warm_up_tasks},
                  {"policies", Json::array()}};
    for (std::size_t a = 0; a < result.axes.size(); ++a)
      entry["values"][result.axes[a].key] = point.values[a];
    for (const auto& policy : point.policies)
      entry["policies"].push_back(as_json(policy, scenario));
    json["points"].push_back(std::move(entry));
  }
  json["smallest"] = Json::array();
  for (const auto& answer : experiment::smallest_that_meets(study, result)) {
    Json entry = {{"policy", answer.policy},
                  {"key", answer.key},
                  {"where", answer.others},
                  {"value", nullptr}};
    if (answer.beyond != experiment::Verdict::missed)  // why it is no smaller one, or none
      entry["beyond"] = detail::verdict_name(answer.beyond);
    if (answer.point) entry["value"] = json["points"][*answer.point]["values"][answer.key];
    json["smallest"].push_back(std::move(entry));
  }
  if (result.complete) return json.dump(2) + "\n";
  auto text = json.dump(2);
  text.resize(text.rfind("\n}"));  // to put it on one line of its own: it is long, and for machines
  return text + ",\n  \"resume\": " + experiment::state_json(study, result) + "\n}\n";
}

Result<std::optional<experiment::ExperimentResult>> resumed_experiment(const scenario::Study& study,
                                                                       std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != kSchema) return std::nullopt;
  const auto state = json.find("resume");
  if (state == json.end()) return std::nullopt;
  auto known = experiment::read_state(study, state->dump());
  if (!known) return fail(known);
  return *std::move(known);
}

}  // namespace artel::report
