#include "artel/report/experiment_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/join.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/experiment/smallest.hpp"
#include "artel/report/detail/fleet_text.hpp"
#include "artel/report/detail/list_of.hpp"
#include "artel/report/detail/number.hpp"
#include "artel/report/detail/verdict_name.hpp"
#include "artel/report/experiment_summary.hpp"
#include "artel/report/table.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/objective_text.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::report {
namespace {

using detail::number;
using experiment::Verdict;
using scenario::Quantity;
using scenario::Statistic;

struct TimeUnit {
  std::string_view name;
  double per_second;
};

// The unit in which the largest mean has at least one digit before the point.
TimeUnit fitting_unit(const experiment::PointResult& point) {
  constexpr std::array<TimeUnit, 4> kUnits{{{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}}};
  double largest = 0;
  for (const auto& policy : point.policies) {
    largest = std::max(largest, policy.estimate(Quantity::response, Statistic::mean).center);
  }
  for (const auto& unit : kUnits) {
    if (largest * unit.per_second >= 0.1) return unit;
  }
  return kUnits.front();
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::met:
      return "yes";
    case Verdict::missed:
      return "no";
    case Verdict::unclear:
      return "unclear";
    case Verdict::not_measured:
      return "not measured";
  }
  return "";
}

std::string point_title(const experiment::ExperimentResult& result,
                        const experiment::PointResult& point) {
  std::string title;
  for (std::size_t a = 0; a < result.axes.size(); ++a) {
    title +=
        fmt::format("{}{} = {}", title.empty() ? "" : ", ", result.axes[a].key, point.values[a]);
  }
  return title;
}

// Whether tasks can go away unserved.
bool abandons(const scenario::Scenario& scenario) {
  const auto loses = [](const auto& part) {
    const auto& failures = part.pool.worker.failures;
    return failures && failures->loses_tasks();
  };
  return scenario.workload.patience || scenario.workload.callers.timeout || loses(scenario) ||
         std::ranges::any_of(scenario.stages, loses);
}

std::vector<std::string> cells_of(const scenario::Scenario& scenario, const std::string& label,
                                  const experiment::PolicyResult& result, const TimeUnit& unit) {
  const auto response = [&](Statistic statistic) {
    auto interval = result.estimate(Quantity::response, statistic);
    interval.center *= unit.per_second;
    interval.half_width *= unit.per_second;
    return interval;
  };
  const auto mean = response(Statistic::mean);
  const auto p99 = response(Statistic::p99);
  std::vector<std::string> cells{
      label,
      number(mean.center),
      number(mean.half_width),
      number(response(Statistic::p50).center),
      number(response(Statistic::p95).center),
      number(p99.center),
      number(p99.half_width),
      number(result.response_max() * unit.per_second),
      number(result.estimate(Quantity::wait, Statistic::mean).center * unit.per_second),
      detail::percent(result.utilisation().center),
      detail::percent(result.estimate(Quantity::rejected, Statistic::mean).center)};
  if (abandons(scenario))
    cells.push_back(detail::percent(result.estimate(Quantity::abandoned, Statistic::mean).center));
  if (scenario.workload.has_goodput()) {
    cells.push_back(detail::percent(result.estimate(Quantity::failed, Statistic::mean).center));
    cells.push_back(number(result.goodput().center));
  }
  if (!scenario.workload.callers.plain()) cells.push_back(number(result.attempts().center));
  if (scenario.pool.worker.cache) cells.push_back(detail::percent(result.hit_ratio().center));
  if (scenario.pool.scaling) {
    const double workers = result.workers().center;
    cells.push_back(number(workers));
    if (scenario.price_per_hour) cells.push_back(number(workers * *scenario.price_per_hour));
  }
  if (result.tasks() == 0) std::fill(cells.begin() + 1, cells.end(), "-");
  return cells;
}

// Of the objectives that the class has of its own.
std::string class_verdict(const scenario::Scenario& scenario,
                          const experiment::PolicyResult& policy, std::size_t task_class) {
  std::vector<scenario::Objective> own;
  std::ranges::copy_if(scenario.slo, std::back_inserter(own), [&](const scenario::Objective& o) {
    return o.of_class && o.of_class->number == task_class;
  });
  return own.empty() ? "" : std::string(verdict_text(experiment::judge(policy, own)));
}

std::string policy_table(const scenario::Scenario& scenario, const experiment::PointResult& point,
                         const TimeUnit& unit) {
  Table table;
  table.add_column("policy", Table::Align::left);
  for (const auto* title :
       {"mean", "±", "p50", "p95", "p99", "±", "max", "mean wait", "utilisation", "rejected"}) {
    table.add_column(title);
  }
  const bool goodput = scenario.workload.has_goodput();
  if (abandons(scenario)) table.add_column("abandoned");
  if (goodput) table.add_column("failed");
  if (goodput) table.add_column("goodput/s");
  if (!scenario.workload.callers.plain()) table.add_column("attempts");
  if (scenario.pool.worker.cache) table.add_column("hit ratio");
  if (scenario.pool.scaling) table.add_column("workers");
  if (scenario.pool.scaling && scenario.price_per_hour) table.add_column("price per hour");
  if (!scenario.slo.empty()) table.add_column("SLO met", Table::Align::left);

  for (const auto& policy : point.policies) {
    auto cells = cells_of(scenario, policy.label, policy, unit);
    if (!scenario.slo.empty())
      cells.emplace_back(verdict_text(experiment::judge(policy, scenario.slo)));
    table.add_row(std::move(cells));
    const auto groups = scenario.groups();
    for (std::size_t c = 0; c < groups.size(); ++c) {
      auto of_class = cells_of(scenario, "  " + groups[c], policy.of_class(c), unit);
      // The workers' are the policy's.
      constexpr std::size_t kUtilisation = 9;
      of_class[kUtilisation] = "";
      const std::size_t of_all =
          kUtilisation + 2 + (abandons(scenario) ? 1 : 0) + (goodput ? 2 : 0);
      std::fill(of_class.begin() + static_cast<std::ptrdiff_t>(of_all), of_class.end(), "");
      if (!scenario.slo.empty()) of_class.push_back(class_verdict(scenario, policy, c));
      table.add_row(std::move(of_class));
    }
  }
  return table.text();
}

// Whose response is not known as well as was asked for; often nothing.
std::string missed_precision(const scenario::Scenario& scenario,
                             const experiment::PointResult& point) {
  if (!scenario.run.precision) return {};
  std::vector<std::string> missed;
  for (const auto& policy : point.policies) {
    const double reached =
        policy.estimate(Quantity::response, scenario.run.precision_of).relative();
    if (reached > *scenario.run.precision)
      missed.push_back(fmt::format("{} ({})", policy.label, detail::percent(reached)));
  }
  if (missed.empty()) return {};
  return fmt::format("The precision of {} was not reached by {}: replications_max is {}\n",
                     detail::percent(*scenario.run.precision), detail::list_of(missed),
                     scenario.run.replications_max);
}

std::string footing(const scenario::Scenario& scenario, const experiment::PointResult& point) {
  const auto fewest = fewest_replications(point);
  const auto tasks = fewest == 0 ? 0 : point.policies.front().replications.front().tasks;
  auto text = how_many(fewest, "replication") + " of " + how_many(tasks, "task") + " per policy";
  if (std::ranges::all_of(point.policies, &experiment::PolicyResult::exact)) {
    text += ", as they leave nothing to chance";
  } else if (std::ranges::any_of(point.policies, &experiment::PolicyResult::exact)) {
    text += ", 1 of those that leave nothing to chance";
  }
  if (point.warm_up_tasks > 0)
    text += fmt::format(", the first {} left out as warm-up", point.warm_up_tasks);
  text += fmt::format("; ± is the half-width of the {:.0f}% confidence interval",
                      100 * experiment::kConfidence);
  if (!scenario.slo.empty())
    text += fmt::format("; SLO: {}", scenario::objectives_text(scenario.slo));
  return text + "\n" + missed_precision(scenario, point);
}

// Without a sweep: who meets the objectives.
std::string answer_at_point(const scenario::Scenario& scenario,
                            const experiment::PointResult& point) {
  std::vector<std::string> met, missed, unclear, not_measured;
  for (const auto& policy : point.policies) {
    switch (judge(policy, scenario.slo)) {
      case Verdict::met:
        met.push_back(policy.label);
        break;
      case Verdict::missed:
        missed.push_back(policy.label);
        break;
      case Verdict::unclear:
        unclear.push_back(policy.label);
        break;
      case Verdict::not_measured:
        not_measured.push_back(policy.label);
        break;
    }
  }
  std::string text = fmt::format("{} with {}: ", scenario::objectives_text(scenario.slo),
                                 detail::fleet_text(scenario.pool));
  std::vector<std::string> parts;
  if (missed.size() == point.policies.size()) {
    parts.emplace_back("no policy meets it");
  } else if (!met.empty() && !missed.empty()) {
    parts.push_back(
        fmt::format("met by {}, missed by {}", detail::list_of(met), detail::list_of(missed)));
  } else if (!met.empty() || !missed.empty()) {
    parts.push_back((met.empty() ? "missed by " : "met by ") +
                    detail::list_of(met.empty() ? missed : met));
  }
  if (!unclear.empty()) {
    parts.push_back("too close to call for " + detail::list_of(unclear) +
                    " (more replications would tell)");
  }
  if (!not_measured.empty()) {
    parts.push_back("not measured for " + detail::list_of(not_measured) +
                    ": no task came after the warm-up");
  }
  return text + join(parts, "; ") + ".\n";
}

// The value that a policy needs. Requires: there is one.
const std::string& value_at(const experiment::ExperimentResult& result,
                            const experiment::Smallest& answer) {
  std::size_t axis = 0;
  while (result.axes[axis].key != answer.key) ++axis;
  return result.points[answer.point.value_or(0)].values[axis];
}

std::string table_of_sweep(const scenario::Objective& objective,
                           const experiment::ExperimentResult& result,
                           const std::vector<experiment::Smallest>& answers) {
  Table table;
  table.add_column("policy", Table::Align::left);
  if (!answers.front().others.empty()) table.add_column("where", Table::Align::left);
  table.add_column("smallest " + answers.front().key);
  table.add_column(scenario::objective_text(objective));
  table.add_column("±");
  table.add_column("utilisation");
  for (const auto& answer : answers) {
    std::vector<std::string> cells{answer.policy};
    if (!answer.others.empty()) cells.push_back(answer.others);
    if (answer.point) {
      const auto& policies = result.points[*answer.point].policies;
      const auto policy =
          std::ranges::find(policies, answer.policy, &experiment::PolicyResult::label);
      const auto interval = policy->estimate(objective);
      for (auto cell : {value_at(result, answer), number(interval.center),
                        number(interval.half_width), detail::percent(policy->utilisation().center)})
        cells.push_back(std::move(cell));
    } else {
      cells.emplace_back(answer.beyond == Verdict::missed ? "none"
                                                          : detail::verdict_name(answer.beyond));
      for (int i = 0; i < 3; ++i) cells.emplace_back("-");
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

// Of whom it is not known what they need, and what would tell.
std::string not_known(const std::vector<experiment::Smallest>& answers) {
  const auto all = [&](bool point, Verdict beyond) {
    std::vector<std::string> policies;
    for (const auto& answer : answers) {
      if (answer.point.has_value() == point && answer.beyond == beyond)
        policies.push_back(answer.policy);
    }
    return policies;
  };
  std::string text;
  if (const auto unclear = all(false, Verdict::unclear); !unclear.empty()) {
    text +=
        fmt::format("{}: too close to call at the largest value; more replications would tell.\n",
                    detail::list_of(unclear));
  }
  if (const auto unsure = all(true, Verdict::unclear); !unsure.empty()) {
    text += fmt::format(
        "{}: the next smaller value is too close to call; more replications would tell.\n",
        detail::list_of(unsure));
  }
  if (const auto nothing = all(false, Verdict::not_measured); !nothing.empty()) {
    text += fmt::format("{}: not measured, as no task came after the warm-up.\n",
                        detail::list_of(nothing));
  }
  return text;
}

// With a sweep: who needs least, who most, who meets the objectives nowhere.
std::string answer_of_sweep(const scenario::Study& study,
                            const experiment::ExperimentResult& result,
                            const std::vector<experiment::Smallest>& answers) {
  const auto& slo = study.points.front().scenario.slo;
  const auto slo_text = scenario::objectives_text(slo);
  const experiment::Smallest* best = nullptr;
  const experiment::Smallest* worst = nullptr;
  std::vector<std::string> none;
  const auto size = [&](const experiment::Smallest& a) {
    return parse_number<double>(value_at(result, a)).value_or(0);
  };
  for (const auto& answer : answers) {
    if (!answer.point) {
      if (answer.beyond == Verdict::missed) none.push_back(answer.policy);
      continue;
    }
    if (best == nullptr || size(answer) < size(*best)) best = &answer;
    if (worst == nullptr || size(answer) > size(*worst)) worst = &answer;
  }
  auto text = table_of_sweep(slo.front(), result, answers) + "\n";
  if (best != nullptr) {
    const auto& least = value_at(result, *best);
    std::vector<std::string> winners;
    for (const auto& answer : answers) {
      if (answer.point && value_at(result, answer) == least) winners.push_back(answer.policy);
    }
    text += fmt::format("{} needs {} = {} with {}", slo_text, best->key, least,
                        detail::list_of(winners));
    if (const auto& most = value_at(result, *worst); most != least)
      text += fmt::format(", but {} with {}", most, worst->policy);
    text += ".\n";
    if (!none.empty())
      text += fmt::format("{}: not met at any value that was tried.\n", detail::list_of(none));
  } else if (none.size() == answers.size()) {
    text += fmt::format("No policy meets {} at any {} that was tried.\n", slo_text,
                        answers.front().key);
  } else {
    text += fmt::format("Whether {} can be met is not known.\n", slo_text);
  }
  return text + not_known(answers);
}

}  // namespace

std::string experiment_table(const scenario::Study& study,
                             const experiment::ExperimentResult& result) {
  std::string text;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const auto& scenario = study.points[p].scenario;
    const auto& point = result.points[p];
    const auto unit = fitting_unit(point);
    auto title = point_title(result, point);
    title = title.empty() ? scenario.name : scenario.name + ", " + title;
    text += fmt::format("{}: response time in {}\n", title, unit.name);
    text += policy_table(scenario, point, unit);
    text += footing(scenario, point);
    text += '\n';
  }
  if (!result.complete)
    text += "INCOMPLETE: stopped early; only finished replications are shown.\n";
  return text;
}

std::string experiment_answer(const scenario::Study& study,
                              const experiment::ExperimentResult& result) {
  if (!result.complete || study.points.empty()) return {};
  const auto answers = experiment::smallest_that_meets(study, result);
  if (!answers.empty()) return answer_of_sweep(study, result, answers);
  if (study.points.size() > 1 || study.points.front().scenario.slo.empty()) return {};
  return answer_at_point(study.points.front().scenario, result.points.front());
}

}  // namespace artel::report
