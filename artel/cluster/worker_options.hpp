#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

class TaskRegistry;

/// How a process works for a cluster. Everything but the servers has a default.
struct WorkerOptions {
  ClusterOptions cluster;
  unsigned threads = 0;  ///< 0: usable_cpus()
  /// What it has that not all have, for masters that need it (QueueOptions::needs): "gpu",
  /// "big-memory". "host:NAME" comes by itself, where the host's name can be a tag.
  std::vector<std::string> tags{};
  Duration report_every = std::chrono::seconds(1);  ///< how often a WorkerReport is sent
  /// A chunk whose function threw is left alone for so long before its next try.
  Duration retry_delay = std::chrono::milliseconds(100);
  const TaskRegistry* registry = nullptr;  ///< what it can do; null: TaskRegistry::linked()
  /// Hears of what goes wrong and is being tried again; on any thread.
  std::function<void(const Error&)> on_problem{};
};

}  // namespace artel::cluster
