// How a pool drains, stops, pauses and shares itself out.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <latch>
#include <semaphore>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

// ---- Fairness

// A task that submits itself again, and counts how often it ran.
struct Again {
  Pool* pool;
  std::atomic<std::uint64_t>* rounds;
  std::atomic<bool>* stop;

  void operator()() const {
    ++*rounds;
    if (!*stop) pool->post(*this);
  }
};

TEST(PoolFairness, ATaskBehindALongOneIsTakenByAWorkerThatIsNeverIdle) {
  std::atomic<std::uint64_t> rounds = 0;
  std::atomic<bool> stop = false;
  std::latch started(1), go(1);
  std::atomic<bool> ran = false;
  Pool pool{{.workers = 2, .queue = 4, .dispatch = dispatch::RoundRobin{}}};
  pool.post([&] {
    pool.post([&ran] { ran = true; });  // in this worker's own queue
    pool.post(Again{&pool, &rounds, &stop});
    started.count_down();
    go.wait();
  });
  started.wait();
  const Instant end = soon();
  while (!ran && steady_now() < end) std::this_thread::yield();
  EXPECT_TRUE(ran);
  stop = true;
  go.count_down();
}

TEST(PoolFairness, LowPriorityIsLateNotNever) {
  std::atomic<std::uint64_t> rounds = 0;
  std::atomic<bool> stop = false;
  Pool pool{{.workers = 1}};
  pool.post(Again{&pool, &rounds, &stop});
  auto low = pool.submit([] { return 1; }, {.priority = Priority::low});
  EXPECT_TRUE(low.wait_until(soon()));
  stop = true;
}

// ---- Draining

TEST(PoolDrain, ATreeThatWaitsForItsBranchesIsFinished) {
  int result = 0;
  std::function<int(int)> fib;
  {
    Pool pool{{.workers = 2}};
    fib = [&](int n) -> int {
      if (n < 2) return n;
      auto one = pool.submit([&fib, n] { return fib(n - 1); });
      const int two = fib(n - 2);
      return one.get() + two;
    };
    pool.post([&] { result = fib(18); });
  }
  EXPECT_EQ(result, 2584);
}

TEST(PoolDrain, FromOutsideNothingMoreGetsIn) {
  std::latch draining(1);
  std::vector<Admission> told;
  Pool pool{{.workers = 1, .on_refused = [&told](Admission why) { told.push_back(why); }}};
  pool.post([&draining] { draining.wait(); });
  std::jthread stopper([&pool] { pool.stop(); });
  while (!pool.stopped()) std::this_thread::yield();
  EXPECT_EQ(pool.post([] {}), Admission::closed);
  EXPECT_EQ(told, std::vector{Admission::closed});
  EXPECT_EQ(pool.stats().refused, 1U);
  draining.count_down();
}

TEST(PoolDrain, ContinuationsAndWhatTheySubmitAreRun) {
  std::atomic<int> ran = 0;
  {
    Pool pool{{.workers = 2}};
    static_cast<void>(pool.submit([] { std::this_thread::sleep_for(5ms); }).then(pool, [&] {
      ++ran;
      pool.post([&ran] { ++ran; });
    }));
  }
  EXPECT_EQ(ran, 2);
}

// ---- Stopping

TEST(PoolStop, EveryCallReturnsWhenAllHasEnded) {
  std::atomic<bool> ended = false;
  std::latch started(1);
  Pool pool{{.workers = 1}};
  pool.post([&] {
    started.count_down();
    std::this_thread::sleep_for(50ms);
    ended = true;
  });
  started.wait();
  std::vector<std::jthread> stoppers;
  for (int i = 0; i < 4; ++i) {
    stoppers.emplace_back([&] {
      pool.stop(StopMode::drain);
      EXPECT_TRUE(ended);
    });
  }
}

TEST(PoolStop, CancellingEndsEveryFutureWhileATaskStillRuns) {
  std::atomic<bool> ran = false;
  HeldPool held({.workers = 1});
  auto waiting = held->submit([&ran] { ran = true; });
  auto then = held->submit([] {}).then([&ran] { ran = true; });
  std::jthread stopper([&held] { held->stop(StopMode::cancel); });
  EXPECT_EQ(waiting.result().error().code, ErrorCode::cancelled);
  EXPECT_EQ(then.result().error().code, ErrorCode::cancelled);
  held.release();
  stopper.join();
  EXPECT_FALSE(ran);
  expect_accounts_close(held->stats());
}

TEST(PoolStop, CancellingAsksRunningTasksToStop) {
  Pool pool{{.workers = 1}};
  std::latch started(1);
  auto loop = pool.submit([&started](const std::stop_token& stop) {
    started.count_down();
    while (!stop.stop_requested()) std::this_thread::yield();
    return 1;
  });
  started.wait();
  pool.stop(StopMode::cancel);
  EXPECT_EQ(loop.get(), 1);
}

TEST(PoolStop, ATaskHearsItsOwnStopTokenToo) {
  Pool pool{{.workers = 1}};
  std::stop_source source;
  std::latch started(1);
  auto loop = pool.submit(
      [&started](const std::stop_token& stop) {
        started.count_down();
        while (!stop.stop_requested()) std::this_thread::yield();
      },
      {.stop = source.get_token()});
  started.wait();
  source.request_stop();
  loop.get();
}

// ---- Submitters that wait for room

TEST(PoolRoom, AnUrgentTaskWaitsForNobodysRoom) {
  HeldPool held({.workers = 1, .common = 2});
  while (held->try_post([] {}) == Admission::accepted) {
  }
  EXPECT_TRUE(held->try_submit([] {}, {.priority = Priority::high}));
}

TEST(PoolRoom, ABlockedSubmitterGoesOnWhenThereIsAPlace) {
  std::counting_semaphore<1000> steps(0);
  Pool pool{{.workers = 1, .queue = 1, .common = 100}};
  const auto task = [&steps] {
    steps.acquire();
    std::this_thread::sleep_for(1ms);  // long enough for each place to be worth a wake-up
  };
  while (pool.try_post(task) == Admission::accepted) {
  }
  std::atomic<int> submitted = 0;
  std::jthread submitter([&] {
    for (int i = 0; i < 50; ++i) {
      pool.post(task);
      ++submitted;
    }
  });
  constexpr int kEmpty = 8;  // places that may stay empty, whatever the bound
  const Instant end = soon();
  for (int ended = 1; ended <= 40; ++ended) {
    steps.release();
    while (submitted < ended - kEmpty && steady_now() < end) std::this_thread::yield();
    EXPECT_GE(submitted, ended - kEmpty);
  }
  steps.release(500);
}

TEST(PoolRoom, RefusedTasksLeaveNoWorkBehind) {
  std::atomic<std::int64_t> shown = -1;
  std::atomic<bool> look = false;
  Pool pool{{.workers = 2,
             .queue = 2,
             .common = 0,
             .when_full = dispatch::WhenFull::reject,
             .dispatch = dispatch::LeastWorkLeft{},
             .on_decision = [&](const Decision& decision) {
               if (!look) return;
               std::int64_t sum = 0;
               for (std::size_t i = 0; i < decision.loads.size(); ++i) {
                 sum += decision.loads.load(dispatch::worker(i)).work.count();
               }
               shown = sum;
             }}};
  {
    std::vector<std::jthread> submitters;
    for (int t = 0; t < 4; ++t) {
      submitters.emplace_back([&pool] {
        for (int i = 0; i < 5'000; ++i) pool.post([] {}, {.size = 1us});
      });
    }
  }
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_GT(pool.stats().refused, 0U);
  look = true;
  pool.post([] {}, {.size = 1us});
  EXPECT_EQ(shown, 0);
}

// ---- Pausing and purging

TEST(PoolPause, NothingStartsUntilItIsResumed) {
  Pool pool{{.workers = 2}};
  std::atomic<int> ran = 0;
  pool.pause();
  for (int i = 0; i < 100; ++i) pool.post([&ran] { ++ran; });
  EXPECT_FALSE(pool.wait_idle(later(steady_now(), 20ms)));
  EXPECT_EQ(ran, 0);
  pool.resume();
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 100);
}

TEST(PoolPause, ATaskThatRunsMayRunWhatItWaitsFor) {
  Pool pool{{.workers = 1}};
  EXPECT_EQ(pool.submit([&pool] {
                  pool.pause();
                  const int inner = pool.submit([] { return 5; }).get();
                  pool.resume();
                  return inner;
                })
                .get(),
            5);
}

TEST(PoolPause, APausedPoolStops) {
  std::atomic<int> ran = 0;
  {
    Pool pool{{.workers = 2}};
    pool.pause();
    for (int i = 0; i < 100; ++i) pool.post([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

TEST(PoolPurge, EndsWhatWaitsAndGoesOn) {
  HeldPool held({.workers = 1, .queue = 5});
  std::atomic<int> ran = 0;
  auto future = held->submit([&ran] { ++ran; });
  for (int i = 0; i < 99; ++i) held->post([&ran] { ++ran; });
  EXPECT_EQ(held->purge(), 100U);
  EXPECT_EQ(future.result().error().code, ErrorCode::cancelled);
  held.release();
  EXPECT_EQ(held->submit([] { return 1; }).get(), 1);
  EXPECT_EQ(ran, 0);
  ASSERT_TRUE(held->wait_idle(soon()));
  expect_accounts_close(held->stats());
}

// ---- Manners

TEST(PoolManners, WorkersKeepTheSchedulingPolicy) {
  int worker = -1;
  std::jthread([&worker] {
    const sched_param none{};
    if (sched_setscheduler(0, SCHED_BATCH, &none) != 0) return;
    Pool pool{{.workers = 1}};
    worker = pool.submit([] { return sched_getscheduler(0); }).get();
  }).join();
  EXPECT_EQ(worker, SCHED_BATCH);
}

TEST(PoolManners, PinnedWorkersUseWhatTheProcessMayUse) {
  cpu_set_t process;
  ASSERT_EQ(sched_getaffinity(0, sizeof process, &process), 0);
  Pool pool{{.workers = 1, .workers_max = 4, .pin = true}};
  ASSERT_TRUE(pool.submit([&pool] { return pool.resize(4).has_value(); }).get());
  std::latch all(4);
  std::vector<Future<int>> at;
  for (int i = 0; i < 4; ++i) {
    at.push_back(pool.submit([&all] {
      all.arrive_and_wait();
      return sched_getcpu();
    }));
  }
  std::set<int> processors;
  for (auto& each : at) processors.insert(each.get());
  EXPECT_EQ(processors.size(), std::min(4U, static_cast<unsigned>(CPU_COUNT(&process))));
}

TEST(PoolManners, WhatAHandlerThrowsEndsNothing) {
  Pool pool{{.workers = 1, .on_exception = [](const std::exception_ptr&) { throw 1; }}};
  pool.post([] { throw 2; });
  EXPECT_EQ(pool.submit([] { return 1; }).get(), 1);
}

TEST(PoolManners, WhoSubmitsHearsWhatTheHandlersOfSubmissionsThrow) {
  Pool refusing{{.workers = 1, .on_refused = [](Admission) { throw 1; }}};
  refusing.stop();
  EXPECT_THROW(refusing.post([] {}), int);

  std::atomic<bool> throws = true;
  Pool deciding{{.workers = 1, .on_decision = [&throws](const Decision&) {
                   if (throws) throw 2;
                 }}};
  EXPECT_THROW(deciding.post([] {}), int);
  EXPECT_THROW(static_cast<void>(deciding.submit([] {})), int);
  throws = false;
  EXPECT_EQ(deciding.submit([] { return 1; }).get(), 1);
  EXPECT_TRUE(deciding.wait_idle());
  EXPECT_EQ(deciding.stats().total.outcomes.ended(), 1U);
}

TEST(PoolMannersDeathTest, WhatAHandlerOfThreadsThrowsEndsTheProgram) {
  const auto start = [](WorkerId) { throw std::runtime_error("no state"); };
  EXPECT_DEATH(
      {
        Pool pool({.workers = 1, .on_start = start});
        static_cast<void>(pool.submit([] {}).get());
      },
      "no state");
}

}  // namespace
}  // namespace artel::pool
