#include "artel/parallel/lazy_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <latch>
#include <ranges>
#include <stdexcept>
#include <utility>
#include <vector>

#include "artel/parallel/executor.hpp"
#include "artel/parallel/map.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/pool/pool.hpp"
#include "tests/parallel/generated.hpp"

namespace artel::parallel {
namespace {

const auto value_of = [](const Tracked& item) { return item.value(); };
const auto same = [](int x) { return x; };

using Lazy =
    decltype(lazy_map(std::declval<pool::Pool&>(), std::declval<std::vector<int>&>(), same));
static_assert(std::ranges::input_range<Lazy> && std::movable<Lazy>);

TEST(LazyMap, GivesResultsInOrder) {
  pool::Pool pool{{.workers = 3}};
  int expected = 0;
  for (const int x : lazy_map(pool, std::views::iota(0, 1000), same, {.chunk = 7})) {
    ASSERT_EQ(x, expected++);
  }
  EXPECT_EQ(expected, 1000);
}

TEST(LazyMap, EmptySource) {
  pool::Pool pool{{.workers = 2}};
  auto lazy = lazy_map(pool, std::vector<int>{}, same);
  EXPECT_TRUE(lazy.begin() == lazy.end());
}

TEST(LazyMap, UnorderedGivesEveryResultOnce) {
  pool::Pool pool{{.workers = 3}};
  std::vector<int> results;
  for (const int x : lazy_map_unordered(pool, std::views::iota(0, 1000), same)) {
    results.push_back(x);
  }
  std::ranges::sort(results);
  EXPECT_TRUE(std::ranges::equal(results, std::views::iota(0, 1000)));
}

TEST(LazyMap, StopsAnEndlessSourceWhenTheConsumerStops) {
  for (const Start start : {Start::distribute, Start::empty}) {
    pool::Pool pool{{.workers = 3}};
    Tracked::reset();
    int taken = 0;
    for (const int x : lazy_map(pool, tracked(-1), value_of, {.chunk = 3, .start = start})) {
      ASSERT_EQ(x, taken);
      if (++taken == 100) break;
    }
    EXPECT_EQ(taken, 100);
    EXPECT_EQ(Tracked::alive(), 0);
  }
}

TEST(LazyMap, ReadsNoMoreThanTheWindowAheadOfTheConsumer) {
  pool::Pool pool{{.workers = 3}};
  std::atomic<int> read = 0;
  const auto source = [&](int i) {
    ++read;
    return i;
  };
  constexpr int kChunk = 3, kWindow = 4;
  int taken = 0;
  for ([[maybe_unused]] const int x :
       lazy_map(pool, Generated(200, source), same, {.chunk = kChunk, .window = kWindow})) {
    // The chunk in the consumer's hands, and the window.
    EXPECT_LE(read, (taken / kChunk + 1 + kWindow) * kChunk);
    ++taken;
  }
  EXPECT_EQ(taken, 200);
}

TEST(LazyMap, WithoutWorkersWorksOnDemand) {
  InlineExecutor executor;
  int calls = 0;
  const auto count = [calls = &calls](int x) {
    ++*calls;
    return x;
  };
  int taken = 0;
  for ([[maybe_unused]] const int x :
       lazy_map(executor, std::views::iota(0), count, {.chunk = 1})) {
    if (++taken == 5) break;
    EXPECT_EQ(calls, taken);
  }
  EXPECT_EQ(calls, 5);
}

TEST(LazyMap, MayBeDroppedUnread) {
  pool::Pool pool{{.workers = 2}};
  Tracked::reset();
  {
    const auto lazy = lazy_map(pool, tracked(100), value_of);
  }
  {
    auto lazy = lazy_map(pool, tracked(100), value_of, {.chunk = 1});
    static_cast<void>(lazy.begin());
    const auto moved = std::move(lazy);
  }
  EXPECT_EQ(Tracked::alive(), 0);
}

TEST(LazyMap, IsASourceForTheNextMap) {
  for (const unsigned workers : {1U, 2U, 4U}) {
    pool::Pool pool{{.workers = workers}};
    const auto doubled = [](int x) { return 2 * x; };
    const auto results = map(pool, lazy_map(pool, std::views::iota(0, 500), doubled, {.chunk = 3}),
                             doubled, {.chunk = 2});
    EXPECT_TRUE(std::ranges::equal(
        results, std::views::iota(0, 500) | std::views::transform([](int x) { return 4 * x; })));
  }
}

TEST(LazyMap, HandsOverWhatCameBeforeAnException) {
  pool::Pool pool{{.workers = 3}};
  const auto picky = [](int x) {
    if (x >= 57) throw std::out_of_range("57");
    return x;
  };
  std::vector<int> seen;
  const auto consume = [&] {
    for (const int x : lazy_map(pool, std::views::iota(0), picky, {.chunk = 5})) seen.push_back(x);
  };
  EXPECT_THROW(consume(), std::out_of_range);
  EXPECT_TRUE(std::ranges::equal(seen, std::views::iota(0, 57)));
}

const auto seven_fails = [](int x) {
  if (x % 10 == 7) throw std::out_of_range("7");
  return x;
};

TEST(LazyMapCollect, GoesOnBehindAFailureInOrder) {
  for (const unsigned retries : {0U, 2U}) {
    pool::Pool pool{{.workers = 3}};
    int expected = 0;
    for (const auto& outcome : lazy_map_collect(pool, std::views::iota(0), seven_fails,
                                                {.chunk = 5, .retries = retries})) {
      ASSERT_EQ(outcome.has_value(), expected % 10 != 7);
      if (outcome) {
        ASSERT_EQ(*outcome, expected);
      } else {
        ASSERT_EQ(outcome.error().index, static_cast<std::uint64_t>(expected));
        ASSERT_EQ(outcome.error().attempts, retries + 1);
        ASSERT_THROW(std::rethrow_exception(outcome.error().exception), std::out_of_range);
      }
      if (++expected == 200) break;
    }
    EXPECT_EQ(expected, 200);
  }
}

TEST(LazyMapCollect, UnorderedGivesEveryOutcomeOnce) {
  pool::Pool pool{{.workers = 3}};
  std::vector<int> seen;
  for (const auto& outcome :
       lazy_map_collect_unordered(pool, std::views::iota(0, 500), seven_fails, {.chunk = 3})) {
    seen.push_back(outcome ? *outcome : static_cast<int>(outcome.error().index));
    EXPECT_EQ(outcome.has_value(), seen.back() % 10 != 7);
  }
  std::ranges::sort(seen);
  EXPECT_TRUE(std::ranges::equal(seen, std::views::iota(0, 500)));
}

TEST(LazyMapCollect, EndsWhenTheSourceThrows) {
  pool::Pool pool{{.workers = 2}};
  const auto source = [](int i) {
    if (i == 20) throw std::runtime_error("the source");
    return i;
  };
  int seen = 0;
  const auto consume = [&] {
    for ([[maybe_unused]] const auto& outcome :
         lazy_map_collect(pool, Generated(100, source), seven_fails, {.chunk = 4})) {
      ++seen;
    }
  };
  EXPECT_THROW(consume(), std::runtime_error);
  EXPECT_EQ(seen, 20);
}

TEST(LazyMap, HandsOverNothingThatComesAfterAnException) {
  pool::Pool pool{{.workers = 2}};
  std::latch second_done(1);
  auto lazy = lazy_map(pool, std::views::iota(0, 3),
                       [&](int x) {
                         if (x == 1) {
                           second_done.wait();
                           throw std::runtime_error("no");
                         }
                         if (x == 2) second_done.count_down();
                         return x;
                       },
                       {.chunk = 1});
  std::vector<int> results;
  EXPECT_THROW(for (const int x : lazy) results.push_back(x), std::runtime_error);
  EXPECT_EQ(results, (std::vector{0}));
}

TEST(LazyMap, HandsOverWhatWasReadBeforeTheSourceThrew) {
  pool::Pool pool{{.workers = 3}};
  const auto broken = [](int i) {
    if (i == 58) throw std::out_of_range("58");
    return i;
  };
  std::vector<int> seen;
  const auto consume = [&] {
    for (const int x : lazy_map(pool, Generated(-1, broken), same, {.chunk = 5})) seen.push_back(x);
  };
  EXPECT_THROW(consume(), std::out_of_range);
  EXPECT_TRUE(std::ranges::equal(seen, std::views::iota(0, 58)));
}

}  // namespace
}  // namespace artel::parallel
