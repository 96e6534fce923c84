#include "artel/pool/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <limits>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

TEST(ParallelFor, CallsEachItemOnce) {
  Pool pool{{.workers = 3}};
  for (const std::size_t grain : {0U, 1U, 7U, 1000U, 100'000U}) {
    for (const std::size_t count : {1U, 2U, 13U, 1000U, 50'000U}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(pool, std::size_t{0}, count, grain, [&](std::size_t i) { ++calls[i]; });
      for (const auto& each : calls) ASSERT_EQ(each, 1) << count << " items, grain " << grain;
    }
  }
}

TEST(ParallelFor, AnyIntegersDo) {
  Pool pool{{.workers = 2}};
  std::mutex lock;
  const auto met = [&](auto begin, auto end) {
    std::set<std::int64_t> items;
    parallel_for(pool, begin, end, 2, [&](auto i) {
      const std::lock_guard guard(lock);
      EXPECT_TRUE(items.insert(static_cast<std::int64_t>(i)).second);
    });
    return items;
  };
  EXPECT_EQ(met(-3, 3), (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2}));
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(met(Limits::max() - 2, Limits::max()),
            (std::set<std::int64_t>{Limits::max() - 2, Limits::max() - 1}));
  EXPECT_EQ(met(std::uint8_t{250}, std::uint8_t{255}).size(), 5U);
  EXPECT_TRUE(met(5, 5).empty());
  EXPECT_TRUE(met(5, 4).empty());
}

TEST(ParallelFor, ElementsOfARange) {
  Pool pool{{.workers = 2}};
  std::vector<int> numbers(1000, 1);
  parallel_for(pool, numbers, 0, [](int& number) { number *= 2; });
  EXPECT_EQ(numbers, std::vector<int>(1000, 2));
}

TEST(ParallelFor, ACallerOutsideOnlyWaits) {
  Pool pool{{.workers = 2}};
  parallel_for(pool, 0, 1000, 10, [&](int) { EXPECT_TRUE(pool.this_worker().has_value()); });
}

// As many chunks as workers, each of which waits until all have begun.
TEST(ParallelFor, AllWorkersTakePart) {
  constexpr int kWorkers = 4;
  for (const std::size_t grain : {0U, 1U}) {
    Pool pool{{.workers = kWorkers}};
    std::latch all(kWorkers);
    parallel_for(pool, 0, kWorkers, grain, [&](int) { all.arrive_and_wait(); });
  }
}

TEST(ParallelFor, NestedLoopsDoNotWaitForEachOther) {
  for (const unsigned workers : {1U, 3U}) {
    Pool pool{{.workers = workers}};
    std::atomic<int> calls = 0;
    parallel_for(pool, 0, 20, 1, [&](int) {
      parallel_for(pool, 0, 20, 1,
                   [&](int) { parallel_for(pool, 0, 20, 0, [&](int) { ++calls; }); });
    });
    EXPECT_EQ(calls, 8000);
  }
}

// The only worker is in the loop; the pool has no room for another task.
TEST(ParallelFor, InATaskItNeedsNobody) {
  Pool pool{{.workers = 1, .queue = 1, .common = 0, .when_full = dispatch::WhenFull::reject}};
  std::atomic<int> calls = 0;
  pool.submit([&] {
        while (pool.try_post([] {}) == Admission::accepted) {
        }
        parallel_for(pool, 0, 1000, 10, [&](int) { ++calls; });
      })
      .get();
  EXPECT_EQ(calls, 1000);
}

TEST(ParallelFor, TheFirstExceptionEndsIt) {
  Pool pool{{.workers = 2}};
  std::atomic<int> calls = 0;
  EXPECT_THROW(parallel_for(pool, 0, 1'000'000, 1,
                            [&](int i) {
                              ++calls;
                              if (i == 5) throw i;
                            }),
               int);
  EXPECT_LT(calls, 1'000'000);
  const int after = calls;
  pool.submit([] {}).get();
  EXPECT_EQ(calls, after);  // nobody is in it any more
  EXPECT_THROW(pool.submit([&] { parallel_for(pool, 0, 10, 1, [](int) { throw 1; }); }).get(), int);
}

ErrorCode error_of_loop(Pool& pool, const std::stop_token& stop, std::atomic<int>& calls) {
  try {
    parallel_for(pool, 0, 1000, 1, [&](int) { ++calls; }, stop);
    return {};
  } catch (const TaskError& error) {
    return error.error().code;
  }
}

TEST(ParallelFor, StopsWhenAskedTo) {
  Pool pool{{.workers = 2}};
  std::stop_source stop;
  std::atomic<int> calls = 0;
  EXPECT_THROW(parallel_for(
                   pool, 0, 1'000'000, 1,
                   [&](int) {
                     if (++calls == 10) stop.request_stop();
                   },
                   stop.get_token()),
               TaskError);
  EXPECT_LT(calls, 1'000'000);
  calls = 0;
  EXPECT_EQ(error_of_loop(pool, stop.get_token(), calls), ErrorCode::cancelled);
  EXPECT_EQ(calls, 0);
  std::stop_source late;  // all items were done by then
  parallel_for(pool, 0, 1, 1, [&](int) { late.request_stop(); }, late.get_token());
}

TEST(ParallelFor, APoolThatStopsRefusesOrCancelsIt) {
  HeldPool held({.workers = 1});
  std::atomic<int> calls = 0;
  ErrorCode code{};
  std::thread caller([&] { code = error_of_loop(*held, {}, calls); });
  while (held->stats().total.queued == 0) std::this_thread::yield();
  std::thread stopper([&] { held->stop(StopMode::cancel); });
  while (!held->stopped()) std::this_thread::yield();
  held.release();
  caller.join();
  stopper.join();
  EXPECT_EQ(code, ErrorCode::cancelled);
  EXPECT_EQ(error_of_loop(*held, {}, calls), ErrorCode::closed);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace artel::pool
