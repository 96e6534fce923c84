#include "artel/report/experiment_summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/experiment/smallest.hpp"
#include "artel/report/detail/fleet_text.hpp"
#include "artel/report/detail/list_of.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/objective_text.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::report {
namespace {

using scenario::Quantity;
using scenario::Statistic;

// "least_work_left" -> "least work left"
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string duration(double seconds) { return format_duration(from_seconds(seconds)); }

// "24 workers"; for other keys "dispatch.staleness = 5 s"
std::string amount(const std::string& key, const std::string& value) {
  if (key == "pool.workers") return value + (value == "1" ? " worker" : " workers");
  return fmt::format("{} = {}", key, value);
}

struct Need {
  std::string value;
  double number;
  std::vector<std::string> policies;
};

// The answers of one group, by what is needed, the least first; apart, who never meets it, and of
// whom that is not known.
struct Needs {
  std::vector<Need> met;
  std::vector<std::string> never;
  std::vector<std::string> unknown;
  std::string largest_tried;
};

Needs needs_of(const std::vector<experiment::Smallest>& answers,
               const experiment::ExperimentResult& result) {
  Needs needs;
  std::size_t axis = 0;
  while (result.axes[axis].key != answers.front().key) ++axis;
  for (const auto& answer : answers) {
    if (answer.others != answers.front().others) continue;
    if (!answer.point) {
      auto& list = answer.beyond == experiment::Verdict::missed ? needs.never : needs.unknown;
      list.push_back(spoken(answer.policy));
      continue;
    }
    const auto& value = result.points[*answer.point].values[axis];
    const auto same = std::ranges::find(needs.met, value, &Need::value);
    if (same != needs.met.end()) {
      same->policies.push_back(spoken(answer.policy));
    } else {
      needs.met.push_back(
          {value, parse_number<double>(value).value_or(0), {spoken(answer.policy)}});
    }
  }
  std::ranges::sort(needs.met, {}, &Need::number);
  const auto number_at = [&](const experiment::PointResult& point) {
    return parse_number<double>(point.values[axis]).value_or(0);
  };
  needs.largest_tried = std::ranges::max_element(result.points, {}, number_at)->values[axis];
  return needs;
}

std::string needs_text(const Need& need, const std::string& key) {
  return fmt::format("{} {} {}", detail::list_of(need.policies),
                     need.policies.size() == 1 ? "needs" : "need", amount(key, need.value));
}

std::string where_text(const std::string& others) {
  return others.empty() ? "" : fmt::format(" (where {})", others);
}

// "Central and least work left need 20 workers for p99 response <= 4.00 s; round robin needs 44
// workers, and random misses it even with 48 workers."
std::vector<std::string> answers_text(const scenario::Study& study,
                                      const experiment::ExperimentResult& result,
                                      const std::vector<experiment::Smallest>& answers) {
  const auto needs = needs_of(answers, result);
  const auto& key = answers.front().key;
  const auto slo = scenario::objectives_text(study.points.front().scenario.slo);
  const auto where = where_text(answers.front().others);
  const auto unknown = needs.unknown.empty()
                           ? std::string()
                           : fmt::format("; not known of {}: more tasks or replications would tell",
                                         detail::list_of(needs.unknown));
  if (needs.met.empty() && !unknown.empty()) {
    return {fmt::format("Whether {} can be met is not known{}{}.", slo, where, unknown)};
  }
  if (needs.met.empty()) {
    return {fmt::format("No policy meets {} at any {} that was tried{}.", slo, key, where)};
  }
  auto headline = capitalised(needs_text(needs.met.front(), key)) + fmt::format(" for {}", slo);
  if (needs.met.size() > 1) headline += "; " + needs_text(needs.met.back(), key);
  if (!needs.never.empty()) {
    headline +=
        fmt::format("{} {} {} it even with {}", needs.met.size() > 1 ? ", and" : ";",
                    detail::list_of(needs.never), needs.never.size() == 1 ? "misses" : "miss",
                    amount(key, needs.largest_tried));
  }
  std::vector<std::string> sentences{headline + where + unknown + "."};
  if (needs.met.size() > 2) {
    std::vector<std::string> between;
    for (std::size_t i = 1; i + 1 < needs.met.size(); ++i) {
      between.push_back(
          fmt::format("{} for {}", needs.met[i].value, detail::list_of(needs.met[i].policies)));
    }
    sentences.push_back(fmt::format("In between: {}.", join(between, ", ")));
  }
  return sentences;
}

// "With pool.workers = 20 the mean response is …": who is fastest and who slowest.
std::string comparison_text(const experiment::ExperimentResult& result,
                            const experiment::PointResult& point) {
  const auto value = [](const experiment::PolicyResult& policy, Statistic statistic) {
    return policy.estimate(Quantity::response, statistic).center;
  };
  const experiment::PolicyResult* best = nullptr;
  const experiment::PolicyResult* worst = nullptr;
  for (const auto& policy : point.policies) {
    if (policy.tasks() == 0) continue;
    if (best == nullptr || value(policy, Statistic::p99) < value(*best, Statistic::p99))
      best = &policy;
    if (worst == nullptr || value(policy, Statistic::p99) > value(*worst, Statistic::p99))
      worst = &policy;
  }
  if (best == nullptr) return {};
  std::string at;
  for (std::size_t a = 0; a < result.axes.size(); ++a)
    at += (a == 0 ? "With " : ", ") + amount(result.axes[a].key, point.values[a]);
  auto text =
      fmt::format("{}{} keeps the 99th percentile of the response time at {} (mean {})",
                  at.empty() ? "" : at + ", ",
                  at.empty() ? capitalised(spoken(best->label)) : spoken(best->label),
                  duration(value(*best, Statistic::p99)), duration(value(*best, Statistic::mean)));
  if (worst != best) {
    text += fmt::format(", {} at {} (mean {}), {:.3g} times as long", spoken(worst->label),
                        duration(value(*worst, Statistic::p99)),
                        duration(value(*worst, Statistic::mean)),
                        value(*worst, Statistic::p99) / value(*best, Statistic::p99));
  }
  return text + ".";
}

std::string verdicts_text(const scenario::Scenario& scenario,
                          const experiment::PointResult& point) {
  std::vector<std::string> met, missed, unclear, not_measured;
  for (const auto& policy : point.policies) {
    const auto verdict = judge(policy, scenario.slo);
    auto& list = verdict == experiment::Verdict::met       ? met
                 : verdict == experiment::Verdict::missed  ? missed
                 : verdict == experiment::Verdict::unclear ? unclear
                                                           : not_measured;
    list.push_back(spoken(policy.label));
  }
  const auto slo = scenario::objectives_text(scenario.slo);
  auto text = met.empty() ? fmt::format("No policy is sure to meet {}", slo)
                          : fmt::format("{} {} {}", capitalised(detail::list_of(met)),
                                        met.size() == 1 ? "meets" : "meet", slo);
  text += fmt::format(" with {}", detail::fleet_text(scenario.pool));
  if (!missed.empty())
    text +=
        fmt::format("; {} {} it", detail::list_of(missed), missed.size() == 1 ? "misses" : "miss");
  if (!unclear.empty())
    text += fmt::format("; too close to call for {}: more replications would tell",
                        detail::list_of(unclear));
  if (!not_measured.empty())
    text += fmt::format("; not measured for {}: no task came after the warm-up",
                        detail::list_of(not_measured));
  return text + ".";
}

// "pool.workers: 16, 20, … 48 (9 values)"
std::string sweep_text(const scenario::SweepAxis& axis) {
  constexpr std::size_t kAllOf = 5;
  const auto& values = axis.values;
  if (values.size() <= kAllOf) return fmt::format("{}: {}", axis.key, join(values, ", "));
  return fmt::format("{}: {}, {}, … {} ({} values)", axis.key, values[0], values[1], values.back(),
                     values.size());
}

// The point where every policy has most replications, the first of several.
std::size_t best_known(const experiment::ExperimentResult& result) {
  const auto best = std::ranges::max_element(result.points, {}, fewest_replications);
  return static_cast<std::size_t>(best - result.points.begin());
}

std::string arrivals_text(const scenario::Workload& workload) {
  const auto rate = workload.rate < 1e4 ? fmt::format("{:.4g} per second", workload.rate)
                                        : fmt::format("{:.0f} per second", workload.rate);
  struct Words {
    const scenario::Workload& workload;
    const std::string& rate;
    std::string operator()(const scenario::PoissonArrivals&) const { return "Poisson, " + rate; }
    std::string operator()(const scenario::ConstantArrivals&) const {
      return "evenly spaced, " + rate;
    }
    std::string operator()(const scenario::MmppArrivals&) const { return "bursty (MMPP), " + rate; }
    std::string operator()(const scenario::TimetableArrivals&) const {
      return "Poisson by the clock, " + rate + " on average";
    }
    std::string operator()(const scenario::RenewalArrivals& renewal) const {
      return fmt::format("gaps in seconds: {}, {}", renewal.gap.describe(), rate);
    }
    std::string operator()(const scenario::SummedArrivals& sum) const {
      return fmt::format("{} sources, {}", sum.sources.size(), rate);
    }
    std::string operator()(const scenario::ClosedArrivals& closed) const {
      return fmt::format("{}, up to {}", how_many(closed.users, "user"), rate);
    }
    std::string operator()(const scenario::TraceArrivals& trace) const {
      auto text = fmt::format("recorded, {}", how_many(workload.trace->arrivals.size(), "row"));
      if (trace.scale != 1) text += fmt::format(", {:.3g} times as fast", trace.scale);
      return text + ", " + rate;
    }
  };
  auto text = std::visit(Words{workload, rate}, workload.arrivals);
  const double batch = scenario::mean_batch(workload.batch);
  if (batch > 1) text += fmt::format(", in batches of {:.3g} on average", batch);
  return text;
}

}  // namespace

std::vector<std::string> experiment_summary(const scenario::Study& study,
                                            const experiment::ExperimentResult& result) {
  std::vector<std::string> sentences;
  const auto point = point_of_interest(study, result);
  const auto& scenario = study.points[point].scenario;
  if (result.complete) {
    const auto answers = experiment::smallest_that_meets(study, result);
    if (!answers.empty()) {
      sentences = answers_text(study, result, answers);
    } else if (!scenario.slo.empty() && study.points.size() == 1) {
      sentences.push_back(verdicts_text(scenario, result.points[point]));
    }
  } else {
    sentences.emplace_back(
        "Stopped early: only the replications that were finished are shown, and no answer is drawn "
        "from them.");
  }
  sentences.push_back(comparison_text(result, result.points[point]));
  std::erase(sentences, std::string());
  return sentences;
}

std::size_t fewest_replications(const experiment::PointResult& point) {
  if (point.policies.empty()) return 0;
  std::size_t fewest = SIZE_MAX;
  for (const auto& policy : point.policies) {
    const auto count = policy.replications.size();
    if (!policy.exact || count == 0) fewest = std::min(fewest, count);
  }
  return fewest == SIZE_MAX ? point.policies.front().replications.size() : fewest;
}

std::size_t point_of_interest(const scenario::Study& study,
                              const experiment::ExperimentResult& result) {
  const auto last = result.points.size() - 1;
  if (!result.complete) return best_known(result);
  std::size_t best = last;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& answer : experiment::smallest_that_meets(study, result)) {
    if (!answer.point) continue;
    std::size_t axis = 0;
    while (result.axes[axis].key != answer.key) ++axis;
    const double number =
        parse_number<double>(result.points[*answer.point].values[axis]).value_or(0);
    if (number >= least) continue;
    least = number;
    best = *answer.point;
  }
  return best;
}

Facts workload_facts(const scenario::Workload& workload) {
  return {{"Arrivals", arrivals_text(workload)},
          {"Mean service time", duration(workload.mean_service_s)}};
}

Facts experiment_facts(const scenario::Study& study, const experiment::ExperimentResult& result) {
  const auto at = point_of_interest(study, result);
  const auto& scenario = study.points[at].scenario;
  const auto& point = result.points[at];
  std::uint64_t tasks = 0;
  std::size_t replications = 0;
  for (const auto& policy : point.policies) {
    replications = std::max(replications, policy.replications.size());
    if (!policy.replications.empty()) tasks = policy.replications.front().tasks;
  }
  auto facts = workload_facts(scenario.workload);
  facts.emplace_back("Policies", fmt::format("{}", point.policies.size()));
  facts.emplace_back("Runs",
                     fmt::format("{} of {} per policy", replications, how_many(tasks, "task")));
  facts.emplace_back("Seed", fmt::format("{}", static_cast<std::uint64_t>(scenario.run.seed)));
  if (point.warm_up_tasks > 0)
    facts.emplace_back("Warm-up", fmt::format("first {} tasks left out", point.warm_up_tasks));
  const auto swept = [&](const std::string& key) {
    return std::ranges::find(study.axes, key, &scenario::SweepAxis::key) != study.axes.end();
  };
  if (!swept("pool.workers")) facts.emplace_back("Workers", detail::size_text(scenario.pool));
  for (const auto& axis : study.axes) facts.emplace_back("Swept", sweep_text(axis));
  return facts;
}

}  // namespace artel::report
