#include "artel/interop/pool_scheduler.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <exec/split.hpp>
#include <exec/start_detached.hpp>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stdexec/execution.hpp>
#include <stdexec/stop_token.hpp>
#include <string>
#include <thread>
#include <tuple>

#include "artel/dispatch/when_full.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::interop {
namespace {

static_assert(stdexec::scheduler<PoolScheduler>);

// NOLINTBEGIN(bugprone-unchecked-optional-access): nobody stops these; if so, the test fails

// The pool on whose worker we are, or nobody's.
bool on(const pool::Pool& pool) { return pool.this_worker().has_value(); }

// Holds the only worker until it goes.
class Busy {
 public:
  explicit Busy(pool::Pool& pool) {
    static_cast<void>(pool.post([latches = latches_] {
      latches->started.count_down();
      latches->go.wait();
    }));
    latches_->started.wait();
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { release(); }
  void release() {
    if (!released_) latches_->go.count_down();
    released_ = true;
  }

 private:
  struct Latches {
    std::latch started{1}, go{1};
  };
  std::shared_ptr<Latches> latches_ = std::make_shared<Latches>();
  bool released_ = false;
};

TEST(PoolScheduler, RunsWhatFollowsOnAWorker) {
  pool::Pool pool({.workers = 2});
  // [scheduler]
  auto work = stdexec::schedule(interop::scheduler(pool)) | stdexec::then([] { return 6 * 7; });
  auto [answer] = stdexec::sync_wait(work).value();
  // [/scheduler]
  EXPECT_EQ(answer, 42);
  auto [there] = stdexec::sync_wait(stdexec::schedule(scheduler(pool)) |
                                    stdexec::then([&] { return on(pool); }))
                     .value();
  EXPECT_TRUE(there);
}

TEST(PoolScheduler, IsEqualForOnePoolAlone) {
  pool::Pool one({.workers = 1}), other({.workers = 1});
  EXPECT_EQ(scheduler(one), scheduler(one));
  EXPECT_NE(scheduler(one), scheduler(other));
}

TEST(PoolScheduler, SaysWhereItCompletesAndThatWorkersRunInParallel) {
  pool::Pool pool({.workers = 1});
  const PoolScheduler mine = scheduler(pool);
  EXPECT_EQ(stdexec::get_completion_scheduler<stdexec::set_value_t>(
                stdexec::get_env(stdexec::schedule(mine))),
            mine);
  EXPECT_EQ(stdexec::get_forward_progress_guarantee(mine),
            stdexec::forward_progress_guarantee::parallel);
}

TEST(PoolScheduler, LetValueStartsMoreWorkThere) {
  pool::Pool pool({.workers = 2});
  auto work =
      stdexec::schedule(scheduler(pool)) | stdexec::then([] { return std::string("ab"); }) |
      stdexec::let_value([&](std::string& text) {
        return stdexec::schedule(scheduler(pool)) | stdexec::then([&] { return text + "cd"; });
      });
  EXPECT_EQ(std::get<0>(stdexec::sync_wait(work).value()), "abcd");
}

TEST(PoolScheduler, WhenAllWaitsForTasksThatMeet) {
  pool::Pool pool({.workers = 2});
  std::latch both(2);  // neither ends before the other has begun
  const auto part = [&](int value) {
    return stdexec::schedule(scheduler(pool)) | stdexec::then([&both, value] {
             both.arrive_and_wait();
             return value;
           });
  };
  EXPECT_EQ(stdexec::sync_wait(stdexec::when_all(part(1), part(2))), (std::tuple{1, 2}));
}

TEST(PoolScheduler, StartsOnRunsAWholeSenderThere) {
  pool::Pool pool({.workers = 1});
  auto work = stdexec::starts_on(scheduler(pool),
                                 stdexec::just(1) | stdexec::then([&](int) { return on(pool); }));
  EXPECT_TRUE(std::get<0>(stdexec::sync_wait(work).value()));
}

TEST(PoolScheduler, ContinuesOnGoesFromPoolToPool) {
  pool::Pool first({.workers = 1}), second({.workers = 1});
  // [continues_on]
  auto work = stdexec::schedule(interop::scheduler(first)) |
              stdexec::then([&] { return first.this_worker().has_value(); }) |
              stdexec::continues_on(interop::scheduler(second)) |
              stdexec::then([&](bool was) { return was && second.this_worker().has_value(); });
  // [/continues_on]
  EXPECT_TRUE(std::get<0>(stdexec::sync_wait(work).value()));
}

TEST(PoolScheduler, OnComesBackToWhereItWas) {
  pool::Pool first({.workers = 1}), second({.workers = 1});
  auto inside = stdexec::just() | stdexec::then([&] { return on(second); });
  auto work = stdexec::starts_on(scheduler(first),
                                 stdexec::on(scheduler(second), inside) |
                                     stdexec::then([&](bool was) { return was && on(first); }));
  EXPECT_TRUE(std::get<0>(stdexec::sync_wait(work).value()));
}

TEST(PoolScheduler, SplitRunsOnceForTwoReceivers) {
  pool::Pool pool({.workers = 2});
  std::atomic<int> runs = 0;
  auto shared =
      exec::split(stdexec::schedule(scheduler(pool)) | stdexec::then([&] { return ++runs; }));
  EXPECT_EQ(stdexec::sync_wait(stdexec::when_all(shared, shared)), (std::tuple{1, 1}));
}

TEST(PoolScheduler, AnExceptionArrivesAtWhoeverWaits) {
  pool::Pool pool({.workers = 1});
  auto work = stdexec::schedule(scheduler(pool)) |
              stdexec::then([]() -> int { throw std::runtime_error("broken"); });
  EXPECT_THROW(static_cast<void>(stdexec::sync_wait(work)), std::runtime_error);
}

TEST(PoolScheduler, AnErrorIsPassedOnAndCanBeHandled) {
  pool::Pool pool({.workers = 1});
  auto work = stdexec::schedule(scheduler(pool)) |
              stdexec::then([]() -> int { throw std::runtime_error("broken"); }) |
              stdexec::upon_error([&](const std::exception_ptr&) { return on(pool) ? 7 : 0; });
  EXPECT_EQ(std::get<0>(stdexec::sync_wait(work).value()), 7);
}

TEST(PoolScheduler, AStopBeforeTheStartRunsNothing) {
  pool::Pool pool({.workers = 1});
  Busy busy(pool);
  stdexec::inplace_stop_source stop;
  bool ran = false;
  std::latch ended(1);
  exec::start_detached(stdexec::schedule(scheduler(pool)) | stdexec::then([&] { ran = true; }) |
                           stdexec::upon_stopped([] {}) |
                           stdexec::then([&] { ended.count_down(); }),
                       stdexec::prop{stdexec::get_stop_token, stop.get_token()});
  stop.request_stop();
  busy.release();
  ended.wait();
  EXPECT_FALSE(ran);
}

TEST(PoolScheduler, AFailureStopsItsNeighboursThatWait) {
  pool::Pool pool({.workers = 1});
  std::atomic<int> ran = 0;
  const auto count = [&] {
    return stdexec::schedule(scheduler(pool)) | stdexec::then([&] { ++ran; });
  };
  auto fail =
      stdexec::schedule(scheduler(pool)) | stdexec::then([] { throw std::runtime_error("first"); });
  Busy busy(pool);
  std::thread later([&] { busy.release(); });
  EXPECT_THROW(static_cast<void>(stdexec::sync_wait(stdexec::when_all(fail, count(), count()))),
               std::runtime_error);
  later.join();
  EXPECT_EQ(ran, 0);
}

TEST(PoolScheduler, APoolThatHasStoppedStopsTheSender) {
  pool::Pool pool({.workers = 1});
  pool.stop();
  EXPECT_EQ(stdexec::sync_wait(stdexec::schedule(scheduler(pool))), std::nullopt);
}

TEST(PoolScheduler, WhatAPoolCancelsIsStopped) {
  pool::Pool pool({.workers = 1});
  Busy busy(pool);
  constexpr int kWaiting = 300;  // more than fit in the worker's own queue
  std::atomic<int> stopped = 0, ran = 0;
  for (int i = 0; i < kWaiting; ++i) {
    exec::start_detached(stdexec::schedule(scheduler(pool)) | stdexec::then([&] { ++ran; }) |
                         stdexec::upon_stopped([&] {
                           // The pool may be asked from here: no lock of its own is held.
                           if (pool.post([] {}) == pool::Admission::closed) ++stopped;
                         }));
  }
  std::thread stopping([&] { pool.stop(pool::StopMode::cancel); });
  while (pool.post([] {}) == pool::Admission::accepted) std::this_thread::yield();
  busy.release();
  stopping.join();
  EXPECT_EQ(stopped, kWaiting);
  EXPECT_EQ(ran, 0);
}

TEST(PoolScheduler, AFullPoolThatRefusesStopsTheSender) {
  pool::Pool pool({.workers = 1, .queue = 1, .common = 0, .when_full = dispatch::WhenFull::reject});
  Busy busy(pool);
  while (pool.post([] {}) == pool::Admission::accepted) {
  }
  EXPECT_EQ(stdexec::sync_wait(stdexec::schedule(scheduler(pool))), std::nullopt);
}

TEST(PoolScheduler, AFutureIsASenderToo) {
  pool::Pool pool({.workers = 1});
  // [future]
  auto [answer] = stdexec::sync_wait(pool.submit([] { return 6 * 7; })).value();
  // [/future]
  EXPECT_EQ(answer, 42);
}

// NOLINTEND(bugprone-unchecked-optional-access)

}  // namespace
}  // namespace artel::interop
