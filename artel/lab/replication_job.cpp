#include "artel/lab/replication_job.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>

#include "artel/error/error.hpp"
#include "artel/lab/batch_series.hpp"
#include "artel/lab/parallel_for.hpp"
#include "artel/lab/replication.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"
#include "artel/stat/warm_up.hpp"
#include "artel/unit/instant.hpp"

namespace artel::lab {
namespace {

std::optional<ReplicationOutcome> run_pilot(const Scenario& scenario, const PolicySpec& policy,
                                            const ReplicationJob& job,
                                            const std::stop_token& stop) {
  BatchSeries series;
  if (!run_replication(scenario, policy, {.index = job.index, .stop = stop, .series = &series}))
    return std::nullopt;
  ReplicationOutcome outcome;
  outcome.warm_up_tasks = stat::mser5(series.means()) * series.batch_size();
  return outcome;
}

}  // namespace

std::optional<ReplicationOutcome> run_job(const Study& study, const ReplicationJob& job,
                                          const std::stop_token& stop) {
  const auto& scenario = study.points.at(job.point).scenario;
  const auto& policy = scenario.dispatch.policies.at(job.policy);
  if (job.pilot) return run_pilot(scenario, policy, job, stop);
  const auto& warm_up = scenario.run.warm_up;
  ReplicationOutcome outcome;
  const auto replication = run_replication(
      scenario, policy,
      {.index = job.index,
       .warm_up_tasks = job.warm_up_tasks,
       .warm_up = warm_up.kind == WarmUp::Kind::duration ? warm_up.duration : Duration{},
       .stop = stop,
       .pooled = &outcome.responses});
  if (!replication) return std::nullopt;
  outcome.replication = *replication;
  return outcome;
}

ReplicationRunner pool_runner(unsigned threads) {
  return [threads](const Study& study, std::span<const ReplicationJob> jobs,
                   const std::stop_token& stop, const OutcomeSink& sink) -> Result<void> {
    std::mutex one_at_a_time;
    parallel_for(jobs.size(), threads, stop, [&](std::size_t i) {
      const auto outcome = run_job(study, jobs[i], stop);
      if (!outcome) return;
      const std::lock_guard lock(one_at_a_time);
      sink(i, *outcome);
    });
    return {};
  };
}

}  // namespace artel::lab
