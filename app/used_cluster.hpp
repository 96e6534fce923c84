#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// The cluster that --cluster names. For `local` it is a server of our own and workers in this
/// process, with what is in TaskRegistry::linked(); all are gone with the object.
class UsedCluster {
 public:
  /// `name`: of this command, for whoever looks at the server. Says on stderr if nobody is there to
  /// work. Errors: as cluster_options(), LocalServer::start() and Cluster::connect().
  [[nodiscard]] static Result<UsedCluster> connect(const cluster::ClusterFlags& flags,
                                                   unsigned local_threads, const std::string& name,
                                                   const cluster::QueueOptions& queue = {});

  UsedCluster(UsedCluster&&) noexcept;
  UsedCluster& operator=(UsedCluster&&) = delete;
  ~UsedCluster();

  [[nodiscard]] cluster::Cluster& cluster() { return *cluster_; }
  [[nodiscard]] bool local() const { return server_.has_value(); }
  /// Nobody waits for what is under way: the workers here end the commands that they run.
  void stop_now();

 private:
  UsedCluster() = default;
  void stop_workers();
  [[nodiscard]] Result<cluster::ClusterOptions> start_local(unsigned threads);

  // Each needs the one before it.
  std::optional<cluster::LocalServer> server_;
  std::vector<std::jthread> workers_;
  std::unique_ptr<cluster::Cluster> cluster_;
};

}  // namespace artel::app
