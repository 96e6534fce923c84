// Chunks and results that are larger than a message of the server, on a real one.
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/cluster/bytes_sent.hpp"
#include "tests/cluster/worker_fleet.hpp"

namespace artel::cluster {

ARTEL_TASK(echo, std::string, const std::string& text) { return text; }
ARTEL_TASK(length_of, std::size_t, const std::string& text) { return text.size(); }
ARTEL_TASK(breaks, std::size_t, const std::string& text) {
  if (text.size() > 1) throw std::runtime_error("too long");
  return text.size();
}
ARTEL_TASK(blown_up, std::string, int size) {
  return std::string(static_cast<std::size_t>(size), 'x');
}

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kTooLarge = (std::size_t{256} << 20U) + 1;  // for any number of pieces

TEST(LargeChunks, TooLargeAChunkIsAnErrorThatNamesTheLimit) {
  Crew crew;
  crew.hire(1, {.threads = 1});
  Cluster cluster = crew.connect();
  try {
    static_cast<void>(parallel::map(cluster, std::vector{std::string(kTooLarge, 'x')}, length_of));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::too_large) << error.what();
    EXPECT_NE(error.error().what.find("268435456"), std::string::npos) << error.what();
  }
}

// From the queue that all share, and from each worker's own.
TEST(LargeChunks, ItemsLargerThanAMessageComeInPieces) {
  Crew crew;
  crew.hire(3, {.threads = 2});
  std::vector<std::string> items;
  for (const std::size_t size : {9U << 20U, 1U, 40U << 20U, (8U << 20U) + 1, 17U})
    items.emplace_back(size, static_cast<char>('a' + items.size()));
  for (const bool own : {false, true}) {
    QueueOptions options = Crew::impatient();
    if (own) options.dispatch = dispatch::RoundRobin{};
    Cluster cluster = crew.connect(options);
    EXPECT_EQ(parallel::map(cluster, items, echo, {.chunk = 1}), items);
    EXPECT_EQ(cluster.counts().chunks.done, items.size());
  }
}

// Its items were never at the server.
TEST(LargeChunks, ADeadLetterOfALargeChunkStaysWhereItIs) {
  Crew crew;
  crew.hire(1, {.threads = 1, .retry_delay = 1ms});
  Cluster cluster = crew.connect();
  const std::vector<std::string> items{std::string(9U << 20U, 'x'), "x"};
  EXPECT_THROW(static_cast<void>(parallel::map(cluster, items, breaks, {.chunk = 1})), RemoteError);
  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection);
  const Subjects subjects("artel");
  const auto letters = dead_letters(*connection, subjects);
  ASSERT_TRUE(letters) << to_string(letters.error());
  ASSERT_EQ(letters->size(), 1);
  const auto back = requeue(*connection, subjects, (*letters)[0]);
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code, ErrorCode::unsupported);
  EXPECT_NE(back.error().what.find("only its master had them"), std::string::npos);
  EXPECT_EQ(dead_letters(*connection, subjects)->size(), 1);
}

TEST(LargeChunks, ResultsLargerThanAMessageComeInPieces) {
  Crew crew;
  crew.hire(3, {.threads = 2});
  Cluster cluster = crew.connect();
  const std::vector<int> sizes{9 << 20, 1, 40 << 20, (8 << 20) + 1, 17, 9 << 20, 20 << 20};
  const auto results = parallel::map(cluster, sizes, blown_up, {.chunk = 1});
  ASSERT_EQ(results.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(results[i].size(), static_cast<std::size_t>(sizes[i]));
    EXPECT_EQ(results[i].find_first_not_of('x'), std::string::npos);
  }
  EXPECT_EQ(cluster.counts().chunks.done, sizes.size());
}

// It would be copied to where the small ones wait for one another.
TEST(LargeChunks, WhatNeedNotLeaveAtOnceDoesSoIfItIsLarge) {
  Crew crew;
  const auto connection = Connection::connect(crew.server().cluster()).value();
  const auto queue =
      detail::JetStreamQueue::open(
          connection, Subjects("artel"), check(QueueOptions{}).value(),
          {.result = [](std::string_view) {}, .calm = [] {}, .said = [](const MasterEvent&) {}})
          .value();
  const auto send = [&](std::size_t bytes) {
    const auto order =
        std::make_shared<ChunkOrder>(ChunkOrder{.job = "job", .items = std::string(bytes, 'x')});
    EXPECT_TRUE(queue->send(order, "S_1", "", detail::JetStreamQueue::Urgency::soon));
  };
  const auto at_once = bytes_sent(connection.handle()), together = bytes_sent(connection.bulk());
  send(16'384);
  EXPECT_GT(bytes_sent(connection.handle()), at_once + 16'384);
  EXPECT_EQ(bytes_sent(connection.bulk()), together);
  send(100);
  EXPECT_GT(bytes_sent(connection.bulk()), together + 100);
}

TEST(LargeChunks, CollectGoesOnWithoutWhatIsTooLarge) {
  Crew crew;
  crew.hire(1, {.threads = 1});
  Cluster cluster = crew.connect();
  const std::string large(kTooLarge, 'x');
  const auto echoed =
      parallel::map_collect(cluster, std::vector<std::string>{"a", large, "c"}, echo, {.chunk = 1});
  ASSERT_EQ(echoed.size(), 3);
  EXPECT_EQ(echoed[0].value_or(""), "a");
  EXPECT_EQ(echoed[2].value_or(""), "c");
  ASSERT_FALSE(echoed[1].has_value());
  EXPECT_EQ(echoed[1].error().index, 1);
  EXPECT_THROW(std::rethrow_exception(echoed[1].error().exception), pool::TaskError);
}

}  // namespace
}  // namespace artel::cluster
