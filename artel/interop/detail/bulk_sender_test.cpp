// NOLINTNEXTLINE(misc-include-cleaner): its users reach it through the scheduler
#include "artel/interop/detail/bulk_sender.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <latch>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stdexec/execution.hpp>
#include <thread>
#include <vector>

#include "artel/interop/pool_scheduler.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::interop {
namespace {

// NOLINTBEGIN(bugprone-unchecked-optional-access): nobody stops these; if so, the test fails

TEST(Bulk, CallsForEveryIndexOnceOnWorkers) {
  pool::Pool pool({.workers = 2});
  std::vector<int> calls(1001);
  std::atomic<int> outside = 0;
  // [bulk]
  auto work = stdexec::schedule(interop::scheduler(pool)) |
              stdexec::bulk(stdexec::par, calls.size(), [&](std::size_t i) {
                ++calls[i];
                if (!pool.this_worker()) ++outside;
              });
  stdexec::sync_wait(work);
  // [/bulk]
  EXPECT_EQ(calls, std::vector<int>(calls.size(), 1));
  EXPECT_EQ(outside, 0);
}

TEST(Bulk, ItsTasksRunAtTheSameTime) {
  pool::Pool pool({.workers = 2});
  std::latch both(2);
  stdexec::sync_wait(stdexec::schedule(scheduler(pool)) |
                     stdexec::bulk(stdexec::par, 2, [&](int) { both.arrive_and_wait(); }));
}

TEST(Bulk, PassesItsValuesOn) {
  pool::Pool pool({.workers = 2});
  auto work = stdexec::schedule(scheduler(pool)) |
              stdexec::then([] { return std::vector<int>(100, 1); }) |
              stdexec::bulk_chunked(stdexec::par, 100,
                                    [](int begin, int end, std::vector<int>& all) {
                                      for (int i = begin; i < end; ++i)
                                        all[static_cast<std::size_t>(i)] += i;
                                    }) |
              stdexec::then([](const std::vector<int>& all) {
                return std::accumulate(all.begin(), all.end(), 0);
              });
  EXPECT_EQ(std::get<0>(stdexec::sync_wait(work).value()), 100 + 4950);
}

TEST(Bulk, UnchunkedAndNothingToDo) {
  pool::Pool pool({.workers = 2});
  std::atomic<int> calls = 0;
  const auto run = [&](int shape) {
    return stdexec::sync_wait(stdexec::schedule(scheduler(pool)) |
                              stdexec::bulk_unchunked(stdexec::par, shape, [&](int) { ++calls; }));
  };
  EXPECT_TRUE(run(10));
  EXPECT_TRUE(run(0));
  EXPECT_EQ(calls, 10);
}

TEST(Bulk, SequencedIsOneTaskInOrder) {
  pool::Pool pool({.workers = 2});
  std::vector<int> order;
  stdexec::sync_wait(stdexec::schedule(scheduler(pool)) |
                     stdexec::bulk(stdexec::seq, 5, [&](int i) { order.push_back(i); }));
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

TEST(Bulk, AnExceptionArrivesOnceAllTasksHaveEnded) {
  pool::Pool pool({.workers = 2});
  std::atomic<int> calls = 0;
  auto work = stdexec::schedule(scheduler(pool)) | stdexec::bulk(stdexec::par, 8, [&](int i) {
                ++calls;
                if (i == 3) throw std::runtime_error("third");
              });
  EXPECT_THROW(static_cast<void>(stdexec::sync_wait(work)), std::runtime_error);
  EXPECT_EQ(calls, 8);
}

TEST(Bulk, WhatThePoolCancelsIsStopped) {
  pool::Pool pool({.workers = 1});
  int calls = 0;  // of four tasks, as one worker has
  std::thread stopping;
  const auto done = stdexec::sync_wait(
      stdexec::schedule(scheduler(pool)) | stdexec::bulk(stdexec::par, 4, [&](int) {
        if (++calls > 1) return;
        stopping = std::thread([&] { pool.stop(pool::StopMode::cancel); });
        // What a running task posts is refused once all that waits is cancelled.
        while (pool.post([] {}) == pool::Admission::accepted) std::this_thread::yield();
      }));
  stopping.join();
  EXPECT_EQ(done, std::nullopt);
  EXPECT_EQ(calls, 1);
}

// NOLINTEND(bugprone-unchecked-optional-access)

}  // namespace
}  // namespace artel::interop
