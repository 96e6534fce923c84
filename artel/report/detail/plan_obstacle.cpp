#include "artel/report/detail/plan_obstacle.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/change_rate.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/report/detail/list_of.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/objective_text.hpp"
#include "artel/scenario/stage_settings.hpp"

namespace artel::report::detail {
namespace {

using experiment::Verdict;
using plan::PlanResult;
using plan::PlanRow;
using plan::PlanTrial;

// Of an objective of a stage: its number, 0 is [pool]; of others: as many as there are.
std::size_t stage_of(const PlanResult& plan, const scenario::Objective& objective) {
  const auto classes = plan.scenario.workload.classes.size();
  if (!objective.of_class || objective.of_class->number < classes)
    return plan.scenario.stages.size() + 1;
  return objective.of_class->number - classes;
}

// Whether no task waited for a worker of that stage, which is not the first.
bool never_waits(const PlanResult& plan, const PlanTrial& trial, std::size_t stage) {
  const auto group = plan.scenario.workload.classes.size() + stage;
  const auto of_stage = trial.result.of_class(group);
  const auto& waits = of_stage.times.waits.all();
  return features_of(plan.scenario.stages[stage - 1].pool.worker).empty() && !waits.empty() &&
         waits.max() == 0;
}

// Why a stage after [pool] does not meet its objective.
std::string of_fixed_stage(const PlanResult& plan, const PlanTrial& trial, std::size_t number,
                           bool of_times) {
  const auto& stage = plan.scenario.stages[number - 1];
  const double load = stage.load(plan.scenario.workload.rate);
  if (load >= 1) return fmt::format(", which has a load of {:.3g}", load);
  if (of_times && never_waits(plan, trial, number)) return ", of which the work alone takes longer";
  return fmt::format(", which keeps its {}", how_many(stage.pool.speeds.size(), "worker"));
}

// What the stages after [pool] take of a response.
std::string times_of_stages(const PlanResult& plan, const PlanTrial& trial,
                            const scenario::Objective& objective) {
  std::vector<std::string> times;
  for (std::size_t number = 0; number <= plan.scenario.stages.size(); ++number) {
    auto of = objective;
    of.of_class = {
        .number = plan.scenario.workload.classes.size() + number,
        .name = number == 0 ? scenario::kFirstStage : plan.scenario.stages[number - 1].name};
    times.push_back(fmt::format("{} {}", of.of_class->name,
                                value_text(of, trial.result.estimate(of, plan.level).center)));
  }
  return fmt::format(", though no task waits for [pool]: {}", list_of(times));
}

// What more workers cannot change of it; nothing: they may do.
std::string reason(const PlanResult& plan, const PlanTrial& trial,
                   const scenario::Objective& objective) {
  const auto& stages = plan.scenario.stages;
  const bool of_times = !scenario::is_share(objective.quantity);
  const auto stage = stage_of(plan, objective);
  if (stage > 0 && stage <= stages.size()) return of_fixed_stage(plan, trial, stage, of_times);
  if (plan.more_may_help(trial) || !of_times) return "";
  if (stage > stages.size() && !stages.empty()) return times_of_stages(plan, trial, objective);
  return ", and the work alone takes longer, however many workers";
}

// The objectives with that verdict, with what was measured: "p99 response is 4.21 s, and …".
std::string objectives_with(const PlanResult& plan, const PlanTrial& trial, Verdict verdict) {
  std::vector<std::string> texts;
  for (const auto& objective : plan.slo) {
    if (judge(trial.result, objective, plan.level) != verdict) continue;
    const auto value = trial.result.estimate(objective, plan.level);
    texts.push_back(fmt::format("{} is {}", scenario::objective_name(objective),
                                value_text(objective, value.center)));
    texts.back() += verdict == Verdict::unclear
                        ? fmt::format(" ± {}", value_text(objective, value.half_width))
                        : reason(plan, trial, objective);
  }
  return join(texts, "; ");
}

}  // namespace

std::string value_text(const scenario::Objective& objective, double value) {
  if (!std::isfinite(value)) return "-";
  return scenario::is_share(objective.quantity) ? percent(value)
                                                : format_duration(from_seconds(value));
}

std::vector<std::string> met_below(const PlanRow& row) {
  std::vector<std::string> sizes;
  for (const auto& trial : row.trials) {
    if (row.smallest && trial.workers >= *row.smallest) break;
    if (trial.verdict == Verdict::met) sizes.push_back(std::to_string(trial.workers));
  }
  return sizes;
}

std::string though_smaller_met(const PlanRow& row) {
  const auto sizes = met_below(row);
  return sizes.empty() ? "" : fmt::format(", though {} met it", list_of(sizes));
}

std::string plan_obstacle(const PlanResult& plan, const PlanRow& row) {
  const auto most = how_many(plan.workers_max, "worker");
  if (row.trials.empty()) {
    auto largest = plan.scenario;
    plan::change_workers(largest, plan.workers_max);
    return largest.load() >= 1 ? most + ", the most allowed, cannot keep up with what arrives"
                               : most +
                                     ", the most allowed, cannot hold the copies of a task or "
                                     "spare one for ejection";
  }
  const auto& last = row.trials.back();
  if (last.verdict == Verdict::not_measured)
    return "nothing was measured: no task came after the warm-up";
  const auto workers = how_many(last.workers, "worker");
  if (last.verdict == Verdict::unclear)
    return fmt::format("too close to call with {}{}: {}", workers, though_smaller_met(row),
                       objectives_with(plan, last, Verdict::unclear));
  return fmt::format(
      "not met with {}, {}: {}", workers,
      plan.more_may_help(last) ? "the most allowed" : "with which no task waits for one",
      objectives_with(plan, last, Verdict::missed));
}

std::string fixed_stages(const PlanResult& plan) {
  const auto& stages = plan.scenario.stages;
  if (stages.empty()) return "";
  std::vector<std::string> sizes;
  for (const auto& stage : stages) {
    sizes.push_back(
        fmt::format("{} ({})", stage.name, how_many(stage.pool.speeds.size(), "worker")));
  }
  return fmt::format(
      "Only the workers of [pool] were varied, not those of {}: change them by --set "
      "stages.0.pool.workers=N.\n",
      list_of(sizes));
}

}  // namespace artel::report::detail
