
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <latch>
#include <mutex>
#include <thread>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/promise.hpp"
#include "artel/pool/shared_future.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/pool/held_pool.hpp"
#include "tests/pool/quiet_threads.hpp"

namespace artel::pool::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Monitor, ReplacesAStalledWorkerAndReportsIt) {
  std::atomic<int> reports = 0;
  std::atomic<bool> replaced = false;
  std::latch go(1);
  Pool pool{{.workers = 1, .stall_after = milliseconds(2), .on_stall = [&](const Stall& stall) {
               replaced = stall.replaced;
               EXPECT_EQ(stall.worker, WorkerId{0});
               EXPECT_GE(stall.running, milliseconds(2));
               ++reports;
             }}};
  auto stuck = pool.submit([&go] { go.wait(); });
  auto behind = pool.submit([] { return 1; });
  EXPECT_TRUE(behind.wait_for(seconds(20)));  // somebody else serves the only slot
  go.count_down();
  stuck.get();
  ASSERT_TRUE(pool.wait_idle(soon()));
  // It is replaced first, then told.
  for (const Instant end = soon(); reports == 0 && steady_now() < end;) std::this_thread::yield();
  EXPECT_EQ(reports, 1);
  EXPECT_TRUE(replaced);
  const auto stats = pool.stats();
  EXPECT_EQ(stats.total.stalls, 1U);
  EXPECT_EQ(stats.accepted, stats.total.outcomes.ended());
}

TEST(Monitor, RunsTheClosedLoop) {
  Pool pool{{.workers = 3,
             .dispatch = dispatch::ClosedLoop{.beacon_every = milliseconds(1),
                                              .publish_every = milliseconds(1)}}};
  std::atomic<int> ran = 0;
  const Instant end = later(steady_now(), milliseconds(100));
  int posted = 0;
  for (; steady_now() < end; ++posted) pool.post([&ran] { ++ran; });
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, posted);
  const auto stats = pool.stats();
  EXPECT_EQ(stats.accepted, static_cast<std::uint64_t>(posted));  // beacons are nobody's tasks
}

TEST(Monitor, WakesNobodyInAnIdlePoolUnlessSomebodyAskedForIt) {
  // One pool of each kind, all at once.
  Pool plain{{.workers = 2}};
  Pool closed_loop{{.workers = 3, .dispatch = dispatch::ClosedLoop{}}};
  Pool resized{{.workers = 2, .workers_min = 1, .workers_max = 4}};
  ASSERT_TRUE(resized.resize(4));
  ASSERT_TRUE(resized.resize(1));
  for (Pool* const pool : {&plain, &closed_loop, &resized}) {
    for (int i = 0; i < 100; ++i) pool->post([] {});
    ASSERT_TRUE(pool->wait_idle(soon()));
  }
  EXPECT_TRUE(other_threads_fall_quiet());
}

TEST(Monitor, AClosedLoopThatRestsGoesOnWithTheNextDecision) {
  std::mutex lock;
  std::uint64_t published = 0;
  const dispatch::Shares* last = nullptr;
  Pool pool{{.workers = 3,
             .workers_min = 1,
             .dispatch = dispatch::ClosedLoop{.beacon_every = milliseconds(1),
                                              .publish_every = milliseconds(1)},
             .on_decision = [&](const Decision& decision) {
               const std::lock_guard guard(lock);
               if (std::exchange(last, decision.draw.shares) != decision.draw.shares) ++published;
             }}};
  const auto post_until_published = [&](std::uint64_t times) {
    const Instant end = soon();
    for (;;) {
      pool.submit([] {}).get();  // one at a time: what waits behind others is not decided about
      const std::lock_guard guard(lock);
      if (published >= times) return true;
      if (steady_now() > end) return false;
    }
  };
  for (std::uint64_t round = 1; round <= 2; ++round) {
    ASSERT_TRUE(post_until_published(round * 5)) << round;
    ASSERT_TRUE(pool.wait_idle(soon()));
    EXPECT_TRUE(other_threads_fall_quiet()) << round;
  }
}

TEST(Monitor, ForcesOutWhatWaitsAtASlowLeaver) {
  std::atomic<int> ran = 0;
  std::latch started(2), go(1);
  Pool pool{{.workers = 2,
             .workers_min = 1,
             .workers_max = 2,
             .queue = 10,
             .dispatch = dispatch::RoundRobin{},
             .shrink_timeout = milliseconds(1)}};
  for (int i = 0; i < 2; ++i) {
    pool.post([&] {
      started.count_down();
      go.wait();
    });
  }
  started.wait();
  for (int i = 0; i < 10; ++i) pool.post([&ran] { ++ran; });
  ASSERT_TRUE(pool.resize(1));
  EXPECT_TRUE(pool.wait_resized(soon()));  // although its task still runs
  EXPECT_EQ(pool.size(), 1U);
  go.count_down();
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, 10);
}

TEST(WorkerThreads, ResizesWithinItsBoundsAndNamesThem) {
  Pool pool{{.workers = 2, .workers_min = 1, .workers_max = 4}};
  auto beyond = pool.resize(5);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().what,
            "cannot resize to 5 workers: 4 is the maximum; possible: 1 to 4, now 2");
  EXPECT_FALSE(pool.resize(0));
  std::atomic<int> ran = 0;
  int posted = 0;
  for (const unsigned size : {4U, 1U, 3U, 2U, 4U}) {
    ASSERT_TRUE(pool.resize(size)) << size;
    EXPECT_EQ(pool.size(), size);
    for (int i = 0; i < 500; ++i, ++posted) pool.post([&ran] { ++ran; });
    ASSERT_TRUE(pool.wait_resized(soon()));
  }
  ASSERT_TRUE(pool.wait_idle(soon()));
  EXPECT_EQ(ran, posted);
}

TEST(WorkerThreads, SaysThatItIsShrinkingAlready) {
  std::latch started(3), go(1);
  Pool pool{{.workers = 3, .workers_min = 1, .workers_max = 3, .shrink_timeout = kForever}};
  for (int i = 0; i < 3; ++i) {
    pool.post([&] {
      started.count_down();
      go.wait();
    });
  }
  started.wait();
  ASSERT_TRUE(pool.resize(2));
  auto again = pool.resize(1);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().what, "already shrinking by 1 worker; possible now: 2");
  go.count_down();
  ASSERT_TRUE(pool.wait_resized(soon()));
  EXPECT_TRUE(pool.resize(1));
}

// Whether a worker that comes to leave within that time leaves until its thread has ended. No if
// it comes too late, as on a busy machine: then it is forced out.
bool leaves_until_its_thread_has_ended(Duration shrink_timeout) {
  std::latch go(1);
  std::atomic<bool> ends = false, ended = false;
  Pool pool{{.workers = 2,
             .workers_min = 1,
             .workers_max = 2,
             .on_stop =
                 [&](WorkerId worker) {
                   if (index(worker) == 0) return;
                   ends = true;
                   go.wait();
                   ended = true;
                 },
             .shrink_timeout = shrink_timeout}};
  EXPECT_TRUE(pool.resize(1));
  EXPECT_TRUE(happens_soon([&ends] { return ends.load(); }));
  const bool left = pool.wait_resized(later(steady_now(), 3 * shrink_timeout));
  if (!left) {
    const auto again = pool.resize(2);
    EXPECT_EQ(again ? "" : again.error().what, "already shrinking by 1 worker; possible now: 1");
    EXPECT_EQ(pool.stats().threads, 2U);
  }
  go.count_down();
  EXPECT_TRUE(pool.wait_resized(soon()));
  if (!left) {
    EXPECT_TRUE(ended);
    EXPECT_EQ(pool.stats().threads, 1U);
    EXPECT_TRUE(pool.resize(2));
  }
  return !left;
}

TEST(WorkerThreads, AWorkerLeavesUntilItsThreadHasEnded) {
  bool does = false;
  for (Duration timeout = milliseconds(1); !does && timeout < seconds(2); timeout = 4 * timeout) {
    does = leaves_until_its_thread_has_ended(timeout);
  }
  EXPECT_TRUE(does);
}

// The bound is one of threads beyond the workers, however many workers there are.
TEST(WorkerThreads, SpareThreadsLeaveRoomForWorkers) {
  Pool pool{{.workers = 1, .workers_max = 3, .spares = 1}};
  Promise<int> promise;
  const auto given = promise.future().share();
  auto first = pool.submit([given] { return given.get(); });
  auto second = pool.submit([given] { return given.get(); });
  EXPECT_THROW(second.get(), TaskError);
  ASSERT_TRUE(pool.resize(3));
  EXPECT_EQ(pool.stats().threads, 4U);
  promise.set_value(7);
  EXPECT_EQ(first.get(), 7);
}

TEST(WorkerThreads, RefusesToResizeAfterStop) {
  Pool pool{{.workers = 1, .workers_max = 2}};
  pool.stop();
  EXPECT_EQ(pool.resize(2).error().code, ErrorCode::closed);
}

}  // namespace
}  // namespace artel::pool::detail
