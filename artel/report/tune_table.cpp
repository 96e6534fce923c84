#include "artel/report/tune_table.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "artel/arena/costs.hpp"
#include "artel/arena/parameter_range.hpp"
#include "artel/arena/tune.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/report/table.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using TuneJson = nlohmann::ordered_json;

std::string cost_number(double cost) {
  return std::isfinite(cost) ? fmt::format("{:.4g}", cost) : "n/a";
}

std::string change_text(double share) {
  return std::isfinite(share) ? fmt::format("{:+.2f}%", 100 * share) : "n/a";
}

TuneJson ends_json(const stat::Interval& interval) {
  TuneJson json = {{"value", nullptr}, {"half_width", nullptr}};
  if (std::isfinite(interval.center)) json["value"] = interval.center;
  if (std::isfinite(interval.half_width)) json["half_width"] = interval.half_width;
  return json;
}

TuneJson tuned_json(const arena::TunedValue& one) {
  return {{"policy", one.policy},
          {"cost", ends_json(one.held_back)},
          {"regret", ends_json(one.regret)},
          {"worse", one.worse}};
}

}  // namespace

std::string tune_table(const scenario::Scenario& scenario, const arena::ParameterRange& range,
                       const arena::TuneResult& result) {
  if (result.values.empty()) return "";
  Table table;
  table.add_column(range.parameter);
  for (const auto* title : {"cost", "±", "regret", "±"}) table.add_column(title);
  table.add_column("", Table::Align::left);
  const auto& best = result.values[result.best];
  const auto add = [&](const std::string& name, const arena::TunedValue& one) {
    const auto* note = &one == &best ? "best" : one.worse ? "worse" : "";
    table.add_row({name, cost_number(one.held_back.center), cost_number(one.held_back.half_width),
                   change_text(one.regret.center),
                   fmt::format("{:.2f}%", 100 * one.regret.half_width), note});
  };
  for (const auto& one : result.values) add(arena::value_text(range, one.value), one);
  if (result.fallback) add("not given", *result.fallback);
  std::string text = table.text();
  text +=
      fmt::format("Cost: {}{}; on tasks that the search has not seen, with {:.0f}% confidence.\n\n",
                  arena::costs_text(scenario),
                  scenario.slo.empty() ? " in s" : ", part of the limit that is used",
                  100 * experiment::kConfidence);
  text += fmt::format("{}: the best {} lies between {} and {}.\n", best.policy, range.parameter,
                      arena::value_text(range, result.low), arena::value_text(range, result.high));
  return text;
}

std::string tune_json(const scenario::Scenario& scenario, const arena::ParameterRange& range,
                      const arena::TuneResult& result) {
  TuneJson json = {{"schema", "artel.tune/1"},
                   {"name", scenario.name},
                   {"complete", result.complete},
                   {"confidence", experiment::kConfidence},
                   {"policy", range.text},
                   {"parameter", range.parameter},
                   {"cost", arena::costs_text(scenario)},
                   {"unit", scenario.slo.empty() ? "s" : "1"},
                   {"seed", static_cast<std::uint64_t>(scenario.run.seed)},
                   {"best", nullptr},
                   {"low", nullptr},
                   {"high", nullptr},
                   {"fallback", nullptr},
                   {"values", TuneJson::array()}};
  if (result.values.empty()) return json.dump(2) + "\n";
  json["best"] = {{"value", result.values[result.best].value},
                  {"policy", result.values[result.best].policy}};
  json["low"] = result.low;
  json["high"] = result.high;
  if (result.fallback) json["fallback"] = tuned_json(*result.fallback);
  for (const auto& one : result.values) {
    TuneJson row = {{"value", one.value}};
    row.update(tuned_json(one));
    json["values"].push_back(std::move(row));
  }
  return json.dump(2) + "\n";
}

}  // namespace artel::report
