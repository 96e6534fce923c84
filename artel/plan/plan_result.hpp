#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {

/// One number of workers that was tried.
struct PlanTrial {
  std::uint32_t workers = 0;
  double load = 0;  ///< work offered / work that so many workers can do
  experiment::Verdict verdict = experiment::Verdict::unclear;
  experiment::PolicyResult
      result;  ///< what was measured; intervals are estimate(…, PlanResult::level)
};

/// The search for one policy with one queue bound.
struct PlanRow {
  scenario::PolicySpec policy;  ///< as in the scenario; label and bound tell the rows apart
  /// Of each worker, the running task included, or kUnbounded; nullopt: workers have different
  /// ones.
  std::optional<std::uint32_t> queue_bound;
  std::uint32_t workers_min = 1;          ///< fewer cannot keep up, or hold a task's copies
  std::vector<PlanTrial> trials;          ///< in order of workers
  std::optional<std::uint32_t> smallest;  ///< workers that meet the objectives; nullopt: not found
  /// Numbers that missed them though a smaller one met them: holes in the set of sizes that do. Of
  /// what was tried; one that is too close to call is none.
  std::vector<std::uint32_t> holes;
  bool complete = false;  ///< the search came to its end

  /// The trial with that many workers, or nullptr.
  [[nodiscard]] const PlanTrial* trial(std::uint32_t workers) const;
};

/// A fleet whose size goes by a policy.
struct ScaledFleet {
  std::string name;  ///< of the scaling policy: "hpa", or as it was asked for
  scenario::ScalingSettings scaling;
  std::vector<experiment::PolicyResult> policies;  ///< each dispatch policy with the same tasks
};

/// How many workers each policy needs.
struct PlanResult {
  scenario::Scenario scenario;           ///< the one asked about: its rate is that of every trial
  std::vector<scenario::Objective> slo;  ///< all of them have to be met
  bool rejected_implied = false;  ///< the last objective is not the user's: queues are bounded
  double confidence = 0;          ///< each verdict is right with that probability …
  double level = 0;  ///< … as its intervals have this one; they are looked at repeatedly
  std::uint32_t workers_max = 0;  ///< most that may be tried
  std::vector<PlanRow> rows;      ///< policies in the scenario's order, for each the queue bounds
  /// What the rows leave out: the scenario's scaling policy and those that were asked for; empty:
  /// there are none, or the plan was stopped.
  std::vector<ScaledFleet> scaled;
  bool complete = true;  ///< false: stopped early; what is known is here

  /// What so many workers cost per hour; nullopt without a price.
  [[nodiscard]] std::optional<double> cost_per_hour(double workers) const;
  /// Whether chance plays no part in any trial: replays without dice. There are some.
  [[nodiscard]] bool exact() const;
  /// Whether more workers than in that trial could change anything: a task waited for one, was
  /// turned away, or shared one with others; or workers differ. Of equal workers, each of which has
  /// begun every task at once, more make no difference.
  [[nodiscard]] bool more_may_help(const PlanTrial& trial) const;
  /// The row that needs the fewest workers, the first of several; nullptr: no policy meets the SLO.
  [[nodiscard]] const PlanRow* best() const;
};

}  // namespace artel::plan
