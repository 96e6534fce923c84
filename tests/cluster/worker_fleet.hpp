#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// A server of its own, and workers that are threads of this process.
class Crew {
 public:
  explicit Crew(LocalServerOptions options = {}) : server_(start(std::move(options))) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { dismiss(); }

  /// Quick to notice what is lost.
  [[nodiscard]] static QueueOptions impatient() {
    using std::chrono::milliseconds;
    return {.lease = milliseconds(300),
            .patience = milliseconds(300),
            .worker_timeout = std::chrono::seconds(5)};
  }

  void hire(std::size_t workers, WorkerOptions options = {.threads = 2}) {
    options.cluster = server_.cluster();
    for (std::size_t i = 0; i < workers; ++i) {
      auto node = WorkerNode::connect(options);
      if (!node) FAIL() << to_string(node.error());
      workers_.emplace_back([held = std::shared_ptr(std::move(*node))](
                                const std::stop_token& stop) { held->run(stop); });
    }
  }
  void dismiss() {
    for (std::jthread& worker : workers_) worker.request_stop();
    workers_.clear();
  }

  [[nodiscard]] Cluster connect(const QueueOptions& options = impatient()) const {
    auto cluster = Cluster::connect(server_.cluster(), options);
    if (!cluster) {
      ADD_FAILURE() << to_string(cluster.error());
      std::abort();
    }
    return std::move(*cluster);
  }
  [[nodiscard]] LocalServer& server() { return server_; }

 private:
  static LocalServer start(LocalServerOptions options) {
    auto server = LocalServer::start(std::move(options));
    if (!server) {
      ADD_FAILURE() << to_string(server.error());
      std::abort();
    }
    return std::move(*server);
  }

  LocalServer server_;
  std::vector<std::jthread> workers_;
};

}  // namespace artel::cluster
