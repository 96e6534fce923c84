#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/stat/interval.hpp"
#include "artel/stat/replicated_histogram.hpp"

namespace artel::experiment {

/// Confidence level of every interval that an experiment reports, unless another one is asked for.
inline constexpr double kConfidence = 0.99;

/// The times of tasks of several replications, in ns.
struct ReplicatedTimes {
  stat::ReplicatedHistogram responses{fleet::kHistogramBits};  ///< from arrival to end
  /// From arrival to the start of the service.
  stat::ReplicatedHistogram waits{fleet::kHistogramBits};

  void add(std::uint32_t replication, const fleet::CountedTimes& times);  ///< in any order
};

/// What is known of one policy at one point of a study.
struct PolicyResult {
  std::string label;  ///< of the policy: "jsq(2)"
  /// Nothing in a run is left to chance (see is_exact): one replication says it all, so there is
  /// one, and intervals have no width.
  bool exact = false;
  std::vector<fleet::Replication> replications;  ///< in order of Replication::index
  ReplicatedTimes times;                         ///< of all tasks
  std::vector<ReplicatedTimes> class_times{};    ///< of each class; empty: no replication is known
  /// Takes a replication over that is not known yet.
  void add(const ReplicationOutcome& outcome);
  [[nodiscard]] std::uint64_t tasks() const;  ///< counted, over all replications
  /// One class of tasks as if there were no others: to be estimated and judged like the whole.
  /// Utilisation and numbers in system are the whole's. Requires: it is one of the scenario's.
  [[nodiscard]] PolicyResult of_class(std::size_t task_class) const;
  /// Of the replications that counted a task; the centre is NaN if none did. Quantiles are those
  /// of all tasks together, everything else is a mean over replications.
  [[nodiscard]] stat::Interval estimate(scenario::Quantity quantity, scenario::Statistic statistic,
                                        double level = kConfidence) const;
  /// What an objective is about: of its class, if it has one.
  [[nodiscard]] stat::Interval estimate(const scenario::Objective& objective,
                                        double level = kConfidence) const;
  /// Means over replications, at kConfidence: utilisation() of the workers, 0 to 1;
  /// wait_probability() of a task, 0 to 1; in_system(), tasks on average over time; workers(),
  /// those that cost something.
  [[nodiscard]] stat::Interval utilisation() const;
  [[nodiscard]] stat::Interval wait_probability() const;
  [[nodiscard]] stat::Interval in_system() const;
  [[nodiscard]] stat::Interval workers() const;
  /// Attempts per task; 0 where callers send only one.
  [[nodiscard]] stat::Interval attempts() const;
  /// Share, 0 to 1, of what tasks began with that was in their workers' caches; NaN where workers
  /// have none.
  [[nodiscard]] stat::Interval hit_ratio() const;
  /// Tasks that completed, and in time, per second.
  [[nodiscard]] stat::Interval goodput() const;
  [[nodiscard]] double response_max() const;  ///< seconds, over all replications; NaN likewise
};

/// Whether an objective is met, given that the simulation knows its value only to within an
/// interval.
enum class Verdict : std::uint8_t {
  met,           ///< the whole interval is within the limit
  missed,        ///< the whole interval is beyond
  unclear,       ///< the limit lies inside the interval: more replications would tell
  not_measured,  ///< no task counted: the warm-up took all, or none came
};
/// Whether the policy meets it, with this confidence. O(replications).
[[nodiscard]] Verdict judge(const PolicyResult& result, const scenario::Objective& objective,
                            double level = kConfidence);
/// All objectives together: missed if one is, otherwise not measured or unclear if one is.
[[nodiscard]] Verdict judge(const PolicyResult& result,
                            const std::vector<scenario::Objective>& objectives,
                            double level = kConfidence);

/// What is known at one point of a study.
struct PointResult {
  std::vector<std::string> values;  ///< of the study's axes
  std::uint64_t warm_up_tasks = 0;  ///< left out at the start of every replication
  bool warm_up_known = false;       ///< the pilots that find it are done, or it needs none
  /// With a precision: it is reached since there are so many replications; 0: it is not.
  std::uint32_t precise_from = 0;
  std::vector<PolicyResult> policies;  ///< in the scenario's order
};

/// What is known of a study.
struct ExperimentResult {
  std::vector<scenario::SweepAxis> axes;  ///< of the study's sweep
  std::vector<PointResult> points;        ///< the last axis changes fastest
  bool complete = true;        ///< false: stopped early; only finished replications are in it
  std::optional<Error> error;  ///< why the runner could not go on
};

/// How far an experiment has come.
struct ExperimentProgress {
  std::size_t done = 0;   ///< replications
  std::size_t total = 0;  ///< as known by now: a precision may ask for more
  /// Of those begun, the parts that are over: a half of one and a fifth of another are 0.7.
  double under_way = 0;
};

/// How an experiment is run; none of it changes what a complete one finds.
struct ExperimentOptions {
  unsigned jobs = 1;       ///< threads; results do not depend on it
  std::stop_token stop{};  ///< asked to stop: `complete` is false
  std::function<void(const ExperimentProgress&)>
      progress{};  ///< called from any thread, one at a time
  /// Hears of everything known so far, after every replication; one call at a time.
  std::function<void(const ExperimentResult&)> checkpoint{};
  /// What an earlier run of the same study knew already: it is taken over, the rest is run.
  const ExperimentResult* resume = nullptr;
  ReplicationRunner runner{};  ///< instead of `jobs` threads here
};

/// Runs every policy at every point of the study, replications in parallel.
///
/// With a precision, replications are added to a point in rounds until every policy's mean response
/// (or the percentile that precision_of names) is known that well after two rounds in a row, or by
/// far (two thirds of the half-width) after one: few replications that happen to be alike would
/// otherwise stop it, and those are too low more often than too high. Automatic warm-up: MSER-5 on
/// one pilot replication per policy; the longest counts for all, so that all policies are measured
/// on the same tasks. A replayed trace has none, nor has a timetable: they are the whole story. The
/// result is a function of the study alone, wherever the replications are run and however often it
/// was stopped and resumed.
[[nodiscard]] ExperimentResult run_experiment(const scenario::Study& study,
                                              const ExperimentOptions& options);

}  // namespace artel::experiment
