// What docs/cluster.md says a worker must be allowed to do is enough, and no more than it says.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/swarm_task.hpp"

namespace artel::cluster {
namespace {

constexpr auto kAccounts = R"(
authorization { users: [
  { user: master, password: m }
  { user: worker, password: w, permissions: {
      publish: ["$JS.API.CONSUMER.MSG.NEXT.>", "$JS.API.CONSUMER.INFO.>", "$JS.ACK.>", "_INBOX.>",
                "mr.*.hb.*", "mr.*.d.>"]
      subscribe: ["_INBOX.>", "mr.*.who"] } }
] }
)";

TEST(WorkerRights, AreAFewSubjects) {
  const auto server = LocalServer::start({.settings = kAccounts, .token = false}).value();
  auto master = server.cluster();
  master.user = "master";
  master.password = Secret("m");
  auto worker = server.cluster();
  worker.user = "worker";
  worker.password = Secret("w");

  std::mutex mutex;
  std::vector<std::string> problems;
  const auto node =
      WorkerNode::connect({.cluster = worker, .threads = 2, .on_problem = [&](const Error& error) {
                             const std::scoped_lock lock(mutex);
                             problems.push_back(to_string(error));
                           }});
  ASSERT_TRUE(node) << to_string(node.error());
  const std::jthread working([&](const std::stop_token& stop) { (*node)->run(stop); });

  std::vector<std::uint64_t> items;
  for (std::uint64_t i = 0; i < 100; ++i) items.push_back(i);
  // From the queue that all share, and from its own, with beacons.
  for (const auto& queue : {QueueOptions{}, QueueOptions{.dispatch = dispatch::ClosedLoop{}}}) {
    auto cluster = Cluster::connect(master, queue);
    ASSERT_TRUE(cluster) << to_string(cluster.error());
    const auto results = parallel::map(*cluster, items, swarm_work);
    ASSERT_EQ(results.size(), items.size());
    for (const auto item : items)
      EXPECT_EQ(results[static_cast<std::size_t>(item)], swarm_work(item));
  }
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(problems, std::vector<std::string>{});
}

}  // namespace
}  // namespace artel::cluster
