// Map and reduce on a real server, with workers that are threads of this process.
#include "artel/cluster/cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <msgpack.hpp>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map.hpp"
#include "artel/parallel/reduce.hpp"
#include "artel/parallel/seeds.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/cluster/worker_fleet.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

static_assert(parallel::Executor<Cluster>);

struct Word {
  std::string text;
  int line = 0;
  MSGPACK_DEFINE(text, line)
};
using WordCounts = std::map<std::string, int>;

}  // namespace

ARTEL_TASK(squared, std::int64_t, int x) { return std::int64_t{x} * x; }
ARTEL_TASK(shout, std::string, const Word& word) { return word.text + "!"; }
ARTEL_TASK(sum_up, std::int64_t, std::int64_t sum, std::int64_t x) { return sum + x; }
ARTEL_TASK(join, std::string, const std::string& sum, const std::string& x) { return sum + x; }
ARTEL_TASK(said_twice, std::string, const std::string& x) { return x + x; }
ARTEL_TASK(add_length, std::int64_t, std::int64_t sum, const std::string& x) {
  return sum + std::ssize(x);
}
ARTEL_TASK(refuse_seven, int, int x) {
  if (x == 7) throw std::invalid_argument("seven");
  return x;
}

namespace {
// How often a function was called for each item.
constexpr std::size_t kCounted = 200;
std::array<std::atomic<int>, kCounted> calls;
int count_call(int x) { return ++calls.at(static_cast<std::size_t>(x)); }
}  // namespace
ARTEL_TASK(note, int, int x) {
  count_call(x);
  return x;
}
ARTEL_TASK(just_note, void, int x) { count_call(x); }
ARTEL_TASK(lucky_at_last, std::int64_t, int x) {
  if (count_call(x) < 3) throw std::runtime_error("not yet");
  return x;
}
ARTEL_TASK(refuses_seven_too, std::int64_t, int x) {
  if (x == 7) throw std::invalid_argument("seven");
  return x;
}
ARTEL_TASK(odd_ones_only, void, int x) {
  count_call(x);
  if (x % 2 == 0) throw std::invalid_argument("even");
}

namespace {

std::vector<std::int64_t> squares_to(int n) {
  std::vector<std::int64_t> all;
  for (int i = 0; i < n; ++i) all.push_back(std::int64_t{i} * i);
  return all;
}

TEST(Cluster, MapsInOrder) {
  Crew crew;
  crew.hire(2);
  Cluster cluster = crew.connect();
  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 1000), squared, {.chunk = 10}),
            squares_to(1000));
  EXPECT_EQ(cluster.counts().chunks.done, 100);
  EXPECT_EQ(cluster.workers().size(), 2);
}

TEST(Cluster, SizesChunksByItself) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 20'000), squared), squares_to(20'000));
  EXPECT_LT(cluster.counts().chunks.done, 5'000);
}

TEST(Cluster, AutomaticChunksFitIntoMessages) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  const std::vector<Word> words(300, {std::string(100'000, 'x'), 1});  // 30 MB, a message has 8
  const auto loud = parallel::map(cluster, words, shout);
  EXPECT_EQ(loud.size(), words.size());
  EXPECT_GE(cluster.counts().chunks.done, 150);
}

TEST(Cluster, ItemsOfTheUsersTypesTravel) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  const std::vector<Word> words{{"a", 1}, {"b", 2}};
  EXPECT_EQ(parallel::map(cluster, words, shout, {.chunk = 1}),
            (std::vector<std::string>{"a!", "b!"}));
}

TEST(Cluster, ReducesInOrder) {
  Crew crew;
  crew.hire(2);
  Cluster cluster = crew.connect();
  const std::vector<std::string> letters{"a", "b", "c", "d", "e"};
  EXPECT_EQ(
      parallel::reduce(cluster, letters, std::string("<"), std::string("-"), join, {.chunk = 2}),
      "<-ab-cd-e");
  EXPECT_EQ(
      parallel::map_reduce(cluster, std::views::iota(0, 100), parallel::Seeds<std::int64_t>{5, 0},
                           squared, sum_up, {.chunk = 7}),
      5 + 328'350);
  // What is mapped is no sum: those of chunks are combined by something else, here.
  EXPECT_EQ(parallel::map_reduce(cluster, letters, parallel::Seeds<std::int64_t>{5, 0}, said_twice,
                                 add_length, std::plus{}, {.chunk = 2}),
            5 + 10);
}

TEST(Cluster, AnEmptySourceGivesNothing) {
  Crew crew;
  Cluster cluster = crew.connect();
  EXPECT_TRUE(parallel::map(cluster, std::vector<int>{}, squared).empty());
  EXPECT_EQ(parallel::reduce(cluster, std::vector<std::int64_t>{}, std::int64_t{4}, std::int64_t{0},
                             sum_up),
            4);
}

TEST(Cluster, ALazyMapRunsAheadByItsWindowOnly) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  std::atomic<int> read = 0;
  auto source = std::views::iota(0) | std::views::transform([&](int i) {
                  ++read;
                  return i;
                });
  std::int64_t expected = 0;
  for (const std::int64_t square :
       parallel::lazy_map(cluster, source, squared, {.chunk = 5, .window = 4})) {
    ASSERT_EQ(square, expected * expected);
    if (++expected == 200) break;
  }
  EXPECT_LE(read, 200 + 5 * 5);
}

TEST(Cluster, WorkersMayComeLater) {
  Crew crew;
  Cluster cluster = crew.connect();
  std::vector<std::int64_t> results;
  std::thread caller(
      [&] { results = parallel::map(cluster, std::views::iota(0, 50), squared, {.chunk = 5}); });
  crew.hire(1);
  caller.join();
  EXPECT_EQ(results, squares_to(50));
}

TEST(Cluster, WorkersMayComeBeforeThereIsAQueue) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 3), squared), squares_to(3));
}

TEST(Cluster, SeveralMapsAtOnce) {
  Crew crew;
  crew.hire(2);
  Cluster cluster = crew.connect();
  std::vector<std::jthread> callers;
  std::atomic<int> right = 0;
  for (int i = 1; i <= 4; ++i) {
    callers.emplace_back([&, i] {
      if (parallel::map(cluster, std::views::iota(0, 100 * i), squared, {.chunk = 7}) ==
          squares_to(100 * i)) {
        ++right;
      }
    });
  }
  callers.clear();
  EXPECT_EQ(right, 4);
}

TEST(Cluster, TwoMastersShareTheWorkers) {
  Crew crew;
  crew.hire(1);
  Cluster one = crew.connect();
  Cluster two = crew.connect();
  std::vector<std::int64_t> results;
  std::thread caller(
      [&] { results = parallel::map(one, std::views::iota(0, 300), squared, {.chunk = 3}); });
  EXPECT_EQ(parallel::map(two, std::views::iota(0, 200), squared, {.chunk = 3}), squares_to(200));
  caller.join();
  EXPECT_EQ(results, squares_to(300));
}

TEST(Cluster, WhatAFunctionThrowsArrivesAtTheCaller) {
  Crew crew;
  crew.hire(1, {.threads = 2, .retry_delay = 1ms});
  Cluster cluster = crew.connect();
  try {
    static_cast<void>(parallel::map(cluster, std::views::iota(0, 100), refuse_seven, {.chunk = 5}));
    FAIL() << "nothing was thrown";
  } catch (const RemoteError& error) {
    EXPECT_EQ(error.item(), 7);
    EXPECT_EQ(error.problem().type, "std::invalid_argument");
    EXPECT_EQ(error.problem().what, "seven");
  }
  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 3), squared), squares_to(3));  // goes on
}

TEST(Cluster, CollectTellsWhichItemsFailed) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  std::atomic<int> failures = 0;
  const auto all = parallel::map_collect(
      cluster, std::views::iota(0, 10), refuse_seven,
      {.chunk = 4, .retries = 2, .on_failure = [&](const parallel::ItemFailure&) { ++failures; }});
  ASSERT_EQ(all.size(), 10);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(i)].has_value(), i != 7);
  }
  EXPECT_EQ(all[7].error().index, 7);
  EXPECT_EQ(all[7].error().attempts, 3);
  EXPECT_EQ(failures, 1);
}

// Calls of functions, each item once: nothing is lost, and nothing is tried on suspicion.
class ClusterCalls : public testing::Test {
 protected:
  ClusterCalls() {
    for (auto& count : calls) count = 0;
    crew_.hire(2);
  }
  [[nodiscard]] Cluster connect() const {
    QueueOptions options = Crew::impatient();
    options.lease = 60s;
    options.patience = 60s;
    options.speculation = 0;
    return crew_.connect(options);
  }
  static void expect_calls(int each) {
    for (std::size_t i = 0; i < kCounted; ++i) EXPECT_EQ(calls.at(i), each) << i;
  }

  Crew crew_;
  const std::vector<int> items_ = [] {
    const auto all = std::views::iota(0, static_cast<int>(kCounted));
    return std::vector<int>(all.begin(), all.end());
  }();
};

TEST_F(ClusterCalls, MapUnorderedGivesEveryResultOnce) {
  Cluster cluster = connect();
  auto results = parallel::map_unordered(cluster, items_, note, {.chunk = 3});
  std::ranges::sort(results);
  EXPECT_EQ(results, items_);
  expect_calls(1);
}

TEST_F(ClusterCalls, ForEachCallsWithEveryItemOnce) {
  Cluster cluster = connect();
  parallel::for_each(cluster, items_, just_note, {.chunk = 3});
  expect_calls(1);
}

TEST_F(ClusterCalls, ForEachEndsWithWhatAnItemThrows) {
  crew_.hire(1, {.threads = 1, .retry_delay = 1ms});
  Cluster cluster = connect();
  EXPECT_THROW(parallel::for_each(cluster, items_, odd_ones_only, {.chunk = 3}), RemoteError);
}

TEST_F(ClusterCalls, ReduceTriesItemsAgainOnTheSpot) {
  Cluster cluster = connect();
  EXPECT_EQ(parallel::map_reduce(cluster, items_, parallel::Seeds<std::int64_t>{5, 0},
                                 lucky_at_last, sum_up, {.chunk = 7, .retries = 2}),
            5 + 199 * 200 / 2);
  expect_calls(3);
}

TEST_F(ClusterCalls, ReduceEndsWhenRetriesDoNotHelp) {
  crew_.hire(1, {.threads = 1, .retry_delay = 1ms});
  Cluster cluster = connect();
  EXPECT_THROW(static_cast<void>(
                   parallel::map_reduce(cluster, items_, parallel::Seeds<std::int64_t>{0, 0},
                                        refuses_seven_too, sum_up, {.chunk = 7, .retries = 1})),
               RemoteError);
}

TEST_F(ClusterCalls, CollectTriesItemsAgainOnTheSpot) {
  Cluster cluster = connect();
  const auto all =
      parallel::map_collect(cluster, items_, lucky_at_last, {.chunk = 7, .retries = 2});
  ASSERT_EQ(all.size(), kCounted);
  for (std::size_t i = 0; i < kCounted; ++i) EXPECT_EQ(all[i].value_or(-1), i);
  expect_calls(3);
}

TEST_F(ClusterCalls, CollectGoesOnWithoutResults) {
  Cluster cluster = connect();
  std::size_t i = 0;
  for (const auto& outcome :
       parallel::lazy_map_collect(cluster, items_, odd_ones_only, {.chunk = 7})) {
    EXPECT_EQ(outcome.has_value(), i % 2 == 1);
    if (!outcome) {
      EXPECT_EQ(outcome.error().index, i);
    }
    ++i;
  }
  EXPECT_EQ(i, kCounted);
  expect_calls(1);
}

TEST_F(ClusterCalls, CollectUnorderedGivesEveryOutcomeOnce) {
  Cluster cluster = connect();
  std::vector<int> seen;
  for (const auto& outcome :
       parallel::lazy_map_collect_unordered(cluster, items_, refuse_seven, {.chunk = 3})) {
    seen.push_back(outcome ? *outcome : static_cast<int>(outcome.error().index));
    EXPECT_EQ(outcome.has_value(), seen.back() != 7);
  }
  std::ranges::sort(seen);
  EXPECT_EQ(seen, items_);
}

TEST(Cluster, AStopTokenEndsAMap) {
  Crew crew;  // without workers
  Cluster cluster = crew.connect();
  std::stop_source stop;
  std::jthread later([&] { stop.request_stop(); });
  EXPECT_THROW(static_cast<void>(parallel::map(cluster, std::views::iota(0), squared,
                                               {.chunk = 1, .stop = stop.get_token()})),
               pool::TaskError);
}

}  // namespace
}  // namespace artel::cluster
