// The streams of a pool: their limits, what is told of them, and how they go.
#include "artel/cluster/remove_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <cstdint>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/server_version.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/worker_fleet.hpp"

namespace artel::cluster {

ARTEL_TASK(decremented, int, int x) { return x - 1; }

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class Streams : public testing::Test {
 protected:
  [[nodiscard]] jsStreamConfig config_of(const std::string& stream) {
    jsErrCode detail{};
    EXPECT_EQ(js_GetStreamInfo(OutHandle(info_), connection_.jetstream(), stream.c_str(), nullptr,
                               &detail),
              NATS_OK);
    return *info_->Config;
  }

  Crew crew_;
  Connection connection_ = Connection::connect(crew_.server().cluster()).value();
  Subjects subjects_{crew_.server().cluster().pool};

 private:
  EngineHandle<jsStreamInfo> info_;
};

// Without the one on the server's version.
std::vector<std::string> settings_remarks(const Cluster& cluster) {
  std::vector<std::string> remarks = cluster.remarks();
  std::erase_if(remarks,
                [](const std::string& remark) { return remark.starts_with("nats-server"); });
  return remarks;
}

TEST_F(Streams, AreBounded) {
  const Cluster cluster = crew_.connect({.chunks_max = 500,
                                         .bytes_max = 1'000'000,
                                         .age_max = 1h,
                                         .dead_bytes_max = 2'000'000,
                                         .dead_age_max = 3h});
  EXPECT_THAT(settings_remarks(cluster), IsEmpty());
  const jsStreamConfig tasks = config_of(subjects_.stream());
  EXPECT_EQ(tasks.MaxMsgs, 500);
  EXPECT_EQ(tasks.MaxBytes, 1'000'000);
  EXPECT_EQ(tasks.MaxAge, Duration(1h).count());
  const jsStreamConfig dead = config_of(subjects_.dead_stream());
  EXPECT_GT(dead.MaxMsgs, 0);
  EXPECT_EQ(dead.MaxAge, Duration(3h).count());
  EXPECT_EQ(dead.MaxBytes, 2'000'000);
}

TEST_F(Streams, AreBoundedInBytesByDefault) {
  const Cluster cluster = crew_.connect({});
  EXPECT_EQ(config_of(subjects_.stream()).MaxBytes, std::int64_t{1} << 30U);
  EXPECT_EQ(config_of(subjects_.dead_stream()).MaxBytes, 100'000'000);
}

// The server reserves what a stream may have at most.
TEST_F(Streams, HaveTheServersOwnLimitWhereItHasNoRoomForMore) {
  const Cluster cluster = crew_.connect({.bytes_max = std::int64_t{1} << 40U});
  EXPECT_LE(config_of(subjects_.stream()).MaxBytes, 0);
  EXPECT_THAT(settings_remarks(cluster), ElementsAre(HasSubstr("bytes_max is without limit")));
}

TEST_F(Streams, OfAnOldServerAreRemarkedOnByMasters) {
  const Cluster cluster = crew_.connect();
  const std::string remark = detail::remarks_on_version(connection_.server_version().value());
  EXPECT_EQ(cluster.remarks(), remark.empty() ? std::vector<std::string>{} : std::vector{remark});
}

TEST_F(Streams, OfOtherSettingsAreRemarkedOn) {
  const Cluster first = crew_.connect();
  const Cluster same = crew_.connect();
  EXPECT_THAT(settings_remarks(same), IsEmpty());
  const Cluster other = crew_.connect(
      {.storage = Storage::memory, .age_max = 2h, .dead_bytes_max = 0, .dead_age_max = 1h});
  EXPECT_THAT(settings_remarks(other),
              ElementsAre(HasSubstr("storage is file, not memory"),
                          HasSubstr(" age_max is 1.00 d, not 2.00 h"),
                          HasSubstr("dead_bytes_max is 100000000, not without limit"),
                          HasSubstr("dead_age_max is 30.0 d, not 1.00 h")));
}

TEST_F(Streams, AreRemovedIfNothingIsInThem) {
  const std::string pool = subjects_.pool();
  const auto before = remove_pool(connection_, pool);
  ASSERT_FALSE(before);
  EXPECT_EQ(before.error().code, ErrorCode::not_found);

  static_cast<void>(crew_.connect());
  ASSERT_TRUE(bury(connection_, subjects_, {.reason = "a", .order = {.job = "j", .index = 1}}));
  const auto refused = remove_pool(connection_, pool);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::full);
  EXPECT_THAT(refused.error().what, EndsWith(" and 1 dead letter"));

  const auto removed = remove_pool(connection_, pool, WhatWaits::remove);
  ASSERT_TRUE(removed) << to_string(removed.error());
  EXPECT_EQ(removed->dead_letters, 1);
  EXPECT_FALSE(remove_pool(connection_, pool));
}

// A master that has died waits for nothing; one that is there does.
TEST_F(Streams, OfWhichOnlyTheDeadWaitAreRemoved) {
  Cluster there = crew_.connect();
  ChunkOrder order{.job = "lost-0", .reply = connection_.new_inbox()};
  const auto queue = detail::JetStreamQueue::open(
      connection_, subjects_, Crew::impatient(),
      {.result = [](std::string_view) {}, .calm = [] {}, .said = [](const MasterEvent&) {}});
  ASSERT_TRUE(queue) << to_string(queue.error());
  const std::string name = Subjects::queue_of({}, {});
  ASSERT_TRUE((*queue)->send(std::make_shared<const ChunkOrder>(order), name));
  std::jthread caller(
      [&] { EXPECT_EQ(parallel::map(there, std::vector{1, 2}, decremented).size(), 2); });
  while (there.counts().chunks.issued < 2) std::this_thread::yield();
  const auto refused = remove_pool(connection_, subjects_.pool());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("still has 2 chunks and 0 dead letters"));
  crew_.hire(1);
  caller.join();
  order.index = 1;
  ASSERT_TRUE((*queue)->send(std::make_shared<const ChunkOrder>(order), name));
  const auto removed = remove_pool(connection_, subjects_.pool());
  EXPECT_TRUE(removed) << to_string(removed.error());
}

// The next map makes it anew; workers that were there find it.
TEST_F(Streams, MayBeRemovedUnderWorkers) {
  crew_.hire(1);
  const auto items = std::views::iota(0, 10);
  {
    Cluster cluster = crew_.connect();
    EXPECT_EQ(parallel::map(cluster, items, decremented).size(), 10);
  }
  ASSERT_TRUE(remove_pool(connection_, subjects_.pool(), WhatWaits::remove));
  Cluster cluster = crew_.connect();
  EXPECT_EQ(parallel::map(cluster, items, decremented).size(), 10);
}

}  // namespace
}  // namespace artel::cluster
