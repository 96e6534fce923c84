// What happens when the function or the range throws, or somebody asks to stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <ranges>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/map.hpp"
#include "artel/parallel/reduce.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/parallel/generated.hpp"

namespace artel::parallel {
namespace {

struct Bad : std::runtime_error {
  explicit Bad(int at) : std::runtime_error("bad"), item(at) {}
  int item;
};

TEST(MapFailure, TheFirstExceptionInOrderArrives) {
  pool::Pool pool{{.workers = 4}};
  const auto picky = [](const Tracked& item) {
    if (item.value() % 10 == 7) throw Bad(item.value());
    return item.value();
  };
  for (int i = 0; i < 50; ++i) {
    Tracked::reset();
    try {
      static_cast<void>(map(pool, tracked(-1), picky, {.chunk = 2}));
      FAIL() << "nothing was thrown";
    } catch (const Bad& bad) {
      EXPECT_EQ(bad.item, 7);
    }
    EXPECT_EQ(Tracked::alive(), 0);
    try {
      for_each(pool, tracked(-1), picky, {.chunk = 2});
      FAIL() << "nothing was thrown";
    } catch (const Bad& bad) {
      EXPECT_EQ(bad.item, 7);
    }
    EXPECT_EQ(Tracked::alive(), 0);
  }
}

TEST(MapFailure, TheRestIsNotBegun) {
  pool::Pool pool{{.workers = 2}};
  std::atomic<int> calls = 0;
  const auto fail = [&](int x) {
    ++calls;
    if (x == 3) throw Bad(x);
    return x;
  };
  EXPECT_THROW(static_cast<void>(map(pool, std::views::iota(0, 1'000'000), fail, {.chunk = 1})),
               Bad);
  EXPECT_LT(calls, 1'000'000);
}

TEST(MapFailure, InOneChunkInTheCaller) {
  pool::Pool pool{{.workers = 2}};
  const auto fail = [](int x) -> int { throw Bad(x); };
  EXPECT_THROW(static_cast<void>(map(pool, std::vector<int>{1}, fail)), Bad);
  EXPECT_THROW(static_cast<void>(map(pool, countdown(1), [](const auto&) -> int { throw Bad(1); })),
               Bad);
}

TEST(MapFailure, OfTheSourceArrives) {
  pool::Pool pool{{.workers = 3}};
  for (const int at : {0, 1, 2, 3, 50}) {
    Tracked::reset();
    const auto broken = [at](int i) {
      if (i == at) throw Bad(i);
      return Tracked(i);
    };
    const auto value = [](const Tracked& item) { return item.value(); };
    EXPECT_THROW(static_cast<void>(map(pool, Generated(-1, broken), value, {.chunk = 2})), Bad);
    EXPECT_THROW(static_cast<void>(map_unordered(pool, Generated(-1, broken), value)), Bad);
    EXPECT_EQ(Tracked::alive(), 0);
  }
}

TEST(MapFailure, OfTheFoldArrives) {
  pool::Pool pool{{.workers = 3}};
  const auto fold = [](int sum, int x) {
    if (x == 30) throw Bad(x);
    return sum + x;
  };
  EXPECT_THROW(static_cast<void>(reduce(pool, std::views::iota(0), 0, 0, fold, {.chunk = 4})), Bad);
}

TEST(MapFailure, OfTheOutputLeavesNothingBehind) {
  pool::Pool pool{{.workers = 3}};
  struct Full {
    using difference_type = std::ptrdiff_t;
    int* room;
    Full& operator*() { return *this; }
    Full& operator++() { return *this; }
    Full operator++(int) { return *this; }
    Full& operator=(int value) {
      if (--*room == 0) throw Bad(value);
      return *this;
    }
  };
  Tracked::reset();
  int room = 20;
  const auto value = [](const Tracked& item) { return item.value(); };
  EXPECT_THROW(map(pool, tracked(-1), value, Full{&room}, {.chunk = 2}), Bad);
  EXPECT_EQ(Tracked::alive(), 0);
}

TEST(MapRetry, TriesAgainAndTellsTheIndex) {
  pool::Pool pool{{.workers = 3}};
  std::vector<std::atomic<int>> tries(100);
  std::mutex lock;
  std::set<std::pair<std::uint64_t, unsigned>> failures;
  const auto flaky = [&](int x) {
    const int attempt = ++tries[static_cast<std::size_t>(x)];
    if (x % 10 == 0 && attempt <= 2) throw Bad(x);
    return x;
  };
  const auto results =
      map(pool, std::views::iota(0, 100), flaky,
          {.chunk = 3, .retries = 2, .on_failure = [&](const ItemFailure& failure) {
             const std::lock_guard guard(lock);
             failures.emplace(failure.index, failure.attempts);
           }});
  EXPECT_TRUE(std::ranges::equal(results, std::views::iota(0, 100)));
  EXPECT_EQ(failures.size(), 20);
  EXPECT_TRUE(failures.contains({90, 2}));
}

TEST(MapRetry, GivesUpAfterTheLastAttempt) {
  pool::Pool pool{{.workers = 2}};
  std::atomic<int> tries = 0;
  const auto fail = [&](int x) {
    if (x == 5) {
      ++tries;
      throw Bad(x);
    }
  };
  EXPECT_THROW(for_each(pool, std::views::iota(0, 10), fail, {.retries = 3}), Bad);
  EXPECT_EQ(tries, 4);
}

TEST(MapCollect, GoesOnAndSaysWhichFailed) {
  pool::Pool pool{{.workers = 3}};
  const auto picky = [](int x) {
    if (x % 7 == 3) throw Bad(x);
    return std::to_string(x);
  };
  const auto results = map_collect(pool, std::views::iota(0, 100), picky, {.retries = 1});
  ASSERT_EQ(results.size(), 100);
  for (int i = 0; i < 100; ++i) {
    const auto& result = results[static_cast<std::size_t>(i)];
    ASSERT_EQ(result.has_value(), i % 7 != 3);
    if (result) {
      EXPECT_EQ(*result, std::to_string(i));
    } else {
      EXPECT_EQ(result.error().index, static_cast<std::uint64_t>(i));
      EXPECT_EQ(result.error().attempts, 2);
      EXPECT_THROW(std::rethrow_exception(result.error().exception), Bad);
    }
  }
}

TEST(MapCollect, FunctionsWithoutResult) {
  pool::Pool pool{{.workers = 2}};
  const auto results = map_collect(pool, countdown(10), [](const auto& x) {
    if (*x == 4) throw Bad(4);
  });
  EXPECT_EQ(std::ranges::count_if(results, [](const auto& r) { return !r.has_value(); }), 1);
  EXPECT_FALSE(results.at(6));
}

ErrorCode code_of(const auto& call) {
  try {
    call();
  } catch (const pool::TaskError& error) {
    return error.error().code;
  }
  return {};
}

TEST(MapStop, EndsAnEndlessMap) {
  pool::Pool pool{{.workers = 3}};
  Tracked::reset();
  std::stop_source stop;
  const auto stop_at_100 = [&](const Tracked& item) {
    if (item.value() == 100) stop.request_stop();
    return item.value();
  };
  EXPECT_EQ(code_of([&] {
              static_cast<void>(map(pool, tracked(-1), stop_at_100, {.stop = stop.get_token()}));
            }),
            ErrorCode::cancelled);
  EXPECT_EQ(Tracked::alive(), 0);
}

TEST(MapStop, EndsWhenItsPoolIsCancelled) {
  for (const bool in_a_task : {false, true}) {
    std::atomic<int> ran = 0;
    pool::Pool pool{{.workers = 2}};
    const std::stop_token cancelled = pool.stop_token();
    const auto run = [&] {
      for_each(pool, std::views::iota(0),
               [&](int) {
                 ++ran;
                 while (!cancelled.stop_requested()) std::this_thread::yield();
               },
               {.chunk = 1});
    };
    std::thread stopper([&] {
      while (ran == 0) std::this_thread::yield();
      pool.stop(pool::StopMode::cancel);
    });
    try {
      in_a_task ? pool.submit(run).get() : run();
      FAIL() << "nothing was thrown";
    } catch (const pool::TaskError& error) {
      EXPECT_EQ(error.error().code, ErrorCode::cancelled);
    }
    stopper.join();
    EXPECT_LE(ran, 3);
  }
}

TEST(MapStop, AskedBeforehandBeginsNothing) {
  pool::Pool pool{{.workers = 2}};
  std::stop_source stop;
  stop.request_stop();
  std::atomic<int> calls = 0;
  EXPECT_EQ(code_of([&] {
              for_each(pool, std::views::iota(0, 100), [&](int) { ++calls; },
                       {.stop = stop.get_token()});
            }),
            ErrorCode::cancelled);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace artel::parallel
