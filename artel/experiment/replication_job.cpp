#include "artel/experiment/replication_job.hpp"

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/experiment/replicate_in_rounds.hpp"
#include "artel/fleet/batch_series.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/mser5.hpp"

namespace artel::experiment {
namespace {

std::optional<ReplicationOutcome> run_pilot(const scenario::Scenario& scenario,
                                            const scenario::PolicySpec& policy,
                                            const std::stop_token& stop,
                                            const std::function<void(double)>& progress) {
  fleet::BatchSeries series;
  if (!fleet::run_replication(
          scenario, policy,
          {.index = kPilot, .stop = stop, .series = &series, .progress = progress}))
    return std::nullopt;
  ReplicationOutcome outcome;
  outcome.warm_up_tasks = stat::mser5(series.means()) * series.batch_size();
  return outcome;
}

}  // namespace

std::optional<ReplicationOutcome> run_job(const scenario::Study& study, const ReplicationJob& job,
                                          const std::stop_token& stop,
                                          const std::function<void(double part)>& progress) {
  const auto& scenario = study.points.at(job.point).scenario;
  const auto& policy = scenario.dispatch.policies.at(job.policy);
  if (job.pilot) return run_pilot(scenario, policy, stop, progress);
  const auto& warm_up = scenario.run.warm_up;
  ReplicationOutcome outcome;
  const auto replication = fleet::run_replication(
      scenario, policy,
      {.index = job.index,
       .warm_up_tasks = job.warm_up_tasks,
       .warm_up = warm_up.kind == scenario::WarmUp::Kind::duration ? warm_up.duration : Duration{},
       .stop = stop,
       .times = &outcome.times,
       .class_times = &outcome.class_times,
       .progress = progress});
  if (!replication) return std::nullopt;
  outcome.replication = *replication;
  return outcome;
}

ReplicationRunner pool_runner(unsigned threads) {
  return [threads](const scenario::Study& study, std::span<const ReplicationJob> jobs,
                   const std::stop_token& stop, const OutcomeSink& sink,
                   const PartSink& parts) -> Result<void> {
    std::mutex one_at_a_time;
    for_each_index(jobs.size(), threads, stop, [&](std::size_t i) {
      std::function<void(double)> progress;
      if (parts) {
        progress = [&, i](double part) {
          const std::lock_guard lock(one_at_a_time);
          parts(i, part);
        };
      }
      const auto outcome = run_job(study, jobs[i], stop, progress);
      if (!outcome) return;
      const std::lock_guard lock(one_at_a_time);
      sink(i, *outcome);
    });
    return {};
  };
}

}  // namespace artel::experiment
