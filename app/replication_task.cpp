#include "app/replication_task.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/state_json.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/pool/future.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::app {
namespace {

constexpr std::string_view kWhere = "sent by artel simulate";

ReplicationOrder order_for(const scenario::Study& study) {
  ReplicationOrder order{.text = study.source.text,
                         .file_name = study.source.file_name,
                         .overrides = {},
                         .sweep = {},
                         .fingerprint = fingerprint(study)};
  for (const auto& change : study.source.overrides) {
    order.overrides.push_back({change.key, change.value});
  }
  for (const auto& axis : study.source.sweep) order.sweep.push_back({axis.key, axis.values});
  return order;
}

std::shared_ptr<const scenario::Study> make_study(const ReplicationOrder& order) {
  std::vector<scenario::Override> overrides;
  for (const auto& change : order.overrides) {
    overrides.push_back({change.key, change.value, std::string(kWhere)});
  }
  std::vector<scenario::SweepAxis> sweep;
  for (const auto& axis : order.sweep) {
    sweep.push_back({axis.key, axis.values, std::string(kWhere)});
  }
  auto study = scenario::parse_study(order.text, order.file_name, overrides, sweep);
  if (!study) throw std::runtime_error(to_string(study.error().front()));
  if (fingerprint(*study) != order.fingerprint) {
    throw std::runtime_error(
        "this worker makes another study of it: its trace files, or its version of artel, differ");
  }
  return std::make_shared<const scenario::Study>(*std::move(study));
}

// The last one is kept: the next replication is nearly always of the same study.
std::shared_ptr<const scenario::Study> study_of(const ReplicationOrder& order) {
  static std::mutex mutex;
  static std::string known;
  static std::shared_ptr<const scenario::Study> study;
  const std::scoped_lock lock(mutex);
  if (study == nullptr || known != order.fingerprint) {
    study = make_study(order);
    known = order.fingerprint;
  }
  return study;
}

Result<void> run_all(cluster::Cluster& cluster, const scenario::Study& study,
                     std::span<const experiment::ReplicationJob> jobs, const std::stop_token& stop,
                     const experiment::OutcomeSink& sink) {
  std::vector<ReplicationOrder> orders(jobs.size(), order_for(study));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    orders[i].job = i;
    orders[i].point = jobs[i].point;
    orders[i].policy = jobs[i].policy;
    orders[i].index = jobs[i].index;
    orders[i].warm_up_tasks = jobs[i].warm_up_tasks;
    orders[i].pilot = jobs[i].pilot;
  }
  for (const ReplicationAnswer& answer : parallel::lazy_map_unordered(
           cluster, orders, cluster::RemoteTask<ReplicationTask>{}, {.chunk = 1, .stop = stop})) {
    const auto outcome = experiment::read_outcome(answer.outcome);
    if (!outcome) return fail(outcome);
    if (answer.job >= jobs.size()) return fail(ErrorCode::parse, "an answer to no question");
    sink(answer.job, *outcome);
  }
  return {};
}

}  // namespace

ReplicationAnswer ReplicationTask::call(const ReplicationOrder& order) {
  const auto study = study_of(order);
  const experiment::ReplicationJob job{.point = order.point,
                                       .policy = order.policy,
                                       .index = order.index,
                                       .warm_up_tasks = order.warm_up_tasks,
                                       .pilot = order.pilot};
  const auto outcome = experiment::run_job(*study, job, std::stop_token{});
  if (!outcome) throw std::runtime_error("stopped");
  return {order.job, experiment::outcome_json(*outcome)};
}

experiment::ReplicationRunner cluster_runner(cluster::Cluster& cluster) {
  return
      [&cluster](const scenario::Study& study, std::span<const experiment::ReplicationJob> jobs,
                 const std::stop_token& stop, const experiment::OutcomeSink& sink) -> Result<void> {
        try {
          return run_all(cluster, study, jobs, stop, sink);
        } catch (const pool::TaskError& error) {
          if (stop.stop_requested()) return {};
          return tl::unexpected(error.error());
        } catch (const cluster::RemoteError& error) {
          return fail(ErrorCode::invalid, error.what(), "worker " + error.worker());
        }
      };
}

}  // namespace artel::app
