#include "app/used_cluster.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "app/command_task.hpp"
#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"

namespace artel::app {
namespace {

// As many as there are tasks at once; each costs a connection.
constexpr unsigned kLocalWorkersMax = 16;

}  // namespace

Result<cluster::ClusterOptions> UsedCluster::start_local(unsigned threads) {
  auto server = cluster::LocalServer::start();
  if (!server) return fail(server);
  auto options = server->cluster();
  server_.emplace(*std::move(server));
  const unsigned workers = std::clamp(threads, 1U, kLocalWorkersMax);
  for (unsigned i = 0; i < workers; ++i) {
    const unsigned share = threads / workers + (i < threads % workers ? 1 : 0);
    auto worker = cluster::WorkerNode::connect({.cluster = options, .threads = share});
    if (!worker) return fail(worker);
    workers_.emplace_back([node = std::shared_ptr(*std::move(worker))](
                              const std::stop_token& stop) { static_cast<void>(node->run(stop)); });
  }
  return options;
}

void UsedCluster::stop_workers() {
  for (auto& worker : workers_) worker.request_stop();  // all, or they hand chunks to each other
}

void UsedCluster::stop_now() {
  CommandTask::stop_all();
  stop_workers();
}

UsedCluster::UsedCluster(UsedCluster&&) noexcept = default;

UsedCluster::~UsedCluster() { stop_workers(); }

Result<UsedCluster> UsedCluster::connect(const cluster::ClusterFlags& flags, unsigned local_threads,
                                         const std::string& name,
                                         const cluster::QueueOptions& queue) {
  UsedCluster used;
  auto options = flags.local() ? used.start_local(local_threads) : cluster_options(flags);
  if (!options) return fail(options);
  options->name = name;
  auto cluster = cluster::Cluster::connect(*options, queue, [](const Error& error) {
    fmt::print(stderr, "artel: {}\n", to_string(error));
  });
  if (!cluster) return fail(cluster);
  used.cluster_ = std::make_unique<cluster::Cluster>(*std::move(cluster));
  if (!used.local()) {
    for (const std::string& remark : used.cluster_->remarks()) {
      fmt::print(stderr, "artel: {}\n", remark);
    }
  }
  if (!used.local() && used.cluster_->workers().empty()) {
    fmt::print(stderr, "artel: no worker of pool '{}' is there yet; waiting for one\n",
               options->pool);
  }
  return used;
}

}  // namespace artel::app
