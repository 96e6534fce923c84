// Orders and results that are signed, on a real server that lets everybody in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/message_pieces.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::atomic<int> calls = 0;

}  // namespace

ARTEL_TASK(called, int, int x) {
  ++calls;
  return x + 1;
}

ARTEL_TASK(blown_up_signed, std::string, int size) {
  return std::string(static_cast<std::size_t>(size), 'x');
}

namespace {

const std::vector<int> items{1, 2, 3, 4, 5};
const std::vector<int> plus_one{2, 3, 4, 5, 6};

class Signed : public testing::Test {
 protected:
  Signed() {
    calls = 0;
    for (const std::string name : {"master", "worker", "stranger"}) {
      const Secret seed = make_seed().value();
      std::ofstream(folder_.path() / name) << seed.reveal() << "\n";
      std::ofstream(folder_.path() / (name + ".pub")) << public_key_of(seed).value() << "\n";
    }
  }

  [[nodiscard]] ClusterOptions as(const std::string& name, const std::string& trusted) const {
    ClusterOptions options = server_.cluster();
    options.sign_key = folder_.path() / name;
    options.trusted_keys = folder_.path() / (trusted + ".pub");
    return options;
  }
  void hire(const ClusterOptions& options) {
    auto node = WorkerNode::connect({.cluster = options, .threads = 1, .report_every = 100ms});
    ASSERT_TRUE(node) << to_string(node.error());
    node_ = std::move(*node);
    working_ = std::jthread([this](const std::stop_token& stop) { node_->run(stop); });
  }
  // As anybody could.
  void publish(const std::string& subject, const std::string& bytes) const {
    ASSERT_EQ(natsConnection_Publish(anybody_.handle(), subject.c_str(), bytes.data(),
                                     static_cast<int>(bytes.size())),
              NATS_OK);
  }

  TemporaryFolder folder_;
  LocalServer server_ = LocalServer::start().value();
  Connection anybody_ = Connection::connect(server_.cluster()).value();
  Subjects subjects_{server_.cluster().pool};
  std::unique_ptr<WorkerNode> node_;
  std::jthread working_;
};

TEST_F(Signed, WhoTrustsEachOtherWorksAsAlways) {
  hire(as("worker", "master"));
  for (const auto& queue : {QueueOptions{}, QueueOptions{.dispatch = dispatch::LeastLoaded{}}}) {
    auto cluster = Cluster::connect(as("master", "worker"), queue);
    ASSERT_TRUE(cluster) << to_string(cluster.error());
    EXPECT_EQ(parallel::map(*cluster, items, called, {.chunk = 1}), plus_one);
    EXPECT_EQ(cluster->counts().forged, 0);
  }
  EXPECT_EQ(node_->report().forged, 0);
}

TEST_F(Signed, ForgedOrdersAreDroppedAndCounted) {
  hire(as("worker", "master"));
  auto cluster = Cluster::connect(as("master", "worker"));
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  EXPECT_EQ(parallel::map(*cluster, items, called, {.chunk = 5}), plus_one);
  ASSERT_EQ(calls, 5);

  ChunkOrder order;
  order.job = "forged";
  order.reply = "_INBOX.forged";
  order.lease = 3s;
  order.map = called.key();
  order.count = 1;
  order.items = std::string(1, '\x07');
  const std::string queue = Subjects::queue_of(order.map, order.fold);
  publish(subjects_.task(queue, {order.job, 0}), encode(order));
  const auto stranger = MessageSeal::open({.key = folder_.path() / "stranger"}, "artel").value();
  publish(subjects_.task(queue, {order.job, 1}), stranger.close(SealedKind::order, encode(order)));
  while (node_->report().forged < 2) std::this_thread::yield();
  // The worker goes on, and what follows is done.
  EXPECT_EQ(parallel::map(*cluster, items, called, {.chunk = 5}), plus_one);
  EXPECT_EQ(calls, 10);
}

TEST_F(Signed, ForgedResultsAreDroppedAndCounted) {
  auto cluster = Cluster::connect(as("master", "worker"));
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  // Whoever can read orders knows where results are wanted.
  const auto listening =
      detail::Subscription::open(anybody_, subjects_.tasks(), [&](const detail::Message& message) {
        const auto order = decode_chunk_order(MessageSeal::content(detail::payload_of(message)));
        if (!order) return;
        ChunkResult poison;
        poison.job = order->job;
        poison.index = order->index;
        poison.worker = "w";
        poison.count = 5;
        poison.output = std::string(5, '\x2a');
        publish(order->reply, encode(poison));
      });
  ASSERT_TRUE(listening) << to_string(listening.error());
  ASSERT_TRUE(anybody_.flush(5s));
  std::vector<int> results;
  std::thread caller([&] { results = parallel::map(*cluster, items, called, {.chunk = 5}); });
  while (cluster->counts().forged < 1) std::this_thread::yield();
  hire(as("worker", "master"));
  caller.join();
  EXPECT_EQ(results, plus_one);
}

// Whoever is not trusted cannot fill the master's memory with beginnings of large results.
TEST_F(Signed, ForgedPiecesAreNotKept) {
  auto cluster = Cluster::connect(as("master", "worker"));
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  std::promise<std::string> wanted_at;
  std::atomic<bool> seen = false;
  const auto listening =
      detail::Subscription::open(anybody_, subjects_.tasks(), [&](const detail::Message& message) {
        const auto order = decode_chunk_order(MessageSeal::content(detail::payload_of(message)));
        if (order && !seen.exchange(true)) wanted_at.set_value(order->reply);
      });
  ASSERT_TRUE(listening) << to_string(listening.error());
  ASSERT_TRUE(anybody_.flush(5s));
  std::vector<std::string> results;
  std::thread caller([&] {
    results = parallel::map(*cluster, std::vector<int>{9 << 20}, blown_up_signed, {.chunk = 1});
  });
  const std::string reply = wanted_at.get_future().get();
  const std::string piece = detail::MessagePieces::piece(1, 0, 200, std::string(1000, 'x'));
  const auto stranger = MessageSeal::open({.key = folder_.path() / "stranger"}, "artel").value();
  for (const std::string& forged : {piece, stranger.close(SealedKind::piece, piece)}) {
    natsMsg* answer = nullptr;
    EXPECT_NE(natsConnection_Request(&answer, anybody_.handle(), reply.c_str(), forged.data(),
                                     static_cast<int>(forged.size()), 200),
              NATS_OK);
    natsMsg_Destroy(answer);
  }
  hire(as("worker", "master"));
  caller.join();
  ASSERT_EQ(results.size(), 1);
  EXPECT_EQ(results[0].size(), std::size_t{9} << 20U);
  EXPECT_EQ(cluster->counts().forged, 2);
}

TEST_F(Signed, WithoutAKeyAMasterIsToldWhy) {
  hire(as("worker", "master"));
  auto cluster = Cluster::connect(server_.cluster(), {.worker_timeout = 300ms});
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  try {
    static_cast<void>(parallel::map(*cluster, items, called));
    FAIL() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_THAT(error.error().what, HasSubstr("signed orders only"));
  }
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace artel::cluster
