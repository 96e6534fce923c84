#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// How far a plan has come.
struct PlanProgress {
  std::size_t settled = 0;  ///< rows whose search is over
  std::size_t rows = 0;
  std::size_t replications = 0;  ///< run so far
  double under_way = 0;          ///< of those begun, the parts that are over, added up
};

/// What a plan is to meet, what it may try, and how it is run.
struct PlanOptions {
  std::vector<scenario::Objective> slo{};       ///< empty: the scenario's
  double confidence = experiment::kConfidence;  ///< with which each verdict is to be right
  std::vector<std::uint32_t> queue_bounds{};    ///< to try for every policy; empty: what it has
  std::vector<ScaledFleet> fleets{};  ///< to measure besides; empty: the scenario's, if it has one
  std::uint32_t workers_max = kPlanWorkersMax;  ///< larger pools are not tried
  unsigned jobs = 1;                            ///< threads; results do not depend on it
  std::stop_token stop{};                       ///< asked to stop: the plan ends with what is known
  std::function<void(const PlanProgress&)> progress{};  ///< from any thread, one at a time

  /// What a pool of threads can have.
  static constexpr std::uint32_t kPlanWorkersMax = 4096;
};

/// Looked at again with twice as many replications, so often, is what is too close to call.
inline constexpr unsigned kPlanDoublings = 3;

/// Where tasks can be turned away and no objective says how many may: this share of them.
inline constexpr double kPlanRejected = 0.001;

/// Finds how many workers each policy needs, with each of the queue bounds, to meet the objectives.
///
/// What arrives stays as the scenario has it, whatever the number of workers (a load becomes a rate
/// in the scenario's own pool), and every number of workers sees the same tasks at the same times:
/// common random numbers. Each trial is replicated `run.replications` times (at least 5), and twice
/// as often up to kPlanDoublings times while the verdict is unclear. As that is four looks at most,
/// the intervals have the level 1 - (1 - confidence) / 4, so that each verdict is right with the
/// confidence asked. A verdict that stays unclear counts as not met. The scenario's [sweep] and
/// run.precision play no part. What scaling policies make of the same tasks is measured besides.
/// Cost:   about log2(workers) trials per row; see next_workers().
/// Errors: no objectives, or a confidence or a bound on workers that makes no sense.
[[nodiscard]] Result<PlanResult> plan(const scenario::Scenario& scenario,
                                      const PlanOptions& options);

}  // namespace artel::plan
