// What the doc comments of things to wait for promise, one at a time.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/barrier.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/container.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/one_shot.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/semaphore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/wait_set.hpp"
#include "tests/sim/process_fixture.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

class SharedPromises : public ProcessTest {
 public:
  /// A process that notes its name when it has got what `wait` makes.
  template <class Make>
  Process<> waits(const std::string& name, Make make) {
    const auto run = [](Context&, SharedPromises& test, std::string mine, Make wait) -> Task<> {
      co_await wait();
      test.diary.push_back(std::move(mine));
    };
    return context.spawn(run(context, *this, name, std::move(make)));
  }
  /// Runs what is due, then gives the diary and begins another.
  Diary seen() {
    simulation.run_for(1ns);
    return std::exchange(diary, {});
  }
};

TEST_F(SharedPromises, AConditionLetsGoWhoWaitedLongestAndCountsThem) {
  Condition condition;
  EXPECT_EQ(condition.notify_one(), 0U);
  for (const std::string name : {"a", "b", "c"}) waits(name, [&] { return condition.wait(); });
  EXPECT_EQ(seen(), Diary{});
  EXPECT_EQ(condition.notify_one(), 1U);
  EXPECT_EQ(seen(), Diary{"a"});
  EXPECT_EQ(condition.notify_all(), 2U);
  EXPECT_EQ(seen(), (Diary{"b", "c"}));
  waits("late", [&] { return condition.wait(); });
  EXPECT_EQ(seen(), Diary{});
}

TEST_F(SharedPromises, AFlagIsPassedWhileItIsSet) {
  Flag flag;
  waits("a", [&] { return flag.wait(); });
  EXPECT_EQ(seen(), Diary{});
  flag.set();
  EXPECT_TRUE(flag.is_set());
  waits("b", [&] { return flag.wait(); });
  EXPECT_EQ(seen(), (Diary{"a", "b"}));
  flag.reset();
  EXPECT_FALSE(flag.is_set());
  waits("c", [&] { return flag.wait(); });
  EXPECT_EQ(seen(), Diary{});
}

TEST_F(SharedPromises, ABarrierGathersGroupAfterGroupOfThoseWhoAreThere) {
  Barrier barrier(3);
  const auto arrive = [&] { return barrier.arrive(); };
  waits("a", arrive);
  const Process<> leaves = waits("leaves", arrive);
  EXPECT_EQ(seen(), Diary{});
  EXPECT_NE(simulation.waiting_report().find("1 more to arrive at a barrier"), std::string::npos);
  leaves.cancel();
  waits("b", arrive);
  EXPECT_EQ(seen(), Diary{});
  waits("c", arrive);
  EXPECT_EQ(seen(), (Diary{"c", "a", "b"}));
  for (const std::string name : {"d", "e"}) waits(name, arrive);
  EXPECT_EQ(seen(), Diary{});
}

TEST_F(SharedPromises, ASemaphoreCountsWhatNobodyWaitsFor) {
  Semaphore semaphore(1);
  for (const std::string name : {"a", "b"}) waits(name, [&] { return semaphore.acquire(); });
  EXPECT_EQ(seen(), Diary{"a"});
  EXPECT_EQ(semaphore.count(), 0U);
  semaphore.release();
  EXPECT_EQ(semaphore.count(), 0U);
  EXPECT_EQ(seen(), Diary{"b"});
  semaphore.release();
  EXPECT_EQ(semaphore.count(), 1U);
}

TEST_F(SharedPromises, AClosedChannelGivesWhatItHasAndLetsEverybodyGo) {
  Channel<int> full(1);
  EXPECT_TRUE(full.try_send(1));
  EXPECT_FALSE(full.try_send(2));
  std::optional<bool> sent;
  const auto sends = [&](Context&) -> Task<> { sent = co_await full.send(3); };
  context.spawn(sends(context));
  seen();
  EXPECT_FALSE(sent.has_value());
  full.close();
  seen();
  EXPECT_EQ(sent, false);
  EXPECT_TRUE(full.closed());
  EXPECT_FALSE(full.try_send(4));
  EXPECT_EQ(full.try_receive(), 1);
  EXPECT_EQ(full.try_receive(), std::nullopt);

  auto empty = std::make_unique<Channel<int>>(0);
  waits("over", [&] { return empty->receive(); });
  EXPECT_EQ(seen(), Diary{});
  empty.reset();
  EXPECT_EQ(seen(), Diary{"over"});
}

TEST_F(SharedPromises, WhatACancelledReceiverWasGivenIsLost) {
  Channel<int> channel(0);
  EXPECT_FALSE(channel.try_send(1));
  const Process<> first = waits("first", [&] { return channel.receive(); });
  waits("second", [&] { return channel.receive(); });
  seen();
  EXPECT_TRUE(channel.try_send(2));
  first.cancel();
  EXPECT_EQ(seen(), Diary{});

  Container tank(10, 0);
  const Process<> gets = waits("gets", [&] { return tank.get(4); });
  waits("others", [&] { return tank.get(4); });
  waits("puts", [&] { return tank.put(5); });
  simulation.run_while([&] { return tank.level() != 1; });
  gets.cancel();
  EXPECT_EQ(seen(), Diary{"puts"});
  EXPECT_EQ(tank.level(), 1);
  EXPECT_EQ(tank.capacity(), 10);
}

TEST_F(SharedPromises, ALargeRequestOfAContainerIsNotOvertaken) {
  Container tank(10, 5);
  const Process<> large = waits("large", [&] { return tank.get(6); });
  waits("small", [&] { return tank.get(1); });
  waits("room", [&] { return tank.put(6); });
  EXPECT_EQ(seen(), Diary{});
  large.cancel();
  EXPECT_EQ(seen(), (Diary{"small", "room"}));
  EXPECT_EQ(tank.level(), 10);
}

TEST_F(SharedPromises, NothingIsPutWithoutWaitingForThoseWhoGet) {
  Container tank(10, 1);
  waits("large", [&] { return tank.get(6); });
  waits("nothing put", [&] { return tank.put(0); });
  waits("nothing got", [&] { return tank.get(0); });
  EXPECT_EQ(seen(), Diary{"nothing put"});
}

TEST_F(SharedPromises, LeasesGiveBackWhenTheyAreReplacedAndMayOutliveTheirResource) {
  auto resource = std::make_unique<Resource>(3);
  Lease kept;
  const auto take = [&](Context&) -> Task<> {
    kept = co_await resource->acquire(2);
    kept = co_await resource->acquire(1);
  };
  context.spawn(take(context));
  seen();
  EXPECT_EQ(resource->free(), 2U);
  EXPECT_EQ(resource->total(), 3U);
  waits("all", [&] { return resource->acquire(3, -1); });
  waits("one", [&] { return resource->acquire(1, 5); });
  EXPECT_EQ(seen(), Diary{});
  EXPECT_EQ(resource->waiting_count(), 2U);
  kept.release();
  kept.release();
  EXPECT_EQ(seen(), (Diary{"all", "one"}));
  const auto again = [&](Context&) -> Task<> { kept = co_await resource->acquire(1); };
  context.spawn(again(context));
  seen();
  resource.reset();
  kept.release();
}

TEST_F(SharedPromises, AOneShotHappensOnce) {
  OneShot<int> one;
  EXPECT_FALSE(one.has_happened());
  EXPECT_TRUE(one.succeed(1));
  EXPECT_FALSE(one.succeed(2));
  EXPECT_FALSE(one.fail(std::make_exception_ptr(std::runtime_error("late"))));
  EXPECT_TRUE(one.has_happened());
  int value = 0;
  const auto get = [&](Context&) -> Task<> { value = co_await one.wait(); };
  context.spawn(get(context));
  seen();
  EXPECT_EQ(value, 1);
}

TEST_F(SharedPromises, AWaitSetLeavesItsProcessesAloneWhenItEnds) {
  const Process<int> process = context.spawn(answer_after(context, 1s, 7));
  {
    WaitSet<int> set;
    set.add(process);
    EXPECT_EQ(set.size(), 1U);
    simulation.run_for(1ns);
  }
  WaitSet<int> empty;
  bool is_over = false;
  const auto next = [&](Context&) -> Task<> { is_over = !(co_await empty.next()).has_value(); };
  context.spawn(next(context));
  simulation.run();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(process.status(), ProcessStatus::done);
}

TEST_F(SharedPromises, AFailureArrivesAtAScopeAtOnceAndTheOthersRunOnUntilItEnds) {
  Process<int> child;
  const auto run = [&](Context& self) -> Task<> {
    Scope scope(self);
    child = scope.spawn(answer_after(self, 1h, 1));
    scope.spawn(fail_after(self, 1s));
    try {
      co_await scope.join();
    } catch (const std::runtime_error&) {
      note("failed");
    }
    co_await self.sleep(1s);
    EXPECT_EQ(child.status(), ProcessStatus::running);
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, Diary{"failed@1000000000"});
  EXPECT_EQ(child.status(), ProcessStatus::cancelled);
  EXPECT_EQ(simulation.now(), Instant{2s});
}

TEST_F(SharedPromises, AmongEqualsWhoeverCameFirstHasAPreemptiveResource) {
  PreemptiveResource machine(1);
  const auto work = [&](Context& self, std::string name, std::int64_t priority) -> Task<> {
    Seat seat = co_await machine.acquire(priority);
    diary.push_back(name);
    try {
      co_await self.sleep(1s);
    } catch (const Interrupted& interrupted) {
      const auto* lost = interrupted.cause_as<Preempted>();
      diary.push_back(name + (lost != nullptr && lost->priority == 0 ? " loses" : " ?"));
    }
  };
  context.spawn(work(context, "a", 1));
  context.spawn(work(context, "b", 1));
  EXPECT_EQ(seen(), Diary{"a"});
  context.spawn(work(context, "urgent", 0));
  EXPECT_EQ(seen(), (Diary{"urgent", "a loses"}));
  EXPECT_EQ(machine.in_use(), machine.units());
  simulation.run();
  EXPECT_EQ(diary, Diary{"b"});
  EXPECT_EQ(machine.in_use(), 0U);
}

}  // namespace
}  // namespace artel::sim
