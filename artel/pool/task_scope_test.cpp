#include "artel/pool/task_scope.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/steady_now.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

TEST(TaskScope, EndsAfterAllItsTasks) {
  Pool pool{{.workers = 2}};
  std::vector<int> squares(100);
  TaskScope scope(pool);
  for (int i = 0; i < 100; ++i) {
    scope.spawn([&squares, i] { squares[static_cast<std::size_t>(i)] = i * i; });
  }
  scope.wait();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(squares[static_cast<std::size_t>(i)], i * i);
  scope.spawn([&squares] { squares[0] = 7; });  // it can be used again
  scope.wait();
  EXPECT_EQ(squares[0], 7);
}

TEST(TaskScope, WaitsForWhatItsTasksSpawn) {
  Pool pool{{.workers = 2}};
  std::atomic<int> ran = 0;
  TaskScope scope(pool);
  scope.spawn([&] {
    for (int i = 0; i < 10; ++i) {
      scope.spawn([&] {
        ++ran;
        scope.spawn([&ran] { ++ran; });
      });
    }
  });
  scope.wait();
  EXPECT_EQ(ran, 20);
}

TEST(TaskScope, RethrowsTheFirstExceptionAndCancelsTheRest) {
  HeldPool held({.workers = 1});
  std::atomic<int> ran = 0;
  TaskScope scope(*held);
  scope.spawn([] { throw std::runtime_error("first"); });
  for (int i = 0; i < 10; ++i) scope.spawn([&ran] { ++ran; });
  held.release();
  EXPECT_THROW(scope.wait(), std::runtime_error);
  EXPECT_EQ(ran, 0);
  EXPECT_TRUE(scope.cancelled());
  ASSERT_TRUE(held->wait_idle(soon()));
  expect_accounts_close(held->stats());
  EXPECT_EQ(held->stats().total.outcomes.of(TaskOutcome::cancelled), 10U);
}

TEST(TaskScope, ThatIsLeftCancelsAndWaits) {
  Pool pool{{.workers = 1}};
  std::latch started(1);
  bool ended = false;
  {
    TaskScope scope(pool);
    scope.spawn([&](const std::stop_token& stop) {
      started.count_down();
      while (!stop.stop_requested()) std::this_thread::yield();
      ended = true;
    });
    started.wait();
  }
  EXPECT_TRUE(ended);
}

TEST(TaskScope, NestsAndIsCancelledWithItsParent) {
  Pool pool{{.workers = 2}};
  std::latch started(1);
  TaskScope outer(pool);
  outer.spawn([&](std::stop_token stop) {
    TaskScope inner(pool, std::move(stop));
    inner.spawn([&](const std::stop_token& inside) {
      started.count_down();
      while (!inside.stop_requested()) std::this_thread::yield();
    });
    inner.wait();
  });
  started.wait();
  EXPECT_FALSE(outer.wait_until(steady_now() + std::chrono::milliseconds(1)));
  outer.cancel();
  outer.wait();
}

int scoped_fib(Pool& pool, int n) {
  if (n < 2) return n;
  int one = 0;
  TaskScope scope(pool);
  scope.spawn([&] { one = scoped_fib(pool, n - 1); });
  const int two = scoped_fib(pool, n - 2);
  scope.wait();
  return one + two;
}

TEST(TaskScope, IsAForkJoin) {
  for (const unsigned workers : {1U, 3U}) {
    Pool pool{{.workers = workers}};
    EXPECT_EQ(pool.submit([&pool] { return scoped_fib(pool, 16); }).get(), 987);
  }
}

TEST(TaskScope, WhatThePoolRefusesIsAnException) {
  Pool pool{{.workers = 1}};
  pool.stop();
  TaskScope scope(pool);
  scope.spawn([] {});
  EXPECT_THROW(scope.wait(), TaskError);
}

}  // namespace
}  // namespace artel::pool
