#include "artel/report/experiment_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/experiment/smallest.hpp"
#include "artel/report/detail/objective_text.hpp"
#include "artel/report/table.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {
namespace {

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

// Four significant digits without an exponent.
std::string number(double value) {
  if (!std::isfinite(value)) return "n/a";
  const double size = std::abs(value);
  const int before_point = size < 1 ? 1 : 1 + static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{:.{}f}", value, std::clamp(4 - before_point, 0, 3));
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::met:
      return "yes";
    case Verdict::missed:
      return "no";
    case Verdict::unclear:
      return "unclear";
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

std::string policy_table(const scenario::Scenario& scenario, const experiment::PointResult& point,
                         const TimeUnit& unit) {
  Table table;
  table.add_column("policy", Table::Align::left);
  for (const auto* title :
       {"mean", "±", "p50", "p95", "p99", "±", "max", "mean wait", "utilisation", "rejected"}) {
    table.add_column(title);
  }
  if (!scenario.slo.empty()) table.add_column("SLO met", Table::Align::left);

  for (const auto& policy : point.policies) {
    const auto response = [&](Statistic statistic) {
      auto interval = policy.estimate(Quantity::response, statistic);
      interval.center *= unit.per_second;
      interval.half_width *= unit.per_second;
      return interval;
    };
    const auto mean = response(Statistic::mean);
    const auto p99 = response(Statistic::p99);
    std::vector<std::string> cells{
        policy.label,
        number(mean.center),
        number(mean.half_width),
        number(response(Statistic::p50).center),
        number(response(Statistic::p95).center),
        number(p99.center),
        number(p99.half_width),
        number(policy.response_max() * unit.per_second),
        number(policy.estimate(Quantity::wait, Statistic::mean).center * unit.per_second),
        detail::percent(policy.utilisation().center),
        detail::percent(policy.estimate(Quantity::rejected, Statistic::mean).center)};
    if (policy.replications.empty()) std::fill(cells.begin() + 1, cells.end(), "-");
    if (!scenario.slo.empty())
      cells.emplace_back(verdict_text(experiment::judge(policy, scenario.slo)));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string footing(const scenario::Scenario& scenario, const experiment::PointResult& point) {
  std::size_t fewest = point.policies.empty() ? 0 : point.policies.front().replications.size();
  for (const auto& policy : point.policies) fewest = std::min(fewest, policy.replications.size());
  auto text = fmt::format("{} replications of {} tasks per policy", fewest,
                          fewest == 0 ? 0 : point.policies.front().replications.front().tasks);
  if (point.warm_up_tasks > 0)
    text += fmt::format(", the first {} left out as warm-up", point.warm_up_tasks);
  text += fmt::format("; ± is the half-width of the {:.0f}% confidence interval",
                      100 * experiment::kConfidence);
  if (!scenario.slo.empty())
    text += fmt::format("; SLO: {}", detail::objectives_text(scenario.slo));
  return text + "\n";
}

// Without a sweep: who meets the objectives.
std::string answer_at_point(const scenario::Scenario& scenario,
                            const experiment::PointResult& point) {
  std::vector<std::string> met, missed, unclear;
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
    }
  }
  std::string text = fmt::format("{} with {} workers: ", detail::objectives_text(scenario.slo),
                                 scenario.pool.speeds.size());
  text += met.empty() ? "no policy meets it" : "met by " + detail::list_of(met);
  if (!met.empty() && !missed.empty()) text += ", missed by " + detail::list_of(missed);
  if (!unclear.empty())
    text +=
        "; too close to call for " + detail::list_of(unclear) + " (more replications would tell)";
  return text + ".\n";
}

std::string answer_of_sweep(const scenario::Study& study,
                            const experiment::ExperimentResult& result,
                            const std::vector<experiment::Smallest>& answers) {
  const auto& slo = study.points.front().scenario.slo;
  Table table;
  table.add_column("policy", Table::Align::left);
  if (!answers.front().others.empty()) table.add_column("where", Table::Align::left);
  table.add_column("smallest " + answers.front().key);
  table.add_column(detail::objective_text(slo.front()));
  table.add_column("±");
  table.add_column("utilisation");

  std::size_t axis = 0;
  while (result.axes[axis].key != answers.front().key) ++axis;
  const auto value_at = [&](const experiment::Smallest& answer) {
    return result.points[*answer.point].values[axis];
  };
  const experiment::Smallest* best = nullptr;
  const experiment::Smallest* worst = nullptr;
  std::vector<std::string> none;
  for (const auto& answer : answers) {
    std::vector<std::string> cells{answer.policy};
    if (!answer.others.empty()) cells.push_back(answer.others);
    if (!answer.point) {
      none.push_back(answer.policy);
      for (const auto* cell : {"none", "-", "-", "-"}) cells.emplace_back(cell);
    } else {
      const auto& policies = result.points[*answer.point].policies;
      const auto policy = std::find_if(policies.begin(), policies.end(),
                                       [&](const auto& p) { return p.label == answer.policy; });
      const auto interval = policy->estimate(slo.front().quantity, slo.front().statistic);
      for (auto cell : {value_at(answer), number(interval.center), number(interval.half_width),
                        detail::percent(policy->utilisation().center)}) {
        cells.push_back(std::move(cell));
      }
      const auto size = [&](const experiment::Smallest& a) { return std::stod(value_at(a)); };
      if (best == nullptr || size(answer) < size(*best)) best = &answer;
      if (worst == nullptr || size(answer) > size(*worst)) worst = &answer;
    }
    table.add_row(std::move(cells));
  }

  auto text = table.text() + "\n";
  if (best == nullptr) {
    return text + fmt::format("No policy meets {} at any {} that was tried.\n",
                              detail::objectives_text(slo), answers.front().key);
  }
  std::vector<std::string> winners;
  for (const auto& answer : answers) {
    if (answer.point && value_at(answer) == value_at(*best)) winners.push_back(answer.policy);
  }
  text += fmt::format("{} needs {} = {} with {}", detail::objectives_text(slo), best->key,
                      value_at(*best), detail::list_of(winners));
  if (value_at(*worst) != value_at(*best))
    text += fmt::format(", but {} with {}", value_at(*worst), worst->policy);
  text += ".\n";
  if (!none.empty())
    text += fmt::format("{}: not met at any value that was tried.\n", detail::list_of(none));
  return text;
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
