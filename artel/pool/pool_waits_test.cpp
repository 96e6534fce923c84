// Waiting for tasks: inside of tasks, outside, deep, long, and by asking again and again.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <functional>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/blocking.hpp"
#include "artel/pool/detail/pool_access.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/shared_future.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/pool/when_any.hpp"
#include "artel/pool/worker_handle.hpp"
#include "tests/pool/fib.hpp"
#include "tests/pool/held_pool.hpp"
#include "tests/sanitized.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

TEST(PoolWaits, ATaskMayPoll) {
  Pool pool{{.workers = 1}};
  const auto one = [&pool] { return pool.submit([] { return 1; }); };
  EXPECT_EQ(pool.submit([&] {
                  auto inner = one();
                  while (!inner.wait_for(1ms)) {
                  }
                  auto other = one();
                  while (!other.wait_for(0s)) {
                  }
                  auto third = one();
                  while (!third.ready()) std::this_thread::yield();
                  return inner.get() + other.get() + third.get();
                })
                .get(),
            3);
}

TEST(PoolWaits, TenThousandTasksMayWaitAtOnce) {
  rlimit limit{};
  getrlimit(RLIMIT_NPROC, &limit);
  if (limit.rlim_cur < 20'000) GTEST_SKIP() << "the system allows too few threads";
  constexpr int kTasks = kSanitized ? 500 : 10'000;
  Promise<void> promise;
  const auto kept = promise.future().share();
  std::atomic<int> woken = 0, waiting = 0;
  Pool pool{{.workers = 2}};
  for (int i = 0; i < kTasks; ++i) {
    pool.post([&] {
      ++waiting;
      kept.wait();
      ++woken;
    });
  }
  const Instant end = later(steady_now(), 100s);
  while (waiting < kTasks && steady_now() < end) std::this_thread::yield();
  ASSERT_EQ(waiting, kTasks);
  promise.set_value();
  ASSERT_TRUE(pool.wait_idle(end));
  EXPECT_EQ(woken, kTasks);
}

// Whoever waits for what it submitted runs it, and lends its slot to nobody.
TEST(PoolWaits, ForkAndJoinTakesNoStandIn) {
  std::atomic<int> threads = 0;
  Pool pool{{.workers = 1, .on_start = [&threads](WorkerId) { ++threads; }}};
  EXPECT_EQ(pool.submit([&pool] { return fib(pool, 15); }).get(), 610);
  EXPECT_EQ(threads, 1);
}

TEST(PoolWaits, StandInsAreUsedAgain) {
  std::atomic<int> threads = 0;
  Pool pool{{.workers = 1, .on_start = [&threads](WorkerId) { ++threads; }}};
  for (int i = 0; i < 50; ++i) {
    Promise<int> promise;
    auto given = promise.future();
    auto waits = pool.submit([&given] { return given.get(); });
    auto gives = pool.submit([&promise] { promise.set_value(1); });
    EXPECT_EQ(waits.get(), 1);
    gives.get();
  }
  EXPECT_LE(threads, 6);  // a lender may still be on its way to rest when the next task waits
}

TEST(PoolWaits, WorkersBoundWhatRunsAtOnce) {
  constexpr int kWorkers = 2;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  const auto run = [&] {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(200us);
    --running;
  };
  Pool pool{{.workers = kWorkers}};
  std::vector<std::jthread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 10; ++k) pool.submit(run).get();
    });
  }
  // Tasks that wait do not count while they do, and again afterwards.
  for (int i = 0; i < 8; ++i) {
    pool.post([&] {
      run();
      Promise<void> promise;
      auto kept = promise.future();
      std::jthread outside([&promise] { promise.set_value(); });
      kept.get();
      run();
      blocking([] { std::this_thread::sleep_for(1ms); });
      run();
    });
  }
  callers.clear();
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_LE(most, kWorkers);
}

TEST(PoolWaits, NobodyOutsideRunsTasks) {
  HeldPool held({.workers = 1});
  const auto me = std::this_thread::get_id();
  auto task = held->submit([] { return std::this_thread::get_id(); });
  EXPECT_FALSE(task.wait_for(10ms));
  held.release();
  EXPECT_NE(task.get(), me);
}

TEST(PoolWaits, TheFirstOfSeveralIsNotHeldUpByAnother) {
  std::atomic<bool> ran = false;
  HeldPool held({.workers = 1});
  Promise<int> promise;
  std::vector<Future<int>> futures;
  futures.push_back(held->submit([&ran] {
    ran = true;
    return 1;
  }));
  futures.push_back(promise.future());
  promise.set_value(2);
  const auto first = when_any(std::move(futures)).get();
  EXPECT_EQ(first.index, 1U);
  EXPECT_FALSE(ran);
}

TEST(PoolWaits, WaitsAsDeepAsYouLike) {
  constexpr int kDepth = kSanitized ? 5'000 : 100'000;
  Pool pool{{.workers = 2}};
  const std::function<int(int)> dive = [&](int n) -> int {
    return n == 0 ? 0 : pool.submit([&dive, n] { return dive(n - 1); }).get() + 1;
  };
  EXPECT_EQ(pool.submit([&dive] { return dive(kDepth); }).get(), kDepth);
}

TEST(PoolWaits, ChainsAsLongAsYouLike) {
  constexpr int kLength = 1'000'000;
  HeldPool held({.workers = 1});
  Future<int> end = held->submit([] { return 0; });
  for (int i = 0; i < kLength; ++i) end = end.then([](int x) { return x + 1; });
  held.release();
  EXPECT_EQ(end.get(), kLength);
}

TEST(PoolWaits, AContinuationMayWaitForWhatItsPromiseBringsAbout) {
  Pool pool{{.workers = 2}};
  Promise<int> promise;
  std::binary_semaphore called(0);
  auto told = promise.future().then([&called](int) { called.release(); });
  auto waits = pool.submit([] {}).then([&] {
    promise.set_value(1);
    return called.try_acquire_for(10s);
  });
  EXPECT_TRUE(waits.get());
  told.get();
}

TEST(PoolWaits, ABlockingCallCostsNoCapacity) {
  Pool pool{{.workers = 1}};
  std::binary_semaphore given(0);
  auto blocks =
      pool.submit([&given] { return blocking([&] { return given.try_acquire_for(10s); }); });
  pool.submit([&given] { given.release(); }).get();
  EXPECT_TRUE(blocks.get());
}

TEST(PoolWaits, WithoutSpareThreadsAWaitIsAnErrorNotAHang) {
  Pool pool{{.workers = 1, .spares = 0}};
  Promise<int> promise;
  auto given = promise.future();
  auto waits = pool.submit([&given] { return given.get(); });
  try {
    waits.get();
    FAIL();
  } catch (const TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::unsupported);
  }
}

TEST(PoolWaits, IdleMeansWithContinuations) {
  Pool pool{{.workers = 2}};
  for (int i = 0; i < 200; ++i) {
    std::atomic<int> ran = 0;
    auto end = pool.submit([] {}).then([&] {
      std::this_thread::yield();
      pool.post([&ran] { ++ran; });
    });
    ASSERT_TRUE(pool.wait_idle(soon()));
    ASSERT_EQ(ran, 1);
    ASSERT_TRUE(end.ready());
  }
}

TEST(PoolWaits, ATaskIsToldThatItsPoolIsNotIdle) {
  Pool pool{{.workers = 1}};
  EXPECT_FALSE(pool.submit([&pool] { return pool.wait_idle(); }).get());
}

TEST(PoolWaits, ATaskKeepsItsWorkerIdAcrossAWait) {
  Pool pool{{.workers = 2}};
  EXPECT_TRUE(pool.submit([&pool] {
                    const auto before = pool.this_worker();
                    blocking([] { std::this_thread::sleep_for(1ms); });
                    return before.has_value() && before == pool.this_worker();
                  })
                  .get());
}

// W4: the thread that paused its slot loses it, to the one that had lent it.
TEST(PoolWaits, APauseDoesNotOutlastTheThreadThatAskedForIt) {
  Pool pool{{.workers = 1}};
  for (int i = 0; i < 20; ++i) {
    Promise<void> promise;
    auto brought = promise.future();
    auto waits = pool.submit([&] { brought.get(); });
    pool.post([&] {
      EXPECT_TRUE(WorkerHandle::of_this_thread().pause());
      promise.set_value();
    });
    waits.get();
    ASSERT_TRUE(pool.submit([] {}).wait_until(soon())) << "nobody serves the slot any more";
  }
}

TEST(PoolWaits, APauseThatIsForgottenEnds) {
  Pool pool{{.workers = 1}};
  pool.submit([] { EXPECT_TRUE(WorkerHandle::of_this_thread().pause()); }).get();
  ASSERT_TRUE(pool.submit([] {}).wait_until(soon()));
}

// P6 (parker.hpp). Nobody else would be summoned, and what waits behind a long task not be looked
// after.
TEST(PoolWaits, AStandInAnswersTheSummonsThatWakesIt) {
  Promise<void> promise;
  auto brought = promise.future();
  std::binary_semaphore started(0);
  Pool pool{{.workers = 1}};
  auto waits = pool.submit([&] {
    started.release();
    brought.get();
  });
  started.acquire();
  detail::PoolCore& core = detail::PoolAccess::core(pool);
  EXPECT_TRUE(happens_soon([&] { return core.queues.idle().any(); }));  // a stand-in sleeps
  core.wakeups.parking().summon_watchdog();
  EXPECT_TRUE(happens_soon([&] { return !core.wakeups.parking().watchdog().present(); }));
  promise.set_value();
  waits.get();
}

}  // namespace
}  // namespace artel::pool
