#include "artel/interop/asio_context.hpp"

#include <gtest/gtest.h>

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/bind_executor.hpp>
#include <asio/co_spawn.hpp>
#include <asio/dispatch.hpp>
#include <asio/execution.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/prefer.hpp>
#include <asio/query.hpp>
#include <asio/require.hpp>
#include <asio/steady_timer.hpp>
#include <asio/strand.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "artel/dispatch/when_full.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::interop {
namespace {

static_assert(asio::execution::is_executor_v<AsioExecutor>);
static_assert(asio::can_require_v<AsioExecutor, asio::execution::blocking_t::never_t>);
static_assert(asio::can_require_v<AsioExecutor, asio::execution::outstanding_work_t::tracked_t>);
static_assert(std::is_constructible_v<asio::any_io_executor, AsioExecutor>);

TEST(AsioContext, PostRunsOnAWorker) {
  pool::Pool pool({.workers = 2});
  // [post]
  interop::AsioContext context(pool);
  auto there = asio::post(context.get_executor(),
                          asio::use_future([&] { return pool.this_worker().has_value(); }));
  // [/post]
  EXPECT_TRUE(there.get());
}

TEST(AsioContext, PostNeverRunsAtOnceAndDispatchDoesOnAWorker) {
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  std::vector<int> order;
  asio::post(context.get_executor(), [&] {
    asio::post(context.get_executor(), [&] { order.push_back(3); });
    asio::dispatch(context.get_executor(), [&] { order.push_back(1); });
    order.push_back(2);
  });
  context.join();
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
  bool ran_here = false;
  const auto here = std::this_thread::get_id();
  asio::dispatch(context.get_executor(), [&] { ran_here = std::this_thread::get_id() == here; });
  context.join();
  EXPECT_FALSE(ran_here);
}

TEST(AsioContext, PropertiesAreWhatWasAskedFor) {
  namespace execution = asio::execution;
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  const AsioExecutor plain = context.get_executor();
  EXPECT_EQ(asio::query(plain, execution::blocking), execution::blocking.possibly);
  EXPECT_EQ(asio::query(plain, execution::relationship), execution::relationship.fork);
  EXPECT_EQ(asio::query(plain, execution::outstanding_work), execution::outstanding_work.untracked);
  EXPECT_EQ(&asio::query(plain, execution::context), &context);

  const AsioExecutor other =
      asio::prefer(asio::require(plain, execution::blocking.never),
                   execution::relationship.continuation, execution::outstanding_work.tracked);
  EXPECT_EQ(asio::query(other, execution::blocking), execution::blocking.never);
  EXPECT_EQ(asio::query(other, execution::relationship), execution::relationship.continuation);
  EXPECT_EQ(asio::query(other, execution::outstanding_work), execution::outstanding_work.tracked);
  EXPECT_NE(plain, other);
  EXPECT_EQ(plain, context.get_executor());
}

TEST(AsioContext, AStrandRunsOneHandlerAtATimeInOrder) {
  pool::Pool pool({.workers = 4});
  AsioContext context(pool);
  // [strand]
  auto strand = asio::make_strand(context.get_executor());
  std::vector<int> order;  // no lock: only the strand's handlers touch it
  for (int i = 0; i < 1'000; ++i) asio::post(strand, [&order, i] { order.push_back(i); });
  context.join();  // waits for all of them
  // [/strand]
  ASSERT_EQ(order.size(), 1'000U);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(AsioContext, CoroutinesRunOnWorkers) {
  pool::Pool pool({.workers = 2});
  AsioContext context(pool);
  const auto hops = [&]() -> asio::awaitable<int> {
    int on_worker = 0;
    for (int i = 0; i < 10; ++i) {
      co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
      if (pool.this_worker()) ++on_worker;
    }
    co_return on_worker;
  };
  EXPECT_EQ(asio::co_spawn(context.get_executor(), hops(), asio::use_future).get(), 10);
}

TEST(AsioContext, AnExceptionOfACoroutineArrives) {
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  auto failed = asio::co_spawn(
      context.get_executor(),
      []() -> asio::awaitable<int> {
        throw std::runtime_error("broken");
        co_return 1;
      },
      asio::use_future);
  EXPECT_THROW(failed.get(), std::runtime_error);
}

TEST(AsioContext, HandlersOfAnotherContextRunOnWorkers) {
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  asio::io_context io;
  asio::steady_timer timer(io, std::chrono::milliseconds(1));
  std::atomic<bool> there = false;
  timer.async_wait(asio::bind_executor(context.get_executor(), [&](const asio::error_code& error) {
    there = !error && pool.this_worker().has_value();
  }));
  io.run();
  context.join();
  EXPECT_TRUE(there);
}

TEST(AsioContext, ATimerMayLiveInIt) {
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(1));
  auto there = asio::co_spawn(
      context.get_executor(),
      [&]() -> asio::awaitable<bool> {
        co_await timer.async_wait(asio::use_awaitable);
        co_return pool.this_worker().has_value();
      },
      asio::use_future);
  EXPECT_TRUE(there.get());
}

TEST(AsioContext, JoinWaitsForTrackedWork) {
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  auto guard = asio::make_work_guard(context.get_executor());
  std::atomic<bool> joined = false;
  std::thread joining([&] {
    context.join();
    joined = true;
  });
  for (int i = 0; i < 100; ++i) asio::post(context.get_executor(), asio::use_future([] {})).get();
  EXPECT_FALSE(joined);  // handlers come and go; the guard stays
  guard.reset();
  joining.join();
}

TEST(AsioContext, WhatAStoppedPoolRefusesIsDestroyed) {
  pool::Pool pool({.workers = 1});
  AsioContext context(pool);
  pool.stop();
  auto held = std::make_shared<int>(1);
  bool ran = false;
  asio::post(context.get_executor(), [held, &ran] { ran = true; });
  EXPECT_FALSE(ran);
  EXPECT_EQ(held.use_count(), 1);
  context.join();  // nothing is outstanding
}

TEST(AsioContext, AFullPoolThatRefusesThrows) {
  std::latch started(1), go(1);
  pool::Pool pool({.workers = 1, .queue = 1, .common = 0, .when_full = dispatch::WhenFull::reject});
  AsioContext context(pool);
  static_cast<void>(pool.post([&] {
    started.count_down();
    go.wait();
  }));
  started.wait();
  while (pool.post([] {}) == pool::Admission::accepted) {
  }
  EXPECT_THROW(asio::post(context.get_executor(), [] {}), pool::TaskError);
  go.count_down();
}

}  // namespace
}  // namespace artel::interop
