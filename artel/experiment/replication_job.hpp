#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/study.hpp"

namespace artel::experiment {

/// One replication to be run: with the study, all that whoever runs it has to know.
struct ReplicationJob {
  std::size_t point = 0;            ///< of the study
  std::size_t policy = 0;           ///< of the point's scenario
  std::uint32_t index = 0;          ///< which replication; of a pilot: nothing
  std::uint64_t warm_up_tasks = 0;  ///< besides those that the scenario leaves out by time
  bool pilot = false;               ///< is to find how long the warm-up is, nothing else
};

/// What came out of it.
struct ReplicationOutcome {
  fleet::Replication replication;                ///< of a pilot: empty
  fleet::CountedTimes times;                     ///< likewise
  std::vector<fleet::CountedTimes> class_times;  ///< likewise; in the scenario's order
  std::uint64_t warm_up_tasks = 0;               ///< what a pilot found (MSER-5)
};

/// Runs it here and now; `progress` hears what part of it is over. Errors: nullopt when stopped.
/// Threads: safe from several at once.
[[nodiscard]] std::optional<ReplicationOutcome> run_job(
    const scenario::Study& study, const ReplicationJob& job, const std::stop_token& stop,
    const std::function<void(double part)>& progress = {});

/// Takes the outcome of jobs[job]; to be called from any thread, but one call at a time.
using OutcomeSink = std::function<void(std::size_t job, const ReplicationOutcome& outcome)>;

/// Hears what part of jobs[job] is over, 0 to 1 and never less than before; called as the
/// OutcomeSink is, one call at a time of both.
using PartSink = std::function<void(std::size_t job, double part)>;

/// Whoever runs replications: the threads of a pool, or other machines, which make the study anew
/// from Study::source and send the outcomes as replication_json.hpp writes them.
///
/// Returns when every job's outcome has been handed over, once and in any order; with fewer only if
/// asked to stop. The outcome is a function of study and job alone, so where it is computed does
/// not matter. `parts`, which may be empty, need not be told anything. Errors: whatever keeps it
/// from going on; what was handed over until then counts.
using ReplicationRunner = std::function<Result<void>(
    const scenario::Study& study, std::span<const ReplicationJob> jobs, const std::stop_token& stop,
    const OutcomeSink& sink, const PartSink& parts)>;

/// That many threads here, the caller's among them.
[[nodiscard]] ReplicationRunner pool_runner(unsigned threads);

}  // namespace artel::experiment
