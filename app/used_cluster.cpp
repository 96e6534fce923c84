#include "app/used_cluster.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/error/error.hpp"

namespace artel::app {

Result<cluster::ClusterOptions> UsedCluster::start_local(unsigned threads) {
  auto server = cluster::LocalServer::start();
  if (!server) return fail(server);
  auto options = server->cluster();
  server_.emplace(*std::move(server));
  auto worker = cluster::WorkerNode::connect({.cluster = options, .threads = threads});
  if (!worker) return fail(worker);
  worker_ = *std::move(worker);
  working_ = std::jthread(
      [node = worker_.get()](const std::stop_token& stop) { static_cast<void>(node->run(stop)); });
  return options;
}

Result<UsedCluster> UsedCluster::connect(const cluster::ClusterFlags& flags, unsigned local_threads,
                                         const std::string& name) {
  UsedCluster used;
  auto options = flags.local() ? used.start_local(local_threads) : cluster_options(flags);
  if (!options) return fail(options);
  options->name = name;
  auto cluster = cluster::Cluster::connect(*options);
  if (!cluster) return fail(cluster);
  used.cluster_ = std::make_unique<cluster::Cluster>(*std::move(cluster));
  if (!used.local() && used.cluster_->workers().empty()) {
    fmt::print(stderr, "artel: no worker of pool '{}' is there yet; waiting for one\n",
               options->pool);
  }
  return used;
}

}  // namespace artel::app
