#include "artel/dispatch/dispatcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Placement::Kind;

Dispatcher<int> with_workers(DispatcherOptions options, std::size_t workers,
                             std::uint32_t capacity) {
  Dispatcher<int> dispatcher(std::move(options));
  for (std::size_t i = 0; i < workers; ++i) {
    EXPECT_TRUE(dispatcher.join({.capacity = capacity}));
  }
  return dispatcher;
}

TEST(Dispatcher, WithPlaceForOneEachItIsACentralQueue) {
  auto dispatcher = with_workers({.policy = Random{}}, 2, 1);
  for (int task = 0; task < 5; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    EXPECT_EQ(placement.kind, task < 2 ? Kind::assigned : Kind::held);
    if (placement.start) {
      EXPECT_EQ(dispatcher.start(placement.worker), task);
    }
  }
  for (const int next : {2, 3, 4}) {
    dispatcher.finished(WorkerId{1});
    EXPECT_EQ(dispatcher.start(WorkerId{1}), next);
  }
  EXPECT_EQ(dispatcher.counts(), (Counts{.arrived = 5, .running = 2, .finished = 3}));
}

TEST(Dispatcher, FullMeansHeldThenRejected) {
  auto dispatcher = with_workers({.common_capacity = 1}, 1, 2);
  EXPECT_EQ(dispatcher.arrived(0).kind, Kind::assigned);
  EXPECT_EQ(dispatcher.arrived(1).kind, Kind::assigned);
  EXPECT_EQ(dispatcher.arrived(2).kind, Kind::held);
  EXPECT_EQ(dispatcher.arrived(3).kind, Kind::rejected);
  EXPECT_TRUE(dispatcher.counts().balanced());
}

TEST(Dispatcher, ARejectedTaskStaysWithTheCaller) {
  Dispatcher<std::unique_ptr<int>> dispatcher({.common_capacity = 0});
  auto task = std::make_unique<int>(7);
  EXPECT_EQ(dispatcher.arrived(std::move(task)).kind, Kind::rejected);
  EXPECT_EQ(*task, 7);  // NOLINT(bugprone-use-after-move): that is the promise
}

TEST(Dispatcher, OnlyTheFirstTaskOfAnIdleWorkerSaysStart) {
  auto dispatcher = with_workers({}, 1, 3);
  EXPECT_TRUE(dispatcher.arrived(0).start);
  EXPECT_FALSE(dispatcher.arrived(1).start);
  EXPECT_EQ(dispatcher.start(WorkerId{0}), 0);
  EXPECT_FALSE(dispatcher.arrived(2).start);
}

TEST(Dispatcher, HeldTasksGoToAWorkerThatJoins) {
  Dispatcher<int> dispatcher({});
  for (const int task : {0, 1, 2}) EXPECT_EQ(dispatcher.arrived(int{task}).kind, Kind::held);
  const auto id = dispatcher.join({.capacity = 2});
  EXPECT_EQ(dispatcher.start(*id), 0);
  EXPECT_EQ(dispatcher.waiting(*id), 1U);
  EXPECT_EQ(dispatcher.held(), 1U);
}

TEST(Dispatcher, DrainingWorkerFinishesWhatItHas) {
  auto dispatcher = with_workers({.policy = RoundRobin{}}, 2, 5);
  for (int task = 0; task < 4; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    if (placement.start) (void)dispatcher.start(placement.worker);
  }
  ASSERT_TRUE(dispatcher.leave(WorkerId{0}));
  EXPECT_EQ(dispatcher.arrived(4).worker, WorkerId{1});
  dispatcher.finished(WorkerId{0});
  EXPECT_EQ(dispatcher.start(WorkerId{0}), 2);
  EXPECT_TRUE(dispatcher.members().leaving(WorkerId{0}));
  dispatcher.finished(WorkerId{0});
  EXPECT_FALSE(dispatcher.members().leaving(WorkerId{0}));
  EXPECT_EQ(dispatcher.join({}), WorkerId{0});
}

TEST(Dispatcher, LeavingWorkersTasksCanGoToTheOthersFirst) {
  auto dispatcher = with_workers({.policy = LeastLoaded{}}, 1, 3);
  for (int task = 0; task < 4; ++task) (void)dispatcher.arrived(int{task});  // 3 is held
  ASSERT_EQ(dispatcher.start(WorkerId{0}), 0);
  ASSERT_TRUE(dispatcher.join({.capacity = 1}));
  EXPECT_EQ(dispatcher.start(WorkerId{1}), 3);
  EXPECT_EQ(dispatcher.arrived(4).kind, Kind::held);
  EXPECT_THAT(*dispatcher.leave(WorkerId{0}, Leaving::reassign), ElementsAre());
  for (const int next : {1, 2, 4}) {
    dispatcher.finished(WorkerId{1});
    EXPECT_EQ(dispatcher.start(WorkerId{1}), next);
  }
}

TEST(Dispatcher, ReassigningSaysWhichIdleWorkersToStart) {
  auto dispatcher = with_workers({.policy = Sita{.cutoffs = {seconds(1)}}}, 2, 9);
  for (int task = 0; task < 3; ++task) (void)dispatcher.arrived(int{task});  // all short: worker 0
  ASSERT_EQ(dispatcher.start(WorkerId{0}), 0);
  EXPECT_THAT(*dispatcher.leave(WorkerId{0}, Leaving::reassign), ElementsAre(WorkerId{1}));
  EXPECT_EQ(dispatcher.start(WorkerId{1}), 1);
}

TEST(Dispatcher, RemovedWorkersRunningTaskIsAbandonedAndTheRestIsNot) {
  auto dispatcher = with_workers({.limits = {.min = 2}}, 2, 9);
  for (int task = 0; task < 4; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    if (placement.start) (void)dispatcher.start(placement.worker);
  }
  ASSERT_TRUE(dispatcher.remove(WorkerId{0}));
  EXPECT_EQ(dispatcher.counts(),
            (Counts{.arrived = 4, .waiting = 2, .running = 1, .abandoned = 1}));
  EXPECT_EQ(dispatcher.remove(WorkerId{0}).error().code, ErrorCode::not_found);
}

TEST(Dispatcher, ResizesBetweenItsLimits) {
  Dispatcher<int> dispatcher({.limits = {.min = 1, .max = 4}});
  EXPECT_EQ(dispatcher.grow(3, {})->size(), 3U);
  EXPECT_THAT(dispatcher.grow(2, {}).error().what, HasSubstr("sizes possible are 1 to 4"));
  EXPECT_EQ(dispatcher.members().size(), 3U);
  (void)dispatcher.arrived(0);
  ASSERT_EQ(dispatcher.start(WorkerId{0}), 0);
  ASSERT_TRUE(dispatcher.shrink(1));  // worker 2, idle: gone at once
  EXPECT_THAT(dispatcher.shrink(2).error().what, HasSubstr("cannot shrink by 2: from 2"));
  ASSERT_TRUE(dispatcher.leave(WorkerId{0}));
  EXPECT_THAT(dispatcher.shrink(1).error().what, HasSubstr("already shrinking"));
}

TEST(Dispatcher, IdleWorkerTakesOverWhatHasWaitedLongest) {
  // Worker 2 runs out while 0 and 1 have tasks waiting; round robin would leave it idle.
  auto dispatcher = with_workers({.policy = RoundRobin{}, .take_over = true}, 3, 9);
  for (int task = 0; task < 8; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    if (placement.start) (void)dispatcher.start(placement.worker);
  }
  const auto finish = [&](unsigned id) {
    dispatcher.finished(WorkerId{id});
    return dispatcher.start(WorkerId{id});
  };
  EXPECT_EQ(finish(2), 5);  // its own
  EXPECT_EQ(finish(2), 3);  // worker 0's, which came before worker 1's 4
  EXPECT_EQ(finish(2), 4);
  EXPECT_EQ(dispatcher.waiting(WorkerId{0}), 1U);
}

TEST(Dispatcher, StealingTakesHalfOfWhatWaitsAtTheNextWorker) {
  auto dispatcher = with_workers({.policy = RoundRobin{}, .stealing = Stealing::before_held}, 3, 9);
  for (int task = 0; task < 15; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    if (placement.start) (void)dispatcher.start(placement.worker);
  }
  const auto finish = [&](unsigned id) {
    dispatcher.finished(WorkerId{id});
    return dispatcher.start(WorkerId{id});
  };
  for (const int own : {5, 8, 11, 14}) EXPECT_EQ(finish(2), own);
  EXPECT_EQ(finish(1), 4);
  // Worker 2 has run out; next to it is worker 0 with 3, 6, 9, 12.
  EXPECT_EQ(finish(2), 3);
  EXPECT_EQ(dispatcher.waiting(WorkerId{2}), 1U);  // 6
  EXPECT_EQ(dispatcher.waiting(WorkerId{0}), 2U);
  EXPECT_EQ(finish(2), 6);
  EXPECT_TRUE(dispatcher.counts().balanced());
}

TEST(Dispatcher, WithStealingHeldTasksWaitForAWorkerThatRunsOut) {
  auto dispatcher = with_workers({.policy = RoundRobin{}, .stealing = Stealing::after_held}, 2, 2);
  for (int task = 0; task < 7; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    if (placement.start) (void)dispatcher.start(placement.worker);
  }
  ASSERT_EQ(dispatcher.held(), 3U);  // 4, 5, 6
  dispatcher.finished(WorkerId{0});
  EXPECT_EQ(dispatcher.held(), 3U);
  EXPECT_EQ(dispatcher.start(WorkerId{0}), 2);                   // its own
  EXPECT_EQ(dispatcher.arrived(7).kind, Placement::Kind::held);  // behind them
  dispatcher.finished(WorkerId{0});
  EXPECT_EQ(dispatcher.start(WorkerId{0}), 4);  // with 5, which waits there
  EXPECT_EQ(dispatcher.waiting(WorkerId{0}), 1U);
  EXPECT_EQ(dispatcher.held(), 2U);
  EXPECT_TRUE(dispatcher.counts().balanced());
}

TEST(Dispatcher, StealingBeforeHeldTasksKeepsTheOrderOfArrival) {
  auto dispatcher = with_workers({.policy = RoundRobin{}, .stealing = Stealing::before_held}, 2, 2);
  for (int task = 0; task < 6; ++task) {
    const auto placement = dispatcher.arrived(int{task});
    if (placement.start) (void)dispatcher.start(placement.worker);
  }
  const auto finish = [&](unsigned id) {
    dispatcher.finished(WorkerId{id});
    return dispatcher.start(WorkerId{id});
  };
  EXPECT_EQ(finish(0), 2);
  EXPECT_EQ(finish(0), 3);  // waits at worker 1, and came before 4 and 5, which are held
  EXPECT_EQ(finish(0), 4);
}

TEST(Dispatcher, PrecedenceIsBeforeAndAfterAllThatWaits) {
  auto dispatcher = with_workers({.common_capacity = 2, .stealing = Stealing::after_held}, 1, 2);
  const auto arrived = [&](int task, Precedence precedence) {
    return dispatcher.arrived(int{task}, {}, {}, precedence).kind;
  };
  EXPECT_EQ(arrived(9, Precedence::last), Kind::held);  // though the worker is idle
  EXPECT_EQ(dispatcher.arrived(0).kind, Kind::assigned);
  EXPECT_EQ(dispatcher.start(WorkerId{0}), 0);
  EXPECT_EQ(dispatcher.arrived(1).kind, Kind::assigned);  // waits at the worker: it is full
  for (const int task : {2, 3}) EXPECT_EQ(arrived(task, Precedence::usual), Kind::held);
  for (const int task : {4, 5}) EXPECT_EQ(arrived(task, Precedence::first), Kind::held);
  EXPECT_EQ(arrived(6, Precedence::first), Kind::rejected);
  EXPECT_EQ(dispatcher.held(), 5U);
  std::vector<int> order;
  for (int i = 0; i < 6; ++i) {
    dispatcher.finished(WorkerId{0});
    order.push_back(dispatcher.start(WorkerId{0}).value_or(-1));
    EXPECT_TRUE(dispatcher.counts().balanced());
  }
  EXPECT_THAT(order, ElementsAre(4, 5, 1, 2, 3, 9));
  dispatcher.finished(WorkerId{0});
  EXPECT_EQ(dispatcher.start(WorkerId{0}), std::nullopt);
  EXPECT_EQ(dispatcher.loads().load(WorkerId{0}).queued, 0U);
  EXPECT_EQ(dispatcher.arrived(7).kind, Kind::assigned);  // it has room again
}

TEST(Dispatcher, WithTakeOverNoTaskIsBoundToABusyWorkerWhileAnotherIsIdle) {
  auto dispatcher =
      with_workers({.policy = Sita{.cutoffs = {seconds(1)}}, .take_over = true}, 2, 9);
  for (const int task : {0, 1}) EXPECT_TRUE(dispatcher.arrived(int{task}).start);
}

TEST(Dispatcher, TaskSentByAnotherGoesThereIfThereIsRoom) {
  auto dispatcher = with_workers({.policy = LeastLoaded{}}, 2, 2);
  for (const int task : {0, 1}) {
    EXPECT_EQ(dispatcher.arrived_at(WorkerId{1}, int{task}).worker, WorkerId{1});
  }
  EXPECT_EQ(dispatcher.arrived_at(WorkerId{1}, 2).worker, WorkerId{0});
  (void)dispatcher.arrived(3);
  EXPECT_EQ(dispatcher.arrived_at(WorkerId{1}, 4).kind, Kind::held);
  EXPECT_EQ(dispatcher.counts().arrived, 5U);
}

TEST(Dispatcher, DelayIsWhatTheLastTaskWaitedInTheQueue) {
  auto dispatcher = with_workers({.policy = LeastLoaded{Measure::delay}}, 1, 9);
  const auto at = [](int s) { return Instant{seconds(s)}; };
  (void)dispatcher.arrived(0, at(0));
  (void)dispatcher.start(WorkerId{0}, at(0));
  (void)dispatcher.arrived(1, at(1));
  dispatcher.finished(WorkerId{0}, at(4));
  (void)dispatcher.start(WorkerId{0}, at(4));
  EXPECT_EQ(dispatcher.loads().load(WorkerId{0}).delay, Duration(seconds(3)));
  dispatcher.finished(WorkerId{0}, at(9));
  EXPECT_FALSE(dispatcher.start(WorkerId{0}, at(9)));
  EXPECT_EQ(dispatcher.loads().load(WorkerId{0}).delay, Duration{0});
}

TEST(DispatcherDeathTest, RefusesToFinishWhatDoesNotRun) {
  auto dispatcher = with_workers({}, 1, 1);
  EXPECT_DEATH(dispatcher.finished(WorkerId{0}), "runs nothing");
}

/// When each task starts, if workers of speed 1 serve them.
std::vector<Instant> start_times(const DispatcherOptions& options, std::size_t workers,
                                 std::uint32_t capacity, const std::vector<Instant>& arrivals,
                                 const std::vector<Duration>& sizes) {
  auto dispatcher = with_workers(options, workers, capacity);
  std::vector<Instant> starts(arrivals.size());
  using End = std::pair<Instant, WorkerId>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  const auto start = [&](WorkerId id, Instant now) {
    const auto task = dispatcher.start(id, now);
    if (!task) return;
    const auto which = static_cast<std::size_t>(*task);
    starts[which] = now;
    ends.emplace(now + sizes[which], id);
  };
  for (std::size_t i = 0; i <= arrivals.size(); ++i) {
    const Instant now = i < arrivals.size() ? arrivals[i] : kNever;
    while (!ends.empty() && ends.top().first <= now) {
      const auto [end, id] = ends.top();
      ends.pop();
      dispatcher.finished(id, end);
      start(id, end);
    }
    if (i == arrivals.size()) break;
    const auto placement = dispatcher.arrived(static_cast<int>(i), now, sizes[i]);
    if (placement.start) start(placement.worker, now);
  }
  return starts;
}

std::vector<Instant> ascending_times() {
  std::vector<Instant> times;
  Instant now{};
  for (const int gap : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30))) {
    times.push_back(now += Duration{gap});
  }
  return times;
}

std::vector<Duration> any_sizes(std::size_t count) {
  const auto size = rc::gen::map(rc::gen::inRange(1, 90), [](int ns) { return Duration{ns}; });
  return *rc::gen::container<std::vector<Duration>>(count, size);
}

RC_GTEST_PROP(Dispatcher, LeastWorkLeftStartsEveryTaskWhenOneCentralQueueWould, ()) {
  const auto arrivals = ascending_times();
  const auto sizes = any_sizes(arrivals.size());
  const auto workers = *rc::gen::inRange<std::size_t>(1, 6);
  RC_ASSERT(start_times({.policy = LeastWorkLeft{}}, workers, kUnbounded, arrivals, sizes) ==
            start_times({.policy = LeastLoaded{}}, workers, 1, arrivals, sizes));
}

RC_GTEST_PROP(Dispatcher, RoundRobinEqualsLeastWorkLeftForConstantSizes, ()) {
  const auto arrivals = ascending_times();
  const std::vector<Duration> sizes(arrivals.size(), Duration{60});
  const auto workers = *rc::gen::inRange<std::size_t>(1, 6);
  RC_ASSERT(start_times({.policy = RoundRobin{}}, workers, kUnbounded, arrivals, sizes) ==
            start_times({.policy = LeastWorkLeft{}}, workers, kUnbounded, arrivals, sizes));
}

RC_GTEST_PROP(Dispatcher, TakingOverNeverLeavesAWorkerIdleWhileTasksWait, ()) {
  // With tasks of one size, some task then starts whenever one would start in a central queue.
  const auto arrivals = ascending_times();
  const std::vector<Duration> sizes(arrivals.size(), Duration{60});
  const auto workers = *rc::gen::inRange<std::size_t>(1, 6);
  auto starts =
      start_times({.policy = Random{}, .take_over = true}, workers, kUnbounded, arrivals, sizes);
  std::sort(starts.begin(), starts.end());
  RC_ASSERT(starts == start_times({}, workers, 1, arrivals, sizes));
}

}  // namespace
}  // namespace artel::dispatch
