// What stop(cancel) ends, whatever built it, and what stop() with a deadline says.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <latch>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/parallel_for.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/strand.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/pool/task_graph.hpp"
#include "artel/pool/task_scope.hpp"
#include "artel/pool/timer.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

// A pool that something runs on while it is cancelled. A task that calls hold() runs until then.
class CancelledPool {
 public:
  CancelledPool() : pool_(PoolOptions{.workers = 3}) {
    std::latch watches(1);
    pool_.post([&](const std::stop_token& stop) {
      watches.count_down();
      while (!stop.stop_requested()) std::this_thread::yield();
      cancelled_ = true;  // from here on nothing begins
    });
    watches.wait();
  }
  Pool& operator*() { return pool_; }

  void hold() {
    begun_ = true;
    while (!cancelled_) std::this_thread::yield();
  }
  // Once a task holds.
  void cancel() {
    ASSERT_TRUE(happens_soon([this] { return begun_.load(); }));
    EXPECT_TRUE(pool_.stop(StopMode::cancel, soon()).empty());
    expect_accounts_close(pool_.stats());
  }

 private:
  std::atomic<bool> begun_ = false, cancelled_ = false;
  Pool pool_;
};

TEST(PoolCancel, EndsWhatWaitsInAStrandWithATaskThatRuns) {
  CancelledPool pool;
  const Strand strand(*pool);
  std::atomic<int> ran = 0;
  std::vector<Future<void>> futures;
  for (int i = 0; i < 100; ++i) {
    futures.push_back(strand.submit([&] {
      ++ran;
      pool.hold();
    }));
  }
  pool.cancel();
  EXPECT_EQ(ran, 1);
  EXPECT_TRUE(futures.front().result().has_value());
  for (std::size_t i = 1; i < futures.size(); ++i) {
    ASSERT_EQ(futures[i].result().error().code, ErrorCode::cancelled);
  }
  EXPECT_EQ(strand.post([] {}), Admission::closed);
}

TEST(PoolCancel, EndsAStrandThatPostsToItself) {
  CancelledPool pool;
  const Strand strand(*pool);
  std::atomic<int> refused = 0;
  std::function<void()> again = [&] {
    pool.hold();
    if (strand.post(again) == Admission::closed) ++refused;
  };
  strand.post(again);
  pool.cancel();
  EXPECT_EQ(refused, 1);
}

TEST(PoolCancel, EndsAGraph) {
  CancelledPool pool;
  TaskGraph graph;
  std::atomic<int> ran = 0;
  const auto task = [&] {
    ++ran;
    pool.hold();
  };
  TaskGraph::Step last = graph.add(task);
  for (int i = 0; i < 100; ++i) last = graph.add(task).after(last);
  auto run = graph.run(*pool);
  pool.cancel();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(run.result().error().code, ErrorCode::cancelled);
}

TEST(PoolCancel, EndsALoop) {
  CancelledPool pool;
  std::atomic<int> ran = 0;
  std::atomic<bool> told = false;
  std::jthread caller([&] {
    try {
      parallel_for(*pool, 0, 1000, 1, [&](int) {
        ++ran;
        pool.hold();
      });
    } catch (const TaskError& error) {
      told = error.error().code == ErrorCode::cancelled;
    }
  });
  pool.cancel();
  caller.join();
  EXPECT_TRUE(told);
  EXPECT_LE(ran, 3);
}

TEST(PoolCancel, EndsAScopeAndALoopWithinATask) {
  CancelledPool pool;
  std::atomic<int> ran = 0;
  const auto task = [&] {
    ++ran;
    pool.hold();
  };
  auto scope = (*pool).submit([&] {
    TaskScope inner(*pool);
    for (int i = 0; i < 100; ++i) inner.spawn(task);
    inner.wait();
  });
  auto loop = (*pool).submit([&] { parallel_for(*pool, 0, 1000, 1, [&](int) { task(); }); });
  pool.cancel();
  EXPECT_THROW(scope.get(), TaskError);
  EXPECT_THROW(loop.get(), TaskError);
  EXPECT_LE(ran, 6);
}

TEST(PoolCancel, EndsTimersWithARunThatWaitsAndThoseThatAreNotDue) {
  CancelledPool pool;
  std::atomic<int> ran = 0;
  for (int i = 0; i < 2; ++i) (*pool).post([&pool] { pool.hold(); });
  ASSERT_TRUE(happens_soon([&pool] { return (*pool).stats().total.queued == 0; }));
  const std::vector<Timer> timers{
      (*pool).after(Duration::zero(), [&ran] { ++ran; }),  // these two wait for a worker
      (*pool).every(1us, [&ran] { ++ran; }),
      (*pool).after(1h, [&ran] { ++ran; }),
      (*pool).every(1h, [&ran] { ++ran; }),
  };
  ASSERT_TRUE(happens_soon([&pool] { return (*pool).stats().total.queued == 2; }));
  for (const Timer& timer : timers) EXPECT_TRUE(timer.active());
  pool.cancel();
  EXPECT_EQ(ran, 0);
  for (const Timer& timer : timers) EXPECT_FALSE(timer.active());
}

TEST(PoolCancel, EndsATimerWithARunThatGoesOn) {
  CancelledPool pool;
  std::atomic<int> ran = 0;
  const Timer timer = (*pool).every(1us, [&] {
    ++ran;
    pool.hold();
  });
  pool.cancel();
  EXPECT_EQ(ran, 1);
  EXPECT_FALSE(timer.active());
}

Future<void> wait_for_worker(Pool& pool, std::atomic<int>& ran) {
  co_await pool.schedule();
  ++ran;
}

Future<void> sleep_for_an_hour(Pool& pool, std::atomic<int>& ran) {
  co_await pool.sleep(1h);
  ++ran;
}

Future<void> wait_for_task(Pool& pool, std::atomic<int>& ran) {
  co_await pool.submit([&ran] { ++ran; });
  ++ran;
}

TEST(PoolCancel, EndsCoroutinesThatWaitForAWorkerForATimeAndForATask) {
  CancelledPool pool;
  std::atomic<int> ran = 0;
  for (int i = 0; i < 2; ++i) (*pool).post([&pool] { pool.hold(); });
  ASSERT_TRUE(happens_soon([&pool] { return (*pool).stats().total.queued == 0; }));
  std::vector<Future<void>> waiting;
  waiting.push_back(wait_for_worker(*pool, ran));
  waiting.push_back(sleep_for_an_hour(*pool, ran));
  waiting.push_back(wait_for_task(*pool, ran));
  pool.cancel();
  EXPECT_EQ(ran, 0);
  for (auto& coroutine : waiting) {
    ASSERT_TRUE(coroutine.ready());
    EXPECT_EQ(coroutine.result().error().code, ErrorCode::cancelled);
  }
}

TEST(PoolCancel, EndsACoroutineThatComesBackForever) {
  CancelledPool pool;
  std::atomic<int> turns = 0;
  auto coroutine = [](CancelledPool& in, std::atomic<int>& count) -> Future<void> {
    for (;;) {
      co_await (*in).schedule();
      ++count;
      in.hold();
    }
  }(pool, turns);
  pool.cancel();
  EXPECT_EQ(turns, 1);
  EXPECT_EQ(coroutine.result().error().code, ErrorCode::closed);
}

TEST(PoolStop, ReturnsAtItsDeadlineAndNamesWhatStillRuns) {
  for (const StopMode mode : {StopMode::drain, StopMode::cancel}) {
    std::latch started(3), go(1);
    Pool pool{{.workers = 4}};
    const Strand strand(pool);
    TaskGraph graph;
    const auto wait = [&] {
      started.count_down();
      go.wait();
    };
    auto of_pool = pool.submit([&] { wait(); });
    strand.post([&] { wait(); });
    graph.add([&] { wait(); });
    auto run = graph.run(pool);
    started.wait();
    const std::vector<RunningTask> running = pool.stop(mode, later(steady_now(), 5ms));
    ASSERT_EQ(running.size(), 3U);
    for (const RunningTask& task : running) {
      EXPECT_LT(index(task.worker), 4U);
      EXPECT_GE(task.running, 5ms);
      EXPECT_NE(task.task.find("ReturnsAtItsDeadline"), std::string::npos) << task.task;
      EXPECT_EQ(task.task.find("artel::pool::detail"), std::string::npos) << task.task;
    }
    EXPECT_TRUE(pool.stopped());
    EXPECT_EQ(pool.post([] {}), Admission::closed);
    go.count_down();
    EXPECT_TRUE(pool.stop(mode, soon()).empty());
    EXPECT_TRUE(of_pool.ready());
    EXPECT_TRUE(run.ready());
  }
}

TEST(PoolStop, ADeadlineHoldsBesideAnotherStop) {
  std::latch started(1), go(1);
  Pool pool{{.workers = 2}};
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  std::jthread stopper([&] { pool.stop(); });
  while (!pool.stopped()) std::this_thread::yield();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(pool.stop(StopMode::cancel, later(steady_now(), 1ms)).size(), 1U);
  }
  go.count_down();
}

TEST(PoolPurge, EndsWhatWaitsInStrandsAndNothingThatComesLater) {
  for (const bool runs : {false, true}) {
    std::latch started(1), go(1);
    Pool pool{{.workers = 1}};
    const Strand strand(pool);
    const auto hold = [&] {
      started.count_down();
      go.wait();
    };
    if (runs) {
      strand.post(hold);
    } else {
      pool.post(hold);
    }
    started.wait();
    std::atomic<int> ran = 0;
    std::vector<Future<void>> futures;
    for (int i = 0; i < 50; ++i) futures.push_back(strand.submit([&ran] { ++ran; }));
    EXPECT_EQ(pool.purge(), runs ? 0U : 1U);
    auto later = strand.submit([&ran] { ran += 100; });
    go.count_down();
    later.get();
    EXPECT_EQ(ran, 100);
    for (auto& future : futures) {
      ASSERT_EQ(future.result().error().code, ErrorCode::cancelled);
    }
    EXPECT_EQ(strand.queued(), 0U);
  }
}

}  // namespace
}  // namespace artel::pool
