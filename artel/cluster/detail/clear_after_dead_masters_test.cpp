#include "artel/cluster/detail/clear_after_dead_masters.hpp"

#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/worker_fleet.hpp"

ARTEL_TASK(thrice, int, int x) { return 3 * x; }

namespace artel::cluster::detail {
namespace {

const std::string queue_name = Subjects::queue_of({}, {});

// Whether the queue has this chunk of the lost job.
bool is_kept(const Connection& connection, std::uint64_t index) {
  const Subjects subjects("artel");
  natsMsg* found = nullptr;
  jsErrCode detail{};
  const natsStatus status =
      js_GetLastMsg(&found, connection.jetstream(), subjects.stream().c_str(),
                    subjects.task(queue_name, {"lost-0", index}).c_str(), nullptr, &detail);
  natsMsg_Destroy(found);
  return status == NATS_OK;
}

TEST(LostMasters, OnlyWhatNobodyWantsIsRemoved) {
  Crew crew;  // without workers
  const Subjects subjects("artel");
  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection) << to_string(connection.error());
  EXPECT_EQ(clear_after_dead_masters(*connection, subjects).value_or(99), 0);  // no queue yet

  // A master that is there, and waits.
  Cluster cluster = crew.connect();
  std::vector<int> results;
  std::thread caller(
      [&] { results = parallel::map(cluster, std::vector{1, 2, 3, 4}, thrice, {.chunk = 1}); });
  while (cluster.counts().chunks.issued < 2) std::this_thread::yield();

  // One that is not.
  const auto queue = JetStreamQueue::open(
      *connection, subjects, Crew::impatient(),
      {.result = [](std::string_view) {}, .calm = [] {}, .said = [](const MasterEvent&) {}});
  ASSERT_TRUE(queue) << to_string(queue.error());
  ChunkOrder order;
  order.job = "lost-0";
  order.reply = connection->new_inbox();
  for (; order.index < 3; ++order.index)
    ASSERT_TRUE((*queue)->send(std::make_shared<const ChunkOrder>(order), queue_name));
  // And what somebody has requeued for it.
  const std::string bytes = encode(order);
  ASSERT_EQ(
      js_Publish(nullptr, connection->jetstream(), subjects.task(queue_name, {"lost-0", 3}).c_str(),
                 bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr),
      NATS_OK);

  // In a worker's own queue.
  order.index = 4;
  ASSERT_TRUE((*queue)->send(std::make_shared<const ChunkOrder>(order), queue_name, "w1"));

  const auto waits = [&](std::uint64_t index) { return is_kept(*connection, index); };
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(waits(i));
  const auto removed = clear_after_dead_masters(*connection, subjects);
  ASSERT_TRUE(removed) << to_string(removed.error());
  EXPECT_EQ(*removed, 4);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_FALSE(waits(i));
  EXPECT_TRUE(waits(3));

  crew.hire(1);
  caller.join();
  EXPECT_EQ(results, (std::vector{3, 6, 9, 12}));
  EXPECT_EQ(cluster.counts().chunks.reissued, 0);
}

TEST(LostMasters, AreClearedAwayByTheNextMaster) {
  Crew crew;
  const Subjects subjects("artel");
  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection) << to_string(connection.error());
  const auto queue = JetStreamQueue::open(
      *connection, subjects, Crew::impatient(),
      {.result = [](std::string_view) {}, .calm = [] {}, .said = [](const MasterEvent&) {}});
  ASSERT_TRUE(queue) << to_string(queue.error());
  ChunkOrder order;
  order.job = "lost-0";
  order.reply = connection->new_inbox();
  ASSERT_TRUE((*queue)->send(std::make_shared<const ChunkOrder>(order), queue_name));
  EXPECT_TRUE(is_kept(*connection, 0));
  const Cluster cluster = crew.connect();
  EXPECT_FALSE(is_kept(*connection, 0));
}

}  // namespace
}  // namespace artel::cluster::detail
