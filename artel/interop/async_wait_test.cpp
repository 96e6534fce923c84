#include "artel/interop/async_wait.hpp"

#include <gtest/gtest.h>

#include <asio/awaitable.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/bind_executor.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/cancellation_type.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/error.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/system_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <atomic>
#include <chrono>
#include <exception>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "artel/interop/asio_context.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::interop {
namespace {

// What the coroutine returns, run to its end by this thread.
template <class T>
T run(asio::io_context& io, asio::awaitable<T> coroutine) {
  auto result = asio::co_spawn(io, std::move(coroutine), asio::use_future);
  io.run();
  return result.get();
}

// [async_wait]
asio::awaitable<std::string> answer(pool::Pool& pool) {
  // The io_context's thread goes on with other things while a worker computes.
  const int number = co_await interop::async_wait(pool.submit([] { return 6 * 7; }));
  co_return std::to_string(number);
}
// [/async_wait]

TEST(AsyncWait, GivesTheResultOnTheCoroutinesOwnThread) {
  pool::Pool pool({.workers = 1});
  asio::io_context io;
  EXPECT_EQ(run(io, answer(pool)), "42");

  io.restart();
  EXPECT_TRUE(run(io, [&]() -> asio::awaitable<bool> {
    co_await async_wait(pool.submit([] {}));
    co_return !pool.this_worker();
  }()));
}

TEST(AsyncWait, KeepsTheContextFromRunningDry) {
  pool::Pool pool({.workers = 1});
  asio::io_context io;
  std::latch go(1);
  std::optional<int> found;
  async_wait(pool.submit([&] {
    go.wait();
    return 1;
  }),
             asio::bind_executor(io, [&](const std::exception_ptr&, int value) { found = value; }));
  io.poll();  // there is nothing to do yet
  EXPECT_FALSE(io.stopped());
  go.count_down();
  io.run();
  EXPECT_EQ(found, 1);
}

TEST(AsyncWait, AReadyFutureCallsItsHandlerLater) {
  pool::Promise<int> promise;
  auto future = promise.future();
  promise.set_value(3);
  asio::io_context io;
  int found = 0;
  async_wait(std::move(future),
             asio::bind_executor(io, [&](const std::exception_ptr&, int value) { found = value; }));
  EXPECT_EQ(found, 0);
  io.run();
  EXPECT_EQ(found, 3);
}

TEST(AsyncWait, ThrowsWhatTheTaskThrew) {
  pool::Pool pool({.workers = 1});
  asio::io_context io;
  EXPECT_THROW(run(io,
                   [&]() -> asio::awaitable<int> {
                     co_return co_await async_wait(
                         pool.submit([]() -> int { throw std::out_of_range("broken"); }));
                   }()),
               std::out_of_range);
}

TEST(AsyncWait, ThrowsTaskErrorWhereThereIsNoResult) {
  pool::Pool pool({.workers = 1});
  pool.stop();
  asio::io_context io;
  EXPECT_THROW(
      run(io, [&]() -> asio::awaitable<void> { co_await async_wait(pool.submit([] {})); }()),
      pool::TaskError);
}

TEST(AsyncWait, WorksWithAnExecutorThatHasNoContext) {
  pool::Pool pool({.workers = 1});
  EXPECT_EQ(async_wait(pool.submit([] { return 7; }), asio::use_future).get(), 7);
}

TEST(AsyncWait, WorksOnThePoolItself) {
  pool::Pool pool({.workers = 1});  // nobody blocks, so one worker is enough
  AsioContext context(pool);
  auto sum = asio::co_spawn(
      context.get_executor(),
      [&]() -> asio::awaitable<int> {
        int all = 0;
        for (int i = 0; i < 100; ++i) all += co_await async_wait(pool.submit([i] { return i; }));
        co_return all;
      },
      asio::use_future);
  EXPECT_EQ(sum.get(), 4950);
}

TEST(AsyncWait, CancellingEndsTheWaitAndTheTaskGoesOn) {
  pool::Pool pool({.workers = 1});
  asio::io_context io;
  asio::cancellation_signal cancel;
  std::latch go(1);
  std::atomic<bool> ran = false;
  std::exception_ptr error;
  async_wait(
      pool.submit([&] {
        go.wait();
        ran = true;
      }),
      asio::bind_cancellation_slot(
          cancel.slot(), asio::bind_executor(io, [&](const std::exception_ptr& e) { error = e; })));
  asio::post(io, [&] { cancel.emit(asio::cancellation_type::terminal); });
  io.run();  // ends though the task has not
  ASSERT_TRUE(error);
  try {
    std::rethrow_exception(error);
  } catch (const asio::system_error& e) {
    EXPECT_EQ(e.code(), asio::error::operation_aborted);
  }
  go.count_down();
  EXPECT_TRUE(pool.wait_idle());
  EXPECT_TRUE(ran);
}

TEST(AsyncWait, WithItsStopSourceATaskThatWaitsIsCancelled) {
  pool::Pool pool({.workers = 1});
  asio::io_context io;
  std::latch go(1);
  static_cast<void>(pool.post([&] { go.wait(); }));
  std::atomic<bool> ran = false;
  // [stop]
  std::stop_source stop;
  auto task = pool.submit([&] { ran = true; }, {.stop = stop.get_token()});
  auto too_slow = [&]() -> asio::awaitable<bool> {
    using namespace asio::experimental::awaitable_operators;
    asio::steady_timer timer(io, std::chrono::milliseconds(1));
    auto first = co_await (interop::async_wait(std::move(task), stop) ||
                           timer.async_wait(asio::use_awaitable));
    co_return first.index() == 1;
  };
  // [/stop]
  EXPECT_TRUE(run(io, too_slow()));
  go.count_down();
  EXPECT_TRUE(pool.wait_idle());
  EXPECT_FALSE(ran);
}

TEST(AsyncWait, AResultAndACancellationAtTheSameTimeGiveOneOfThem) {
  pool::Pool pool({.workers = 2});
  for (int i = 0; i < 500; ++i) {
    asio::io_context io;
    asio::cancellation_signal cancel;
    int calls = 0;
    async_wait(
        pool.submit([] { return 1; }),
        asio::bind_cancellation_slot(
            cancel.slot(), asio::bind_executor(io, [&](const std::exception_ptr& e, int value) {
              ++calls;
              EXPECT_NE(e == nullptr, value == 0);
            })));
    auto guard = asio::make_work_guard(io);
    asio::post(io, [&] { cancel.emit(asio::cancellation_type::all); });
    if (i % 2 == 0) io.poll();      // the cancellation first, as a rule
    EXPECT_TRUE(pool.wait_idle());  // the result first, as a rule
    guard.reset();
    io.run();
    ASSERT_EQ(calls, 1);
  }
}

TEST(AsyncWait, AContextThatIsDestroyedDestroysTheHandlersThatWait) {
  pool::Pool pool({.workers = 1});
  std::latch go(1);
  const auto held = std::make_shared<int>();
  std::atomic<bool> called = false, ran = false;
  {
    asio::io_context io;
    const auto handler = [&called, held](const std::exception_ptr&) { called = true; };
    async_wait(pool.submit([&] {
      go.wait();
      ran = true;
    }),
               asio::bind_executor(io, handler));
    asio::co_spawn(
        io,
        [](pool::Pool& on, std::shared_ptr<int> kept) -> asio::awaitable<void> {
          co_await async_wait(on.submit([] {}));
          *kept = 1;
        }(pool, held),
        asio::detached);
    io.poll();
    EXPECT_EQ(held.use_count(), 4);
  }
  EXPECT_EQ(held.use_count(), 1);
  go.count_down();
  EXPECT_TRUE(pool.wait_idle());
  EXPECT_TRUE(ran);
  EXPECT_FALSE(called);
  EXPECT_EQ(*held, 0);
}

TEST(AsyncWait, AContextMayBeDestroyedWhileItsResultsArrive) {
  pool::Pool pool({.workers = 2});
  std::atomic<int> called = 0;
  for (int i = 0; i < 1'000; ++i) {
    asio::io_context io;
    for (int k = 0; k < 4; ++k) {
      async_wait(pool.submit([] {}),
                 asio::bind_executor(io, [&](const std::exception_ptr&) { ++called; }));
    }
    if (i % 2 == 0) io.poll();
  }
  EXPECT_TRUE(pool.wait_idle());
  EXPECT_LE(called, 2'000);
}

}  // namespace
}  // namespace artel::interop
