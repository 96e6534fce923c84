#include "artel/plan/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/plan/next_workers.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/scale_fleet.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"

namespace artel::plan {
namespace {

constexpr std::uint32_t kReplicationsMin = 5;  // fewer give intervals too wide to be of use

// One trial that is under way.
struct Attempt {
  PlanRow* row;
  std::uint32_t workers;
};

// The state of one plan.
class Planner {
 public:
  Planner(PlanResult result, const PlanOptions& options)
      : result_(std::move(result)),
        options_(options),
        runner_(experiment::pool_runner(options.jobs)) {}

  PlanResult run() {
    while (result_.complete) {
      std::vector<Attempt> attempts;
      for (auto& row : result_.rows) {
        if (const auto workers = next(row)) attempts.push_back({&row, *workers});
      }
      if (attempts.empty()) break;
      try_all(std::move(attempts));
    }
    measure_scaled();
    return std::move(result_);
  }

 private:
  // What to try next in this row; nullopt: nothing, it is settled.
  std::optional<std::uint32_t> next(PlanRow& row) {
    if (row.complete) return std::nullopt;
    std::optional<std::uint32_t> workers;
    if (row.workers_min <= options_.workers_max && !cannot_be_met(row)) {
      workers = next_workers(
          row.trials,
          {.first = first_guess(row), .min = row.workers_min, .max = options_.workers_max});
    }
    row.complete = !workers;
    progress_.settled += row.complete ? 1 : 0;
    return workers;
  }

  // More workers than were tried change nothing, and these do not do.
  [[nodiscard]] bool cannot_be_met(const PlanRow& row) const {
    return !row.trials.empty() && row.trials.back().verdict == experiment::Verdict::missed &&
           !result_.more_may_help(row.trials.back());
  }

  // By the rule of thumb for central queues, load + sqrt(load) in units of a worker's work.
  [[nodiscard]] std::uint32_t first_guess(const PlanRow& row) const {
    const auto& scenario = result_.scenario;
    const auto workers = static_cast<double>(scenario.pool.speeds.size());
    const double busy = scenario.load() * workers;
    const double guess = std::ceil(busy + std::sqrt(busy));
    return std::max(row.workers_min,
                    static_cast<std::uint32_t>(std::min<double>(guess, options_.workers_max)));
  }

  [[nodiscard]] scenario::StudyPoint point_of(const Attempt& attempt) const {
    scenario::StudyPoint point;
    point.scenario = result_.scenario;
    point.scenario.pool = detail::resized(result_.scenario.pool, attempt.workers);
    point.scenario.dispatch.policies = {attempt.row->policy};
    return point;
  }

  // Replicates every attempt until its verdict is clear, and puts those that got one into their
  // rows.
  void try_all(std::vector<Attempt> attempts) {
    scenario::Study study;
    for (const auto& attempt : attempts) study.points.push_back(point_of(attempt));
    std::optional<experiment::ExperimentResult> known;
    for (unsigned look = 0; !attempts.empty(); ++look) {
      const auto before = progress_.replications;
      auto measured = experiment::run_experiment(
          study, {.stop = options_.stop,
                  .progress =
                      [&](const experiment::ExperimentProgress& progress) {
                        progress_.replications = before + progress.done;
                        progress_.under_way = progress.under_way;
                        if (options_.progress) options_.progress(progress_);
                      },
                  .resume = known ? &*known : nullptr,
                  .runner = runner_});
      if (!measured.complete) {
        result_.complete = false;
        return;
      }
      std::vector<Attempt> unclear;
      scenario::Study again;
      experiment::ExperimentResult so_far;
      for (std::size_t i = 0; i < attempts.size(); ++i) {
        auto& point = measured.points[i];
        const auto verdict = experiment::judge(point.policies.front(), result_.slo, result_.level);
        if (verdict == experiment::Verdict::unclear && look < kPlanDoublings) {
          unclear.push_back(attempts[i]);
          again.points.push_back(std::move(study.points[i]));
          auto& run = again.points.back().scenario.run;
          run.replications_max = run.replications *= 2;
          so_far.points.push_back(std::move(point));
        } else {
          settle(attempts[i], study.points[i].scenario.load(), verdict,
                 std::move(point.policies.front()));
        }
      }
      attempts = std::move(unclear);
      study = std::move(again);
      known = std::move(so_far);
    }
  }

  // As often as the trials that were looked at once.
  void measure_scaled() {
    auto& fleets = result_.scaled;
    scenario::Study study;
    for (const auto& fleet : fleets) {
      auto& scenario = study.points.emplace_back().scenario;
      scenario = result_.scenario;
      set_scaling(scenario, fleet.scaling);
    }
    const auto measured =
        result_.complete && !fleets.empty()
            ? experiment::run_experiment(study, {.stop = options_.stop, .runner = runner_})
            : experiment::ExperimentResult{.complete = result_.complete};
    result_.complete = measured.complete;
    if (!measured.complete) fleets.clear();
    for (std::size_t i = 0; i < fleets.size(); ++i)
      fleets[i].policies = measured.points[i].policies;
  }

  static void settle(const Attempt& attempt, double load, experiment::Verdict verdict,
                     experiment::PolicyResult measured) {
    auto& row = *attempt.row;
    const auto place =
        std::find_if(row.trials.begin(), row.trials.end(),
                     [&](const PlanTrial& trial) { return trial.workers > attempt.workers; });
    row.trials.insert(place, {.workers = attempt.workers,
                              .load = load,
                              .verdict = verdict,
                              .result = std::move(measured)});
    row.smallest = smallest_met(row.trials);
    row.holes = holes(row.trials);
  }

  PlanResult result_;
  const PlanOptions& options_;
  experiment::ReplicationRunner runner_;
  PlanProgress progress_{.rows = result_.rows.size()};
};

std::vector<PlanRow> rows_of(const scenario::Scenario& scenario, const PlanOptions& options) {
  std::vector<PlanRow> rows;
  for (const auto& policy : scenario.dispatch.policies) {
    std::vector<scenario::PolicySpec> specs;
    if (options.queue_bounds.empty() || policy.name == scenario::kCentral) {
      specs.push_back(policy);
    } else {
      for (const auto bound : options.queue_bounds) {
        specs.push_back(policy);
        specs.back().queue_bound = bound;
      }
    }
    for (auto& spec : specs) {
      PlanRow row;
      row.queue_bound = detail::queue_bound_of(scenario.pool, spec);
      row.workers_min = detail::fewest_workers(scenario, spec, options.workers_max)
                            .value_or(options.workers_max + 1);
      row.policy = std::move(spec);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

Result<PlanResult> plan(const scenario::Scenario& scenario, const PlanOptions& options) {
  constexpr double kConfidenceMin = 0.5;
  constexpr double kConfidenceMax = 0.9999;
  constexpr std::uint32_t kWorkersMax = 100'000;  // as in a scenario
  if (!(options.confidence >= kConfidenceMin && options.confidence <= kConfidenceMax)) {
    return fail(ErrorCode::invalid,
                fmt::format("confidence: found {}, allowed: from {} to {}", options.confidence,
                            kConfidenceMin, kConfidenceMax));
  }
  if (options.workers_max < 1 || options.workers_max > kWorkersMax) {
    return fail(ErrorCode::invalid, fmt::format("most workers: found {}, allowed: from 1 to {}",
                                                options.workers_max, kWorkersMax));
  }
  PlanResult result;
  result.scenario = scenario;
  auto& run = result.scenario.run;
  run.replications = std::max(run.replications, kReplicationsMin);
  run.replications_max = run.replications;
  run.precision.reset();
  result.slo = options.slo.empty() ? scenario.slo : options.slo;
  if (result.slo.empty()) {
    return fail(ErrorCode::invalid,
                "there is no objective to meet; give one, like p99<80ms, or [slo] in the scenario");
  }
  result.confidence = options.confidence;
  result.level = 1 - (1 - options.confidence) / (kPlanDoublings + 1);
  result.workers_max = options.workers_max;
  result.rows = rows_of(result.scenario, options);
  result.scaled = options.fleets;
  if (const auto& own = scenario.pool.scaling; own && result.scaled.empty())
    result.scaled.push_back({.name = std::string(scaling::name(own->policy)), .scaling = *own});
  const auto turns_away = [&](const PlanRow& row) {
    return !scenario::takes_all(result.scenario.pool, row.policy);
  };
  const auto of_rejected = [](const scenario::Objective& o) {
    return o.quantity == scenario::Quantity::rejected || o.quantity == scenario::Quantity::failed;
  };
  if (std::any_of(result.rows.begin(), result.rows.end(), turns_away) &&
      std::none_of(result.slo.begin(), result.slo.end(), of_rejected)) {
    result.slo.push_back({.name = "rejected",
                          .quantity = scenario::Quantity::rejected,
                          .statistic = scenario::Statistic::mean,
                          .limit = kPlanRejected});
    result.rejected_implied = true;
  }
  return Planner(std::move(result), options).run();
}

}  // namespace artel::plan
