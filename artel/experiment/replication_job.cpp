#include "artel/experiment/replication_job.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/batch_series.hpp"
#include "artel/experiment/detail/replicate_in_rounds.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/experiment/replication.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/mser5.hpp"

namespace artel::experiment {
namespace {

std::optional<ReplicationOutcome> run_pilot(const scenario::Scenario& scenario,
                                            const scenario::PolicySpec& policy,
                                            const std::stop_token& stop) {
  BatchSeries series;
  if (!run_replication(scenario, policy,
                       {.index = detail::kPilot, .stop = stop, .series = &series}))
    return std::nullopt;
  ReplicationOutcome outcome;
  outcome.warm_up_tasks = stat::mser5(series.means()) * series.batch_size();
  return outcome;
}

}  // namespace

std::optional<ReplicationOutcome> run_job(const scenario::Study& study, const ReplicationJob& job,
                                          const std::stop_token& stop) {
  const auto& scenario = study.points.at(job.point).scenario;
  const auto& policy = scenario.dispatch.policies.at(job.policy);
  if (job.pilot) return run_pilot(scenario, policy, stop);
  const auto& warm_up = scenario.run.warm_up;
  ReplicationOutcome outcome;
  const auto replication = run_replication(
      scenario, policy,
      {.index = job.index,
       .warm_up_tasks = job.warm_up_tasks,
       .warm_up = warm_up.kind == scenario::WarmUp::Kind::duration ? warm_up.duration : Duration{},
       .stop = stop,
       .times = &outcome.times,
       .class_times = &outcome.class_times});
  if (!replication) return std::nullopt;
  outcome.replication = *replication;
  return outcome;
}

ReplicationRunner pool_runner(unsigned threads) {
  return [threads](const scenario::Study& study, std::span<const ReplicationJob> jobs,
                   const std::stop_token& stop, const OutcomeSink& sink) -> Result<void> {
    std::mutex one_at_a_time;
    for_each_index(jobs.size(), threads, stop, [&](std::size_t i) {
      const auto outcome = run_job(study, jobs[i], stop);
      if (!outcome) return;
      const std::lock_guard lock(one_at_a_time);
      sink(i, *outcome);
    });
    return {};
  };
}

}  // namespace artel::experiment
