#include "artel/report/html_plan.hpp"

#include <fmt/core.h>

#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "artel/experiment/observed_policies.hpp"
#include "artel/plan/growth.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/planned_scenario.hpp"
#include "artel/report/detail/observation_json.hpp"
#include "artel/report/detail/tails_json.hpp"
#include "artel/report/experiment_summary.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/plan_json.hpp"
#include "artel/report/plan_table.hpp"
#include "artel/scenario/objective_text.hpp"

namespace artel::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

HtmlReport html_plan(const plan::PlanResult& plan,
                     const std::optional<experiment::ObservedPolicies>& observed,
                     const RecordedJson& recorded, const std::vector<plan::Growth>& growth) {
  HtmlReport report{.title = plan.scenario.name,
                    .summary = lines_of(plan_answer(plan)),
                    .facts = workload_facts(plan.scenario.workload)};
  if (!plan.complete) {
    report.summary.insert(report.summary.begin(),
                          "Stopped early: fewer workers may do than are said here.");
  }
  report.facts.emplace_back("Objective", scenario::objectives_text(plan.slo));
  report.facts.emplace_back("Confidence", fmt::format("{:g}%", 100 * plan.confidence));
  if (const auto price = plan.scenario.price_per_hour)
    report.facts.emplace_back("Price of a worker", fmt::format("{:.4g} per hour", *price));
  std::vector<detail::NamedResponses> curves;
  for (const auto& row : plan.rows) {
    const auto* trial = row.smallest ? row.trial(*row.smallest) : nullptr;
    if (trial == nullptr) continue;
    const auto& measured = trial->result;
    curves.push_back(
        {row_name(plan, row), &measured.times.responses.all(), measured.replications.size()});
  }
  report.parts.emplace_back("plan", plan_json(plan, {}, recorded));
  report.parts.emplace_back("tails", detail::tails_json({curves}));
  if (!growth.empty()) report.parts.emplace_back("growth", growth_json(plan, growth));
  if (observed) {
    detail::WatchedRuns watched{.parts_per_task = plan.scenario.workload.fork,
                                .window = observed->window,
                                .runs = observed->policies};
    for (const auto& row : plan.rows) watched.names.push_back(row_name(plan, row));
    report.parts.emplace_back("observed", detail::observation_json(watched));
  }
  return report;
}

}  // namespace artel::report
