#include "artel/report/plan_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/change_rate.hpp"
#include "artel/plan/compared_fleets.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/planned_scenario.hpp"
#include "artel/plan/pool_code.hpp"
#include "artel/report/detail/list_of.hpp"
#include "artel/report/detail/plan_obstacle.hpp"
#include "artel/report/detail/verdict_name.hpp"
#include "artel/report/table.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/objective_text.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using experiment::Verdict;
using plan::PlanResult;
using plan::PlanRow;
using plan::PlanTrial;
using plan::row_name;

std::string bound_text(std::optional<std::uint32_t> bound) {
  if (!bound) return "mixed";
  return *bound == scenario::kUnbounded ? "inf" : std::to_string(*bound);
}

// The first objective that was not met: "4.21 s: no"; of several with its name.
std::string one_less(const PlanResult& plan, const PlanRow& row) {
  const auto needed = row.smallest.value_or(1);
  if (needed == 1) return "-";
  const auto workers = needed - 1;
  if (workers < row.workers_min) {
    auto smaller = plan.scenario;
    plan::change_workers(smaller, workers);
    return smaller.load() >= 1 ? "load >= 1" : "too few";
  }
  const auto* trial = row.trial(workers);
  if (trial == nullptr) return "-";  // stopped before it was tried
  for (const auto& objective : plan.slo) {
    const auto verdict = judge(trial->result, objective, plan.level);
    if (verdict == Verdict::met) continue;
    const auto value = trial->result.estimate(objective, plan.level);
    return fmt::format("{}{}: {}",
                       plan.slo.size() > 1 ? scenario::objective_name(objective) + " " : "",
                       detail::value_text(objective, value.center),
                       verdict == Verdict::missed ? "no" : detail::verdict_name(verdict));
  }
  return "-";
}

std::string cost_text(double cost) { return fmt::format("{:.2f}", cost); }

// Of callers who try again the question is up to which load that goes well.
bool shows_load(const PlanResult& plan) { return plan.scenario.workload.callers.retry.most > 0; }

std::string load_text(double load) { return fmt::format("{:.3f}", load); }

void add_row(Table& table, const PlanResult& plan, const PlanRow& row) {
  std::vector<std::string> cells{row.policy.label, bound_text(row.queue_bound)};
  const auto needed = row.smallest.value_or(0);
  const auto* trial = row.trial(needed);
  if (trial == nullptr) {
    cells.emplace_back(row.complete ? "none" : "?");
    const std::size_t others = 2 * plan.slo.size() + (shows_load(plan) ? 3 : 2);
    for (std::size_t i = 0; i < others; ++i) cells.emplace_back("-");
    if (plan.scenario.price_per_hour) cells.emplace_back("-");
    table.add_row(std::move(cells));
    return;
  }
  cells.push_back(fmt::format("{}{}", row.complete ? "" : "<= ", needed));
  if (shows_load(plan)) cells.push_back(load_text(trial->load));
  for (const auto& objective : plan.slo) {
    const auto value = trial->result.estimate(objective, plan.level);
    cells.push_back(detail::value_text(objective, value.center));
    cells.push_back(detail::value_text(objective, value.half_width));
  }
  cells.push_back(detail::percent(trial->result.utilisation().center));
  cells.push_back(one_less(plan, row));
  if (const auto cost = plan.cost_per_hour(needed)) cells.push_back(cost_text(*cost));
  table.add_row(std::move(cells));
}

std::string implied_text(const PlanResult& plan) {
  if (!plan.rejected_implied) return "";
  return fmt::format(
      "{} is implied, as full queues turn tasks away; choose with --slo 'rejected<…'\n",
      scenario::objective_text(plan.slo.back()));
}

std::string footing(const PlanResult& plan) {
  std::size_t fewest = SIZE_MAX, most = 0, trials = 0;
  std::uint64_t tasks = 0;
  for (const auto& row : plan.rows) {
    for (const auto& trial : row.trials) {
      const auto& replications = trial.result.replications;
      fewest = std::min(fewest, replications.size());
      most = std::max(most, replications.size());
      tasks = std::max(tasks, replications.front().tasks);
      ++trials;
    }
  }
  if (trials == 0) return "Nothing was simulated.\n";
  auto text = fmt::format("{} of {} of {}", how_many(trials, "trial"),
                          fewest == most ? how_many(fewest, "replication")
                                         : fmt::format("{} to {} replications", fewest, most),
                          how_many(tasks, "task"));
  if (plan.exact())
    return text + "; nothing is left to chance: verdicts are exact\n" + implied_text(plan);
  text += fmt::format(
      "; verdicts hold with {:g}% confidence\n"
      "± is the half-width of the {:g}% interval, since a verdict is looked at up to {} times\n",
      100 * plan.confidence, 100 * plan.level,
      std::lround((1 - plan.confidence) / (1 - plan.level)));
  return text + implied_text(plan);
}

// Whether the most workers allowed, or any number, do not do.
bool missed_for_sure(const PlanRow& row) {
  return row.trials.empty() || row.trials.back().verdict == Verdict::missed;
}

// That some sizes do and larger ones do not; nothing where it is not so.
std::string holes_text(const PlanRow& row, const std::string& name) {
  if (row.holes.empty()) return "";
  std::vector<std::string> not_met;
  for (const auto workers : row.holes) not_met.push_back(std::to_string(workers));
  return fmt::format(
      "{}: the sizes that do have holes: {} met it too, {} did not. Smaller ones were not all "
      "tried{}.\n",
      name, detail::list_of(detail::met_below(row)), detail::list_of(not_met),
      row.smallest ? "; the answer is where the holes that were found end" : "");
}

// What has to be said of a row besides its numbers; often nothing.
std::string remarks(const PlanResult& plan, const PlanRow& row) {
  const auto name = row_name(plan, row);
  if (!row.smallest) {
    return row.complete ? fmt::format("{}: {}.\n", name, detail::plan_obstacle(plan, row)) +
                              holes_text(row, name)
                        : "";
  }
  std::string text;
  const auto* below = row.trial(*row.smallest - 1);
  if (below != nullptr && below->verdict == Verdict::unclear) {
    text += fmt::format("{}: {} {} too close to call{}; {} are sure.\n", name,
                        how_many(below->workers, "worker"), below->workers == 1 ? "is" : "are",
                        row.holes.empty() ? detail::though_smaller_met(row) : "", *row.smallest);
  }
  if (shows_load(plan)) {
    text +=
        fmt::format("{}: met up to a load of {}, with {}", name,
                    load_text(row.trial(*row.smallest)->load), how_many(*row.smallest, "worker"));
    if (below != nullptr && below->verdict == Verdict::missed)
      text += fmt::format("; not at {}, with {}", load_text(below->load), below->workers);
    text += ".\n";
  }
  return text + holes_text(row, name);
}

// Who needs least, who most, and what that costs.
std::string headline(const PlanResult& plan, const PlanRow& best) {
  const auto fewest = best.smallest.value_or(0);
  std::vector<std::string> winners;
  const PlanRow* worst = &best;
  for (const auto& row : plan.rows) {
    if (row.smallest == fewest) winners.push_back(row_name(plan, row));
    if (row.smallest > worst->smallest) worst = &row;
  }
  constexpr std::size_t kNamesMax = 4;
  if (winners.size() > kNamesMax) {
    const auto others = winners.size() - (kNamesMax - 1);
    winners.resize(kNamesMax - 1);
    winners.push_back(fmt::format("{} others", others));
  }
  auto text = fmt::format("{} needs {}{} with {}", scenario::objectives_text(plan.slo),
                          plan.complete ? "" : "at most ", how_many(fewest, "worker"),
                          detail::list_of(winners));
  const auto most = worst->smallest.value_or(0);
  if (most > fewest) text += fmt::format(", but {} with {}", most, row_name(plan, *worst));
  if (const auto cost = plan.cost_per_hour(fewest)) {
    text += fmt::format(": {} per hour", cost_text(*cost));
    if (most > fewest)
      text += fmt::format(" instead of {}", cost_text(plan.cost_per_hour(most).value_or(0)));
  }
  return text + ".\n";
}

// Beside each other what keeps its size and what does not; nothing where nothing is scaled.
std::string fleets_text(const PlanResult& plan) {
  const auto fleets = plan::compared_fleets(plan);
  if (fleets.empty()) return "";
  auto quantities = plan.slo;
  const scenario::Objective p99{.name = "p99_response", .statistic = scenario::Statistic::p99};
  const auto of_all = [&](const auto& o) { return o.name == p99.name && !o.of_class; };
  if (std::ranges::none_of(quantities, of_all)) quantities.push_back(p99);
  Table table;
  table.add_column("the same tasks with", Table::Align::left);
  table.add_column("fleet", Table::Align::left);
  for (const auto& quantity : quantities) {
    table.add_column(scenario::objective_name(quantity));
    table.add_column("±");
  }
  for (const auto* title : {"SLO", "workers", "worker-hours/day"}) table.add_column(title);
  if (plan.scenario.price_per_hour) table.add_column("cost/h");
  for (const auto& fleet : fleets) {
    std::vector<std::string> cells{fleet.policy, fleet.size};
    for (const auto& quantity : quantities) {
      const auto value = fleet.result->estimate(quantity, plan.level);
      cells.push_back(detail::value_text(quantity, value.center));
      cells.push_back(detail::value_text(quantity, value.half_width));
    }
    cells.push_back(detail::verdict_text(fleet.verdict, fleet.result->exact));
    cells.push_back(fmt::format("{:.1f}", fleet.workers));
    cells.push_back(fmt::format("{:.1f}", fleet.worker_hours_per_day()));
    if (const auto cost = plan.cost_per_hour(fleet.workers)) cells.push_back(cost_text(*cost));
    table.add_row(std::move(cells));
  }
  return "\n" + table.text();
}

}  // namespace

std::string plan_table(const PlanResult& plan) {
  auto text = fmt::format("{}: {:.4g} tasks per second, {}\n", plan.scenario.name,
                          plan.scenario.workload.rate, scenario::objectives_text(plan.slo));
  Table table;
  table.add_column("policy", Table::Align::left);
  table.add_column("queue");
  table.add_column("workers");
  if (shows_load(plan)) table.add_column("load");
  for (const auto& objective : plan.slo) {
    table.add_column(scenario::objective_name(objective));
    table.add_column("±");
  }
  table.add_column("utilisation");
  table.add_column("with one less");
  if (plan.scenario.price_per_hour) table.add_column("cost/h");
  for (const auto& row : plan.rows) add_row(table, plan, row);
  text += table.text() + footing(plan) + fleets_text(plan);
  if (!plan.complete) text += "INCOMPLETE: stopped early; '<=' may need fewer, '?' is not known.\n";
  return text;
}

std::string plan_answer(const PlanResult& plan) {
  const auto* best = plan.best();
  if (!plan.complete && best == nullptr) return {};
  auto text = best != nullptr ? headline(plan, *best)
              : std::ranges::all_of(plan.rows, missed_for_sure)
                  ? fmt::format("No policy meets {}.\n", scenario::objectives_text(plan.slo))
                  : fmt::format("Whether {} can be met is not known.\n",
                                scenario::objectives_text(plan.slo));
  for (const auto& row : plan.rows) text += remarks(plan, row);
  return text + detail::fixed_stages(plan);
}

std::string plan_code(const PlanResult& plan) {
  const auto* best = plan.best();
  if (best == nullptr) return {};
  const auto options = plan::pool_options(plan, *best);
  return options ? plan::pool_code(*options) : "";
}

}  // namespace artel::report
