#pragma once

#include <cstddef>
#include <cstdint>
#include <msgpack.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/experiment/replication_job.hpp"

namespace artel::app {

/// A replication, with all that a worker needs to make the study anew.
struct ReplicationOrder {
  struct Pair {
    std::string key;
    std::string value;
    MSGPACK_DEFINE(key, value)
  };
  struct Axis {
    std::string key;
    std::vector<std::string> values;
    MSGPACK_DEFINE(key, values)
  };
  std::string text;
  std::string file_name;
  std::vector<Pair> overrides;
  std::vector<Axis> sweep;
  std::string fingerprint;  ///< of the study: what the worker makes of all that must have the same
  std::size_t job = 0;      ///< its number, for whoever sent it
  std::size_t point = 0;
  std::size_t policy = 0;
  std::uint32_t index = 0;
  std::uint64_t warm_up_tasks = 0;
  bool pilot = false;

  MSGPACK_DEFINE(text, file_name, overrides, sweep, fingerprint, job, point, policy, index,
                 warm_up_tasks, pilot)
};

struct ReplicationAnswer {
  std::size_t job = 0;
  std::string outcome;  ///< as experiment::outcome_json

  MSGPACK_DEFINE(job, outcome)
};

/// The task of `artel simulate --cluster`; what every `artel worker` can do.
struct ReplicationTask {
  static constexpr std::string_view kName = "artel.replication";
  static constexpr std::uint32_t kVersion = 1;
  /// Throws what it finds wrong: a trace file that is not there, or another one.
  static ReplicationAnswer call(const ReplicationOrder& order);
};

/// Runs replications on the cluster, which must outlive the runner.
[[nodiscard]] experiment::ReplicationRunner cluster_runner(cluster::Cluster& cluster);

}  // namespace artel::app
