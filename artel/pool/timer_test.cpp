#include "artel/pool/timer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <latch>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

template <class Done>
bool comes_true(Done&& done) {
  const Instant end = soon();
  while (!done() && steady_now() < end) std::this_thread::yield();
  return done();
}

TEST(Timer, RunsOnceOnAWorkerAndNotBeforeItsTime) {
  Pool pool{{.workers = 2}};
  std::atomic<bool> early = false, on_worker = false;
  std::latch ran(1);
  const Instant due = later(steady_now(), milliseconds(5));
  const Timer timer = pool.at(due, [&] {
    early = steady_now() < due;
    on_worker = pool.this_worker().has_value();
    ran.count_down();
  });
  ran.wait();
  EXPECT_FALSE(early);
  EXPECT_TRUE(on_worker);
  EXPECT_FALSE(timer.active());
  EXPECT_EQ(timer.runs(), 1U);
}

TEST(Timer, OneThatIsPastRunsAtOnceAndDroppingTheHandleCancelsNothing) {
  Pool pool{{.workers = 1}};
  std::latch ran(3);
  pool.at(Instant{}, [&] { ran.count_down(); });
  pool.after(-seconds(1), [&] { ran.count_down(); });
  pool.after(milliseconds(1), [&, owned = std::make_unique<int>(1)] { ran.count_down(*owned); });
  ran.wait();
}

TEST(Timer, ACancelledOneDoesNotRunAndLetsGoOfItsCallable) {
  Pool pool{{.workers = 1}};
  const auto kept = std::make_shared<int>();
  Timer timer = pool.after(hours(1), [kept] { FAIL(); });
  EXPECT_TRUE(timer.active());
  EXPECT_EQ(kept.use_count(), 2);
  EXPECT_TRUE(timer.cancel());
  EXPECT_FALSE(timer.active());
  EXPECT_FALSE(timer.cancel());
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_EQ(timer.runs(), 0U);
}

TEST(Timer, CanBeCancelledWhileItsRunIsQueued) {
  HeldPool held({.workers = 1});
  Timer timer = held->after(Duration::zero(), [] { FAIL(); });
  ASSERT_TRUE(comes_true([&] { return held->stats().total.queued == 1; }));
  EXPECT_TRUE(timer.active());
  EXPECT_TRUE(timer.cancel());
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(timer.runs(), 0U);
}

TEST(Timer, ARunThatHasBegunGoesOnAndCanBeWaitedFor) {
  Pool pool{{.workers = 1}};
  std::latch begun(1), go(1);
  std::atomic<bool> ended = false;
  const auto kept = std::make_shared<int>();
  Timer timer = pool.after(Duration::zero(), [&, kept] {
    begun.count_down();
    go.wait();
    ended = true;
  });
  begun.wait();
  EXPECT_FALSE(timer.active());
  EXPECT_FALSE(timer.cancel());
  std::thread releaser([&] { go.count_down(); });
  timer.cancel_and_wait();
  EXPECT_TRUE(ended);
  releaser.join();
  EXPECT_TRUE(comes_true([&] { return kept.use_count() == 1; }));
}

TEST(Timer, AScopedOneEndsWithItsScope) {
  Pool pool{{.workers = 2}};
  std::atomic<bool> gone = false;
  std::atomic<int> ran = 0;
  for (int round = 0; round < 20; ++round) {
    auto scoped = std::make_unique<std::atomic<int>>(0);
    {
      const ScopedTimer timer = pool.every(microseconds(50), [&, at = scoped.get()] {
        EXPECT_FALSE(gone);
        ++*at;
        ++ran;
      });
      const int before = ran;
      ASSERT_TRUE(comes_true([&] { return ran > before; }));
    }
    gone = true;
    scoped.reset();
    pool.submit([] {}).get();
    gone = false;
  }
}

TEST(Timer, EveryRunsAgainAndAgainUntilItIsCancelledFromWithinToo) {
  Pool pool{{.workers = 2}};
  std::atomic<int> runs = 0;
  Timer timer;
  std::latch assigned(1), ended(1);
  timer = pool.every(milliseconds(1), [&] {
    assigned.wait();
    if (++runs < 5) return;
    EXPECT_TRUE(timer.cancel());
    timer.cancel_and_wait();  // returns, although this is a run
    ended.count_down();
  });
  assigned.count_down();
  ended.wait();
  timer.cancel_and_wait();
  EXPECT_EQ(runs, 5);
  EXPECT_EQ(timer.runs(), 5U);
  EXPECT_FALSE(timer.active());
}

TEST(Timer, EveryHasNoDriftAndIsNeverEarly) {
  constexpr Duration kPeriod = milliseconds(1);
  Pool pool{{.workers = 1}};
  const Instant before = steady_now();
  ScopedTimer timer = pool.every(kPeriod, [] {});
  const Instant after = steady_now();
  const auto due = [&] { return static_cast<std::int64_t>(timer.runs() + timer.skipped()); };
  ASSERT_TRUE(comes_true([&] { return due() >= 150; }));
  EXPECT_LE(due(), (steady_now() - before) / kPeriod);
  // All that were due by now ran or were skipped, or will have in a moment.
  EXPECT_TRUE(comes_true([&] {
    const auto expected = (steady_now() - after) / kPeriod;
    return due() >= expected - 1;
  }));
}

TEST(Timer, EverySkipsWhileARunGoesOn) {
  Pool pool{{.workers = 3}};
  std::atomic<int> at_once = 0, most = 0;
  std::latch go(1);
  ScopedTimer timer = pool.every(microseconds(100), [&] {
    most = std::max(most.load(), ++at_once);
    go.wait();
    --at_once;
  });
  ASSERT_TRUE(comes_true([&] { return most == 1 && timer.skipped() >= 20; }));
  EXPECT_EQ(timer.runs(), 1U);
  go.count_down();
  ASSERT_TRUE(comes_true([&] { return timer.runs() >= 5; }));
  timer.cancel_and_wait();
  EXPECT_EQ(most, 1);
}

TEST(Timer, WhatARunThrowsGoesToThePoolAndEveryGoesOn) {
  std::atomic<int> heard = 0;
  Pool pool{{.workers = 1, .on_exception = [&](const std::exception_ptr&) { ++heard; }}};
  ScopedTimer timer = pool.every(milliseconds(1), [] { throw 1; });
  EXPECT_TRUE(comes_true([&] { return heard >= 3; }));
}

TEST(Timer, StoppingThePoolLetsGoOfThem) {
  const auto kept = std::make_shared<int>();
  Timer after, every;
  for (const StopMode mode : {StopMode::drain, StopMode::cancel}) {
    Pool pool{{.workers = 2}};
    after = pool.after(hours(1), [kept] { FAIL(); });
    every = pool.every(hours(1), [kept] { FAIL(); });
    pool.stop(mode);
    EXPECT_FALSE(after.active());
    EXPECT_FALSE(every.active());
    EXPECT_EQ(kept.use_count(), 1);
    const Timer late = pool.after(Duration::zero(), [kept] { FAIL(); });
    EXPECT_EQ(late.error().value_or(Error{}).code, ErrorCode::closed);
    EXPECT_FALSE(late.active());
    EXPECT_EQ(kept.use_count(), 1);
  }
  EXPECT_FALSE(after.cancel());  // the pools are gone
  every.cancel_and_wait();
  EXPECT_FALSE(after.error());
}

TEST(Timer, WhatIsQueuedWhenThePoolDrainsRuns) {
  std::atomic<int> ran = 0;
  {
    HeldPool held({.workers = 1});
    held->after(Duration::zero(), [&] { ++ran; });
    held->every(microseconds(100), [&] { ++ran; });
    ASSERT_TRUE(comes_true([&] { return held->stats().total.queued == 2; }));
    held.release();
  }
  EXPECT_GE(ran, 2);
}

TEST(Timer, PurgingEndsTheQueuedRunOnly) {
  HeldPool held({.workers = 1});
  std::atomic<int> ran = 0;
  const auto kept = std::make_shared<int>();
  Timer after = held->after(Duration::zero(), [kept] { FAIL(); });
  const ScopedTimer every = held->every(milliseconds(1), [&ran] { ++ran; });
  ASSERT_TRUE(comes_true([&] { return held->stats().total.queued == 2; }));
  EXPECT_EQ(held->purge(), 2U);
  EXPECT_FALSE(after.active());
  EXPECT_FALSE(after.cancel());
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_TRUE(every.active());
  held.release();
  EXPECT_TRUE(comes_true([&] { return ran > 0; }));
}

TEST(Timer, InAFullPoolItWaitsForRoomOrIsRefused) {
  for (const auto when_full : {dispatch::WhenFull::block, dispatch::WhenFull::reject}) {
    HeldPool held({.workers = 1, .queue = 1, .common = 1, .when_full = when_full});
    while (held->try_post([] {}) == Admission::accepted) {
    }
    std::atomic<int> ran = 0;
    Timer timer = held->after(Duration::zero(), [&] { ++ran; });
    Timer periodic = held->every(milliseconds(1), [&] { ++ran; });
    ASSERT_TRUE(comes_true([&] { return periodic.skipped() >= 3; }));
    EXPECT_TRUE(periodic.cancel());
    if (when_full == dispatch::WhenFull::reject) {
      ASSERT_TRUE(comes_true([&] { return timer.error().has_value(); }));
      EXPECT_EQ(timer.error()->code, ErrorCode::full);
      EXPECT_FALSE(timer.active());
    } else {
      EXPECT_TRUE(timer.active());
    }
    held.release();
    EXPECT_TRUE(comes_true([&] { return !timer.active(); }));
    ASSERT_TRUE(held->wait_idle(soon()));
    EXPECT_EQ(ran, when_full == dispatch::WhenFull::block ? 1 : 0);
  }
}

TEST(Timer, APeriodicCallableEndsItselfByReturningFalse) {
  Pool pool{{.workers = 2}};
  std::atomic<int> ran = 0;
  Timer timer = pool.every(microseconds(100), [&ran] { return ++ran < 3; });
  ASSERT_TRUE(comes_true([&] { return !timer.active(); }));
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 3);
  EXPECT_EQ(timer.runs(), 3U);
  EXPECT_FALSE(timer.cancel());
}

// Every timer runs, or cancel() has said that it will not.
TEST(Timer, RunsAndCancellationsAddUp) {
  constexpr std::size_t kThreads = 3;
  constexpr std::size_t kTimers = 1000;
  std::atomic<std::size_t> ran = 0, prevented = 0;
  {
    Pool pool{{.workers = 2}};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        std::vector<Timer> timers;
        for (std::size_t i = 0; i < kTimers; ++i) {
          timers.push_back(pool.after(microseconds(i % 11 * 30), [&] { ++ran; }));
          if (i >= 10 && i % 2 == 0 && timers[i - i % 10].cancel()) ++prevented;
        }
        for (Timer& timer : timers) {
          EXPECT_TRUE(comes_true([&] { return !timer.active(); }));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(ran + prevented, kThreads * kTimers);
  EXPECT_GT(ran, 0U);
}

// ---- Coroutines

Future<bool> sleep_on_worker(Pool& pool, Duration duration) {
  const Instant end = later(steady_now(), duration);
  co_await pool.sleep(duration);
  co_return steady_now() >= end&& pool.this_worker().has_value();
}

TEST(PoolSleep, GoesOnInThePoolThatMuchLater) {
  Pool pool{{.workers = 2}};
  EXPECT_TRUE(sleep_on_worker(pool, milliseconds(2)).get());
  EXPECT_TRUE(sleep_on_worker(pool, Duration::zero()).get());
  std::vector<Future<bool>> many;
  for (int i = 0; i < 500; ++i) many.push_back(sleep_on_worker(pool, microseconds(i)));
  for (auto& one : many) EXPECT_TRUE(one.get());
}

TEST(PoolSleep, EndsWithAnErrorWhenThePoolStops) {
  Pool pool{{.workers = 1}};
  auto asleep = sleep_on_worker(pool, hours(1));
  pool.stop();
  try {
    asleep.get();
    FAIL();
  } catch (const TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::cancelled);
  }
  try {
    sleep_on_worker(pool, hours(1)).get();
    FAIL();
  } catch (const TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::closed);
  }
}

TEST(PoolSleep, SleepsOnWhileThePoolIsFull) {
  HeldPool held({.workers = 1, .queue = 1, .common = 1, .when_full = dispatch::WhenFull::reject});
  while (held->try_post([] {}) == Admission::accepted) {
  }
  auto asleep = sleep_on_worker(*held, Duration::zero());
  EXPECT_FALSE(asleep.wait_for(milliseconds(5)));
  held.release();
  EXPECT_TRUE(asleep.get());
}

TEST(TimerDeathTest, ADurationThatIsNaNIsRefusedWhereverOneIsTaken) {
  Pool pool{{.workers = 1}};
  const std::chrono::duration<double> nan(std::nan(""));
  Promise<int> promise;
  auto future = promise.future();
  EXPECT_DEATH(pool.after(nan, [] {}), "not NaN");
  EXPECT_DEATH(pool.every(nan, [] {}), "not NaN");
  EXPECT_DEATH(static_cast<void>(pool.sleep(nan)), "not NaN");
  EXPECT_DEATH(static_cast<void>(future.wait_for(nan)), "not NaN");
}

}  // namespace
}  // namespace artel::pool
