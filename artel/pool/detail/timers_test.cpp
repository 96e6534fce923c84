#include "artel/pool/detail/timers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/timer_callback.hpp"

namespace artel::pool::detail {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kPast{};
Instant soon() { return later(steady_now(), seconds(20)); }
Instant much_later() { return later(steady_now(), hours(1)); }

template <class Done>
bool comes_true(Done&& done) {
  const Instant end = soon();
  while (!done() && steady_now() < end) std::this_thread::yield();
  return done();
}

// Calls a function that says when to be called again.
class Called final : public TimerCallback {
 public:
  explicit Called(std::function<Instant(Instant)> body = {}) : body_(std::move(body)) {}
  Instant on_time(Instant now) override {
    const Instant next = body_ ? body_(now) : kNever;
    ++calls;
    return next;
  }
  void let_go(bool stopped) override {
    ++lettings_go;
    if (stopped) ++stops;
  }

  std::atomic<int> calls = 0;
  std::atomic<int> lettings_go = 0;
  std::atomic<int> stops = 0;

 private:
  std::function<Instant(Instant)> body_;
};

TEST(Timers, CallsAtTheTimeAndNotBefore) {
  const Instant due = later(steady_now(), milliseconds(3));
  std::atomic<bool> early = false;
  Called callback([&](Instant now) {
    early = now < due || steady_now() < due;
    return kNever;
  });
  Timers timers;
  ASSERT_TRUE(timers.add(callback, due));
  ASSERT_TRUE(comes_true([&] { return callback.lettings_go == 1; }));
  EXPECT_EQ(callback.calls, 1);
  EXPECT_FALSE(early);
}

TEST(Timers, CallsInTheOrderOfTheTimes) {
  std::mutex lock;
  std::vector<int> order;
  std::deque<Called> callbacks;
  const auto numbered = [&](int number) -> Called& {
    return callbacks.emplace_back([&, number](Instant /*now*/) {
      const std::lock_guard guard(lock);
      order.push_back(number);
      return kNever;
    });
  };
  Timers timers;
  const Instant start = later(steady_now(), milliseconds(20));
  for (const int number : {3, 1, 2}) {
    ASSERT_TRUE(timers.add(numbered(number), later(start, number * milliseconds(1))));
  }
  ASSERT_TRUE(comes_true([&] { return callbacks[0].calls == 1; }));
  timers.stop();
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST(Timers, CallsAgainAsOftenAsItIsAskedTo) {
  Called* self = nullptr;
  Called callback([&](Instant now) { return self->calls < 4 ? now : kNever; });
  self = &callback;
  Timers timers;
  ASSERT_TRUE(timers.add(callback, kPast));
  ASSERT_TRUE(comes_true([&] { return callback.lettings_go == 1; }));
  EXPECT_EQ(callback.calls, 5);
}

TEST(Timers, TheThreadIsThereOnlyWhileSomethingIsDue) {
  Timers timers({.linger = Duration::zero()});
  EXPECT_FALSE(timers.awake());
  Called never;
  ASSERT_TRUE(timers.add(never, kNever));
  EXPECT_FALSE(timers.awake());
  for (int round = 0; round < 5; ++round) {
    Called callback;
    ASSERT_TRUE(timers.add(callback, kPast));
    ASSERT_TRUE(comes_true([&] { return !timers.awake(); }));
    EXPECT_EQ(callback.calls, 1);
  }
  Called late;
  ASSERT_TRUE(timers.add(late, much_later()));
  EXPECT_TRUE(timers.awake());
  EXPECT_TRUE(timers.cancel(late));
  EXPECT_TRUE(timers.cancel(never));
}

TEST(Timers, WakesForWhatIsDueAndForNothingElse) {
  Called late, soon_due;
  Timers timers;
  ASSERT_TRUE(timers.add(late, much_later()));
  ASSERT_TRUE(comes_true([&] { return timers.looks() > 0; }));
  ASSERT_TRUE(timers.add(soon_due, later(steady_now(), seconds(1800))));
  ASSERT_TRUE(comes_true([&] { return timers.looks() == 2; }));  // the first comes sooner now
  std::deque<Called> timeouts(1000);
  for (Called& timeout : timeouts) ASSERT_TRUE(timers.add(timeout, much_later()));
  for (Called& timeout : timeouts) EXPECT_TRUE(timers.cancel(timeout));
  Called now;
  ASSERT_TRUE(timers.add(now, kPast));
  ASSERT_TRUE(comes_true([&] { return now.lettings_go == 1; }));
  EXPECT_LE(timers.looks(), 5U);
}

TEST(Timers, ACancelledOneIsNotCalled) {
  Timers timers;
  Called callback;
  ASSERT_TRUE(timers.add(callback, much_later()));
  EXPECT_TRUE(timers.cancel(callback));
  EXPECT_FALSE(timers.cancel(callback));
  timers.stop();
  EXPECT_EQ(callback.calls, 0);
  EXPECT_EQ(callback.lettings_go, 0);
}

TEST(Timers, AddingItAgainMovesIt) {
  Timers timers;
  Called callback;
  ASSERT_TRUE(timers.add(callback, much_later()));
  ASSERT_TRUE(timers.add(callback, kPast));
  ASSERT_TRUE(comes_true([&] { return callback.lettings_go == 1; }));
  ASSERT_TRUE(timers.add(callback, kPast));
  ASSERT_TRUE(comes_true([&] { return callback.lettings_go == 2; }));
  EXPECT_EQ(callback.calls, 2);
}

TEST(Timers, MayBeCancelledFromItsOwnCallback) {
  Timers timers;
  Called* self = nullptr;
  std::atomic<bool> was_waiting = true;
  Called callback([&](Instant now) {
    was_waiting = timers.cancel(*self);
    timers.cancel_and_wait(*self);  // returns, although it is being called
    return now;
  });
  self = &callback;
  ASSERT_TRUE(timers.add(callback, kPast));
  ASSERT_TRUE(comes_true([&] { return callback.lettings_go == 1; }));
  EXPECT_FALSE(was_waiting);
  EXPECT_EQ(callback.calls, 1);
}

TEST(Timers, WhatIsAddedWhileItIsCalledIsCalledOnceMore) {
  Timers timers;
  std::latch called(1), go(1);
  Called callback([&](Instant /*now*/) {
    called.count_down();
    go.wait();
    return kNever;
  });
  ASSERT_TRUE(timers.add(callback, kPast));
  called.wait();
  EXPECT_FALSE(timers.cancel(callback));  // what was asked before counts no more
  ASSERT_TRUE(timers.add(callback, kPast));
  go.count_down();
  ASSERT_TRUE(comes_true([&] { return callback.lettings_go == 1; }));
  EXPECT_EQ(callback.calls, 2);
}

TEST(Timers, CancelAndWaitReturnsAfterTheCall) {
  Timers timers;
  std::latch called(1), go(1);
  std::atomic<bool> returning = false;
  Called callback([&](Instant now) {
    called.count_down();
    go.wait();
    returning = true;
    return now;
  });
  ASSERT_TRUE(timers.add(callback, kPast));
  called.wait();
  std::atomic<bool> waited_for_it = false;
  std::thread canceller([&] {
    timers.cancel_and_wait(callback);
    waited_for_it = returning.load();
  });
  go.count_down();
  canceller.join();
  EXPECT_TRUE(waited_for_it);
}

TEST(Timers, StopLetsGoOfWhatWaitsAndRefusesMore) {
  Timers timers;
  std::deque<Called> callbacks(100);
  for (Called& callback : callbacks) ASSERT_TRUE(timers.add(callback, much_later()));
  Called never;
  ASSERT_TRUE(timers.add(never, kNever));
  timers.stop();
  timers.stop();
  EXPECT_FALSE(timers.awake());
  for (const Called& callback : callbacks) EXPECT_EQ(callback.stops, 1);
  EXPECT_EQ(never.stops, 1);
  Called late;
  const auto refused = timers.add(late, kPast);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::closed);
}

TEST(Timers, MayBeStoppedFromACallback) {
  Timers timers;
  Called waiting;
  Called callback([&](Instant now) {
    timers.stop();
    return now;
  });
  ASSERT_TRUE(timers.add(waiting, much_later()));
  ASSERT_TRUE(timers.add(callback, kPast));
  ASSERT_TRUE(comes_true([&] { return !timers.awake(); }));
  EXPECT_EQ(callback.calls, 1);
  EXPECT_EQ(callback.stops, 1);
  EXPECT_EQ(waiting.stops, 1);
}

TEST(Timers, WithoutAThreadAddingIsAnError) {
  bool there = false;
  Timers timers({.start_thread = [&](std::function<void()> body) {
    if (!there)
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    return std::thread(std::move(body));
  }});
  Called callback;
  const auto failed = timers.add(callback, kPast);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unsupported);
  EXPECT_FALSE(timers.cancel(callback));
  there = true;
  ASSERT_TRUE(timers.add(callback, kPast));
  EXPECT_TRUE(comes_true([&] { return callback.lettings_go == 1; }));
}

// Each callback is called as often as it was added and not cancelled in time.
TEST(Timers, AddsAndCancelsFromManyThreadsAddUp) {
  constexpr int kThreads = 3;
  constexpr std::size_t kRounds = 2000;
  Timers timers({.linger = Duration::zero()});
  std::vector<std::deque<Called>> callbacks(kThreads);
  std::vector<std::size_t> prevented(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    callbacks[t] = std::deque<Called>(kRounds);
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kRounds; ++i) {
        const Duration after = std::chrono::microseconds(i % 7 * 50);
        EXPECT_TRUE(timers.add(callbacks[t][i], later(steady_now(), after)));
        if (i % 3 == 0 && timers.cancel(callbacks[t][i])) ++prevented[t];
        if (i % 5 == 0) timers.cancel_and_wait(callbacks[t][i / 2]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(comes_true([&] { return !timers.awake(); }));
  for (std::size_t t = 0; t < kThreads; ++t) {
    std::size_t called = 0;
    for (const Called& callback : callbacks[t]) {
      EXPECT_LE(callback.calls, 1);
      EXPECT_EQ(callback.calls, callback.lettings_go);
      called += static_cast<std::size_t>(callback.calls);
    }
    EXPECT_LE(called + prevented[t], kRounds);
    EXPECT_GE(called, kRounds / 3);
  }
}

}  // namespace
}  // namespace artel::pool::detail
