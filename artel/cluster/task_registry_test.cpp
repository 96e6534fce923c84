#include "artel/cluster/task_registry.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/cluster/detail/run_chunk.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

ARTEL_TASK(halved, int, int x) {
  if (x % 2 != 0) throw std::domain_error("odd");
  return x / 2;
}
ARTEL_TASK(added, int, int sum, int x) { return sum + x; }
ARTEL_TASK_VERSION(3, nothing_done, void, const std::string&) {}

namespace {

int attempts_made = 0;

}  // namespace

ARTEL_TASK(third_time_lucky, int, int x) {
  if (++attempts_made % 3 != 0) throw std::runtime_error("not yet");
  return x;
}

namespace {

using detail::run_chunk;

ChunkOrder order_of(ChunkKind kind, std::initializer_list<int> items) {
  ChunkOrder order;
  order.kind = kind;
  order.first = 10;
  order.count = static_cast<std::uint32_t>(items.size());
  for (const int item : items) encode_to(order.items, item);
  return order;
}

template <class... T>
std::string encoded(const T&... values) {
  std::string bytes;
  (encode_to(bytes, values), ...);
  return bytes;
}

TEST(RemoteTask, IsCalledHereLikeAFunction) {
  EXPECT_EQ(halved(8), 4);
  EXPECT_EQ(added(1, 2), 3);
}

TEST(RemoteTask, IsRegisteredWithItsNameVersionAndTypes) {
  const TaskKey key = decltype(nothing_done)::key();
  EXPECT_EQ(key.name, "nothing_done");
  EXPECT_EQ(key.version, 3);
  EXPECT_NE(key.signature, decltype(halved)::key().signature);
  EXPECT_TRUE(TaskRegistry::linked().find(key));
}

TEST(RunChunk, MapsEveryItem) {
  ChunkOrder order = order_of(ChunkKind::map, {2, 4});
  order.map = decltype(halved)::key();
  const ChunkResult result = run_chunk(TaskRegistry::linked(), order);
  EXPECT_EQ(result.outcome, ChunkOutcome::done);
  EXPECT_EQ(result.count, 2);
  EXPECT_EQ(result.output, encoded(1, 2));
}

TEST(RunChunk, StopsAtTheFirstFailure) {
  ChunkOrder order = order_of(ChunkKind::map, {2, 3, 4});
  order.map = decltype(halved)::key();
  const ChunkResult result = run_chunk(TaskRegistry::linked(), order);
  EXPECT_EQ(result.outcome, ChunkOutcome::failed);
  EXPECT_EQ(result.output, encoded(1));
  ASSERT_EQ(result.problems.size(), 1);
  EXPECT_EQ(result.problems[0].item, 11);
  EXPECT_EQ(result.problems[0].type, "std::domain_error");
  EXPECT_EQ(result.problems[0].what, "odd");
}

TEST(RunChunk, CollectsFailures) {
  ChunkOrder order = order_of(ChunkKind::collect, {2, 3, 4});
  order.map = decltype(halved)::key();
  const ChunkResult result = run_chunk(TaskRegistry::linked(), order);
  EXPECT_EQ(result.outcome, ChunkOutcome::done);
  EXPECT_EQ(result.output, encoded(true, 1, false, true, 2));
  EXPECT_EQ(result.problems.size(), 1);
}

TEST(RunChunk, TriesAnItemAgain) {
  ChunkOrder order = order_of(ChunkKind::map, {5});
  order.map = decltype(third_time_lucky)::key();
  order.retries = 1;
  attempts_made = 0;
  EXPECT_EQ(run_chunk(TaskRegistry::linked(), order).problems.at(0).attempts, 2);
  order.retries = 2;
  attempts_made = 0;
  EXPECT_EQ(run_chunk(TaskRegistry::linked(), order).output, encoded(5));
}

TEST(RunChunk, FoldsMappedItems) {
  ChunkOrder order = order_of(ChunkKind::fold, {2, 4, 6});
  order.map = decltype(halved)::key();
  order.fold = decltype(added)::key();
  order.init = encoded(100);
  EXPECT_EQ(run_chunk(TaskRegistry::linked(), order).output, encoded(106));
}

TEST(RunChunk, RefusesWhatItDoesNotKnow) {
  ChunkOrder order = order_of(ChunkKind::map, {2});
  order.map = TaskKey{"halve", 1, 0};
  ChunkResult result = run_chunk(TaskRegistry::linked(), order);
  EXPECT_EQ(result.outcome, ChunkOutcome::refused);
  EXPECT_NE(result.problems.at(0).what.find("did you mean 'halved'?"), std::string::npos)
      << result.problems.at(0).what;

  order.map = decltype(halved)::key();
  ++order.map->version;
  result = run_chunk(TaskRegistry::linked(), order);
  EXPECT_EQ(result.outcome, ChunkOutcome::refused);
  EXPECT_NE(result.problems.at(0).what.find("version 1"), std::string::npos);

  order.map = decltype(halved)::key();
  ++order.map->signature;
  result = run_chunk(TaskRegistry::linked(), order);
  EXPECT_NE(result.problems.at(0).what.find("other types"), std::string::npos);

  order.map = decltype(added)::key();  // takes two
  EXPECT_EQ(run_chunk(TaskRegistry::linked(), order).outcome, ChunkOutcome::refused);
}

TEST(RunChunk, RefusesItemsThatItCannotRead) {
  ChunkOrder order = order_of(ChunkKind::map, {2});
  order.map = decltype(halved)::key();
  order.items = encoded(std::string("two"));
  EXPECT_EQ(run_chunk(TaskRegistry::linked(), order).outcome, ChunkOutcome::refused);
  order.items.clear();
  EXPECT_EQ(run_chunk(TaskRegistry::linked(), order).outcome, ChunkOutcome::refused);
}

TEST(TaskRegistry, TwoTasksOfOneNameBreakTheContract) {
  TaskRegistry registry;
  registry.add({.key = {"a", 1, 1}});
  EXPECT_DEATH(registry.add({.key = {"a", 2, 1}}), "every task has a name of its own");
}

TEST(Codec, ValuesComeBackOneAfterTheOther) {
  const std::string bytes = encoded(1, std::string("two"), 3.0);
  Decoder decoder(bytes);
  EXPECT_EQ(decoder.next<int>().value(), 1);
  EXPECT_EQ(decoder.next<std::string>().value(), "two");
  EXPECT_EQ(decoder.next<double>().value(), 3.0);
  EXPECT_TRUE(decoder.at_end());
  EXPECT_FALSE(decoder.next<int>());
}

TEST(Codec, ClaimsBeyondTheBytesAreRefused) {
  EXPECT_FALSE(
      decode<std::vector<int>>("\xdd\x7f\xff\xff\xff"));  // an array of two thousand million
  EXPECT_FALSE(decode<int>(encoded(1, 2)));
}

}  // namespace
}  // namespace artel::cluster
