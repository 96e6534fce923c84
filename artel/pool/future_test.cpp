#include "artel/pool/future.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/pool/task_scope.hpp"
#include "artel/pool/when_all.hpp"
#include "artel/pool/when_any.hpp"

namespace artel::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Promise, GivesAValueToItsFuture) {
  Promise<int> promise;
  auto future = promise.future();
  EXPECT_FALSE(future.ready());
  promise.set_value(3);
  EXPECT_TRUE(future.ready());
  EXPECT_EQ(future.get(), 3);
  EXPECT_FALSE(future.valid());
}

TEST(Promise, ThatIsDroppedIsAnErrorNotAHang) {
  Future<int> future;
  {
    Promise<int> promise;
    future = promise.future();
  }
  auto result = future.result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::closed);
}

TEST(Promise, WakesAThreadThatWaits) {
  Promise<std::string> promise;
  auto future = promise.future();
  std::thread giver([&promise] { promise.set_value("here"); });
  EXPECT_EQ(future.get(), "here");
  giver.join();
}

TEST(Future, WithoutAResultThrowsTaskErrorFromGet) {
  auto future = Future<int>::refused({ErrorCode::full, "no room", ""});
  try {
    future.get();
    FAIL();
  } catch (const TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::full);
  }
}

TEST(Future, WaitForSaysWhetherItIsReady) {
  Promise<void> promise;
  auto future = promise.future();
  EXPECT_FALSE(future.wait_for(milliseconds(1)));
  promise.set_value();
  EXPECT_TRUE(future.wait_for(seconds(20)));
  future.get();
}

TEST(Future, KeepsResultsOfAnySizeAndAlignment) {
  struct alignas(64) Wide {
    char bytes[64];
  };
  struct Large {
    char bytes[1000];
  };
  Pool pool({.workers = 1});
  const auto aligned = [wide = Wide{}] { return reinterpret_cast<std::uintptr_t>(&wide) % 64; };
  std::vector<Future<std::uintptr_t>> offsets;  // at once, so that each is elsewhere
  for (int i = 0; i < 20; ++i) offsets.push_back(pool.submit(aligned));
  for (auto& offset : offsets) EXPECT_EQ(offset.get(), 0U);
  EXPECT_EQ(pool.submit([] { return Wide{{'w'}}; }).get().bytes[0], 'w');
  EXPECT_EQ(pool.submit([] { return Large{{'l'}}; }).get().bytes[0], 'l');
}

TEST(Future, ACallableThatThrowsWhenItIsCopiedOrMovedLosesNothing) {
  struct Throws {
    std::shared_ptr<int> held;
    int copies = 0;  // until it throws
    Throws(std::shared_ptr<int> what, int n) : held(std::move(what)), copies(n) {}
    Throws(const Throws& other) : held(other.held), copies(other.copies - 1) {
      if (copies < 0) throw std::runtime_error("no copy");
    }
    int operator()() const { return *held; }
  };
  struct alignas(64) Wide : Throws {
    using Throws::Throws;
  };
  const auto held = std::make_shared<int>(7);
  Pool pool({.workers = 1});
  TaskScope scope(pool);
  const auto attempt = [&](auto callable) {
    EXPECT_THROW(static_cast<void>(pool.submit(callable)), std::runtime_error);
    EXPECT_THROW(pool.post(callable), std::runtime_error);
    EXPECT_THROW(scope.spawn(callable), std::runtime_error);
  };
  attempt(Throws(held, 0));
  attempt(Wide(held, 0));
  scope.wait();
  EXPECT_EQ(pool.submit(Throws(held, 10)).get(), 7);
  EXPECT_TRUE(pool.wait_idle());
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Future, ThenRunsOnTheValue) {
  Promise<int> promise;
  auto text = promise.future().then([](int i) { return i + 1; }).then([](int i) {
    return std::to_string(i);
  });
  promise.set_value(41);
  EXPECT_EQ(text.get(), "42");
}

TEST(Future, ThenOfAReadyFutureRunsAtOnce) {
  Promise<int> promise;
  auto future = promise.future();
  promise.set_value(1);
  auto next = future.then([](int i) { return i + 1; });
  EXPECT_TRUE(next.ready());
  EXPECT_EQ(next.get(), 2);
}

TEST(Future, ErrorsAndExceptionsPassByThen) {
  Promise<int> broken, failing;
  auto after_broken = broken.future().then([](int) { return 1; });
  auto after_failing = failing.future().then([](int) {});
  {
    const auto dropped = std::move(broken);
  }
  failing.set_exception(std::make_exception_ptr(std::runtime_error("no")));
  EXPECT_THROW(after_broken.get(), TaskError);
  EXPECT_THROW(after_failing.get(), std::runtime_error);
}

// Whoever catches it may be its last owner and look into it: no worker lets go of it later. (Seen
// by ThreadSanitizer, to which the counting of owners in the standard library says nothing.)
TEST(Future, AnExceptionIsLeftToWhoeverCatchesIt) {
  Pool pool{{.workers = 2}};
  const auto caught = [](auto future) {
    try {
      static_cast<void>(future.get());
    } catch (const std::size_t& thrown) {
      return thrown;
    }
    return std::size_t{0};
  };
  for (std::size_t i = 1; i <= 300; ++i) {
    const auto fail = [i]() -> int { throw i; };
    EXPECT_EQ(caught(pool.submit(fail)), i);
    EXPECT_EQ(caught(pool.submit(fail).then([](int n) { return n; })), i);
    EXPECT_EQ(caught(pool.submit(fail).then(pool, [](int n) { return n; })), i);
    EXPECT_EQ(caught(pool.submit([&] { return pool.submit(fail); }).unwrap()), i);
    std::vector<Future<int>> all;
    all.push_back(pool.submit(fail));
    all.push_back(pool.submit([] { return 0; }));
    EXPECT_EQ(caught(std::move(when_all(std::move(all)).get().front())), i);
  }
}

TEST(Future, ALongChainOfThenDoesNotGrowTheStack) {
  Promise<int> promise;
  auto future = promise.future();
  for (int i = 0; i < 100'000; ++i) future = future.then([](int n) { return n + 1; });
  promise.set_value(0);
  EXPECT_EQ(future.get(), 100'000);
}

TEST(Future, WaitingForAContinuationRunsWhatItWaitsFor) {
  Pool pool{{.workers = 1}};
  const int answer = pool.submit([&pool] {
                           return pool.submit([] { return 20; })
                               .then([](int i) { return i + 1; })
                               .then([](int i) { return i * 2; })
                               .get();
                         })
                         .get();
  EXPECT_EQ(answer, 42);
}

TEST(Future, AContinuationMayWaitForOtherTasks) {
  Pool pool{{.workers = 1}};
  auto future = pool.submit([] { return 1; }).then([&pool](int i) {
    return i + pool.submit([] { return 1; }).then([](int k) { return k * 10; }).get();
  });
  EXPECT_EQ(future.get(), 11);
}

TEST(AllOf, IsReadyWithTheLast) {
  Pool pool{{.workers = 2}};
  std::vector<Future<int>> futures;
  for (int i = 0; i < 100; ++i) futures.push_back(pool.submit([i] { return i; }));
  int sum = 0;
  auto all = when_all(std::move(futures)).get();
  for (auto& future : all) sum += future.get();
  EXPECT_EQ(sum, 4950);
  EXPECT_TRUE(when_all(std::vector<Future<int>>{}).get().empty());
}

TEST(AllOf, WaitsInsideAWorkerWithoutDeadlock) {
  Pool pool{{.workers = 1}};
  auto count = pool.submit([&pool] {
    std::vector<Future<void>> futures;
    for (int i = 0; i < 10; ++i) futures.push_back(pool.submit([] {}));
    return when_all(std::move(futures)).get().size();
  });
  EXPECT_EQ(count.get(), 10U);
}

TEST(AnyOf, IsReadyWithTheFirst) {
  Promise<int> slow, quick;
  std::vector<Future<int>> futures;
  futures.push_back(slow.future());
  futures.push_back(quick.future());
  auto any = when_any(std::move(futures));
  EXPECT_FALSE(any.ready());
  quick.set_value(7);
  auto first = any.get();
  EXPECT_EQ(first.index, 1U);
  EXPECT_EQ(first.future.get(), 7);
  slow.set_value(8);
}

Future<int> sum_in_pool(Pool& pool) {
  co_await pool.schedule();
  const int left = co_await pool.submit([] { return 40; });
  const int right = co_await pool.submit([] { return 2; });
  co_return left + right;
}

TEST(Coroutine, AwaitsTasksInThePool) {
  Pool pool{{.workers = 2}};
  EXPECT_EQ(sum_in_pool(pool).get(), 42);
}

Future<void> fails_in_pool(Pool& pool) {
  co_await pool.submit([] { throw std::runtime_error("no"); });
}

TEST(Coroutine, SeesTheExceptionOfWhatItAwaits) {
  Pool pool{{.workers = 1}};
  EXPECT_THROW(fails_in_pool(pool).get(), std::runtime_error);
}

Future<void> only_schedules(Pool& pool) { co_await pool.schedule(); }

TEST(Coroutine, LearnsThatThePoolRefuses) {
  Pool pool{{.workers = 1}};
  pool.stop();
  EXPECT_THROW(only_schedules(pool).get(), TaskError);
}

TEST(Coroutine, LearnsThatItWasCancelledWhileItWaited) {
  std::latch started(1), go(1);
  Pool pool{{.workers = 1}};
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  auto future = only_schedules(pool);
  std::thread stopper([&pool] { pool.stop(StopMode::cancel); });
  while (!pool.stopped()) std::this_thread::yield();
  std::this_thread::yield();
  go.count_down();
  stopper.join();
  ASSERT_TRUE(future.ready());
  // Cancelled, or run just before: a result in either case.
  const auto result = future.result();
  EXPECT_TRUE(result || result.error().code == ErrorCode::cancelled);
}

TEST(Coroutine, HasTheErrorOfACancelledScheduleAsAValue) {
  Pool pool{{.workers = 1}};
  pool.pause();
  auto future = only_schedules(pool);
  EXPECT_EQ(pool.purge(), 1U);
  const auto result = future.result();  // does not throw
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);

  pool.stop();
  const auto refused = only_schedules(pool).result();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::closed);
}

Future<void> only_sleeps(Pool& pool) { co_await pool.sleep(std::chrono::hours(1)); }

TEST(Coroutine, HasTheErrorOfASleepThatWasCancelledAsAValue) {
  Pool pool{{.workers = 1}};
  auto future = only_sleeps(pool);
  pool.stop(StopMode::cancel);
  const auto result = future.result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

// Whatever it was thrown by: a get() in a task or in a continuation, or a scope's task.
TEST(Future, ATaskErrorThatLeavesATaskIsTheErrorOfItsFuture) {
  Pool pool{{.workers = 2}};
  const auto throws = [](int) -> int { throw TaskError({ErrorCode::expired, "too late", ""}); };
  const auto expect_error = [](Future<int> future) {
    const auto result = future.result();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::expired);
  };
  expect_error(pool.submit(throws, 1));
  expect_error(pool.submit([] { return 1; }).then(throws));
  expect_error(pool.submit([] { return 1; }).then(pool, throws));
  expect_error(pool.submit([&] { return pool.submit(throws, 1); }).unwrap());
  EXPECT_THROW(pool.submit(throws, 1).get(), TaskError);
  TaskScope scope(pool);
  scope.spawn([&] { throws(1); });
  EXPECT_THROW(scope.wait(), TaskError);
  EXPECT_TRUE(scope.cancelled());
}

struct OwnError : TaskError {
  using TaskError::TaskError;
};

TEST(Future, AnExceptionDerivedFromTaskErrorStaysAnException) {
  Pool pool{{.workers = 1}};
  auto future = pool.submit([] { throw OwnError({ErrorCode::full, "", ""}); });
  EXPECT_THROW(static_cast<void>(future.result()), OwnError);
}

TEST(Future, AContinuationThatTakesTheFutureGetsErrorsToo) {
  const auto recover = [](Future<int> ready) {
    EXPECT_TRUE(ready.ready());
    const auto result = ready.result();
    return result ? *result : -1;
  };
  Pool pool{{.workers = 1}};
  EXPECT_EQ(pool.submit([] { return 3; }).then(recover).get(), 3);
  EXPECT_EQ(Future<int>::refused({ErrorCode::full, "", ""}).then(recover).get(), -1);
  EXPECT_EQ(Future<int>::refused({ErrorCode::full, "", ""}).then(pool, recover).get(), -1);
  auto caught = pool.submit([] { throw std::runtime_error("no"); }).then([](Future<void> ready) {
    EXPECT_THROW(ready.get(), std::runtime_error);
    return 1;
  });
  EXPECT_EQ(caught.get(), 1);
}

}  // namespace
}  // namespace artel::pool
