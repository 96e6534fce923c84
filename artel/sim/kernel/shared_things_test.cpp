// What processes share and wait for together: wait sets, one-shots, containers, stores, preemptive
// resources; and interrupts, by which others end a wait.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/container.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/filter_store.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/on_exit.hpp"
#include "artel/sim/kernel/one_shot.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/kernel/wait_set.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Diary = std::vector<std::string>;

struct Note {
  int number = 0;
};

struct SharedThingsTest : testing::Test {
  void note(const std::string& text) {
    diary.push_back(text + " at " + std::to_string(simulation.now().time_since_epoch() / 1s));
  }
  Task<> at(Duration delay, std::function<void()> act) {
    co_await (co_await this_context()).sleep(delay);
    act();
  }
  Task<int> number_after(Context& self, int value) {
    co_await self.sleep(value * 1s);
    co_return value;
  }

  Simulation simulation;
  Context& context = simulation.add_context("main");
  Diary diary;
};

// --- Interrupts.

TEST_F(SharedThingsTest, AnInterruptThrowsWhereTheProcessWaitsAndItMayGoOn) {
  const auto work = [&](Context& self) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      try {
        co_await self.sleep(10s);
        note("slept");
      } catch (const Interrupted& interrupted) {
        note("interrupted by " + *interrupted.cause_as<std::string>());
        EXPECT_EQ(interrupted.cause_as<int>(), nullptr);
      }
    }
  };
  const Process<> process = context.spawn(work(context));
  context.spawn(at(3s, [&] {
    EXPECT_TRUE(process.interrupt(std::string("a failure")));
    EXPECT_FALSE(process.interrupt(std::string("another")));
  }));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"interrupted by a failure at 3", "slept at 13"}));
  EXPECT_FALSE(process.interrupt());
  EXPECT_EQ(simulation.now(), Instant{13s});  // the timer of the interrupted sleep is gone
}

TEST_F(SharedThingsTest, AnInterruptReachesEveryKindOfWaitAndWithdrawsIt) {
  Mutex mutex;
  const auto hold = [&](Context& self) -> Task<> {
    const Lease lease = co_await mutex.lock();
    co_await self.sleep(20s);
  };
  context.spawn(hold(context));
  const auto wait = [&](Context& self, int kind) -> Task<> {
    try {
      if (kind == 0) (void)co_await self.next<Note>();
      if (kind == 1) (void)co_await self.next<Note>().within(1h);
      if (kind == 2) (void)co_await mutex.lock();
      if (kind == 3) (void)co_await any_of(number_after(self, 99), self.sleep(1h));
      if (kind == 4) (void)co_await all_of(mutex.lock(), number_after(self, 99));
      if (kind == 5) (void)co_await number_after(self, 99);
    } catch (const Interrupted&) {
      note(std::to_string(kind));
    }
  };
  std::vector<Process<>> processes;
  processes.reserve(6);
  for (int kind = 0; kind < 6; ++kind) processes.push_back(context.spawn(wait(context, kind)));
  context.spawn(at(1s, [&] {
    for (const Process<>& process : processes) EXPECT_TRUE(process.interrupt());
  }));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"0 at 1", "1 at 1", "2 at 1", "3 at 1", "4 at 1", "5 at 1"}));
  EXPECT_EQ(simulation.now(), Instant{20s});
  EXPECT_FALSE(mutex.locked());
}

TEST_F(SharedThingsTest, AnInterruptWaitsForTheNextWaitOfWhoeverRunsOrHasNotStarted) {
  Process<> self_made;
  const auto run = [&](Context& self) -> Task<> {
    note("started");
    try {
      co_await self.sleep(1s);
    } catch (const Interrupted&) {
      note("first");
    }
    EXPECT_TRUE(self_made.interrupt());  // itself
    try {
      co_await self.sleep(1s);
    } catch (const Interrupted&) {
      note("second");
    }
    EXPECT_TRUE(self_made.interrupt());  // too late: it waits no more
  };
  self_made = context.spawn(run(context));
  EXPECT_TRUE(self_made.interrupt());
  simulation.run();
  EXPECT_EQ(diary, (Diary{"started at 0", "first at 0", "second at 0"}));
  EXPECT_EQ(self_made.status(), ProcessStatus::done);
}

TEST_F(SharedThingsTest, AnInterruptThatNobodyCatchesIsAFailure) {
  const Process<> process = context.spawn(at(1h, [] {}));
  context.spawn(at(1s, [&] { process.interrupt(); }));
  EXPECT_THROW(simulation.run(), ProcessFailure);
}

// --- Errors of all_of, the end of a process.

TEST_F(SharedThingsTest, AFailureInAllOfArrivesAtOnceAndCancelsTheOthers) {
  const auto fail = [](Context& self) -> Task<int> {
    co_await self.sleep(1s);
    throw std::runtime_error("as planned");
  };
  const auto guarded = [&](Context& self) -> Task<int> {
    const OnExit guard(co_await this_process(), [&](ProcessStatus why) {
      note(why == ProcessStatus::cancelled ? "c" : "?");
    });
    co_await self.sleep(1h);
    co_return 1;
  };
  const auto run = [&](Context& self) -> Task<> {
    try {
      (void)co_await all_of(guarded(self), fail(self), self.sleep(2h));
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  };
  context.spawn(run(context));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"c at 1", "as planned at 1"}));
  EXPECT_EQ(simulation.now(), Instant{1s});
}

TEST_F(SharedThingsTest, OnExitKnowsWhyTheProcessEnds) {
  const auto run = [&](Context& self, bool fails) -> Task<> {
    const OnExit guard(co_await this_process(), [&](ProcessStatus why) {
      note(why == ProcessStatus::done     ? "done"
           : why == ProcessStatus::failed ? "failed"
                                          : "cancelled");
    });
    co_await self.sleep(1s);
    if (fails) throw std::runtime_error("as planned");
  };
  context.spawn(run(context, false));
  const Process<> failing = context.spawn(run(context, true));
  EXPECT_THROW(simulation.run(), ProcessFailure);
  const Process<> cancelled = context.spawn(run(context, false));
  context.spawn(run(context, false));
  simulation.run_for(500ms);
  cancelled.cancel();
  simulation.crash(context.id());
  EXPECT_EQ(diary, (Diary{"done at 1", "failed at 1", "cancelled at 1", "cancelled at 1"}));
}

// --- Wait sets.

TEST_F(SharedThingsTest, AWaitSetGivesProcessesInTheOrderInWhichTheyEnd) {
  const auto run = [&](Context& self) -> Task<> {
    WaitSet<int> set;
    for (const int value : {3, 1, 2}) set.add(self.spawn(number_after(self, value)));
    while (const auto next = co_await set.next()) {
      const auto value = co_await next->join();
      note(std::to_string(value.value_or(0)));
      if (value == 1) set.add(self.spawn(number_after(self, 4)));
      if (value == 2) set.add(*next);  // it has ended: comes again at once
      EXPECT_TRUE(diary.size() != 3 || set.size() == 3);
      if (diary.size() == 5) break;
    }
  };
  context.spawn(run(context));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"1 at 1", "2 at 2", "2 at 2", "2 at 2", "2 at 2"}));
}

TEST_F(SharedThingsTest, AWaitSetOfManyTakesEachOnce) {
  constexpr int kMany = 100'000;
  std::int64_t sum = 0;
  const auto run = [&](Context& self) -> Task<> {
    WaitSet<int> set;
    const auto quick = [](Context& on, int value) -> Task<int> {
      co_await on.sleep(Duration{(value * 7919) % kMany});
      co_return value;
    };
    for (int i = 0; i < kMany; ++i) set.add(self.spawn(quick(self, i)));
    while (const auto next = co_await set.next()) sum += (co_await next->join()).value_or(0);
    EXPECT_EQ(set.size(), 0U);
  };
  context.spawn(run(context));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(sum, std::int64_t{kMany} * (kMany - 1) / 2);
}

TEST_F(SharedThingsTest, WhatAWaitSetGaveToALoserOfAnyOfIsNotLost) {
  const auto run = [&](Context& self) -> Task<> {
    WaitSet<int> set;
    set.add(self.spawn(number_after(self, 2)));
    const auto first = co_await any_of(self.sleep(1s), set.next());
    EXPECT_EQ(first.index(), 0U);
    EXPECT_EQ(set.size(), 1U);
    const auto next = co_await set.next();
    note(std::to_string((co_await next->join()).value_or(0)));
  };
  context.spawn(run(context));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, Diary{"2 at 2"});
}

// --- One-shots.

TEST_F(SharedThingsTest, AOneShotReachesAllWhoWaitBeforeAndAfter) {
  OneShot<int> answer;
  OneShot<> failing;
  const auto wait = [&](Context& self, Duration start) -> Task<> {
    co_await self.sleep(start);
    note(std::to_string(co_await answer.wait()));
    try {
      co_await failing.wait();
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  };
  context.spawn(wait(context, 0s));
  context.spawn(wait(context, 5s));
  context.spawn(at(1s, [&] {
    EXPECT_TRUE(answer.succeed(42));
    EXPECT_FALSE(answer.succeed(43));
    EXPECT_TRUE(failing.fail(std::make_exception_ptr(std::runtime_error("as planned"))));
    EXPECT_FALSE(failing.succeed());
  }));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"42 at 1", "as planned at 1", "42 at 5", "as planned at 5"}));
}

// --- Containers and stores.

TEST_F(SharedThingsTest, AContainerServesEachSideInOrderOfArrival) {
  Container tank(100, 20);
  const auto get = [&](Context&, double amount) -> Task<> {
    co_await tank.get(amount);
    note("got " + std::to_string(static_cast<int>(amount)));
  };
  const auto put = [&](Context&, double amount) -> Task<> {
    co_await tank.put(amount);
    note("put " + std::to_string(static_cast<int>(amount)));
  };
  context.spawn(get(context, 30));
  const Process<> large = context.spawn(get(context, 100));
  context.spawn(get(context, 5));  // there would be enough for it
  context.spawn(at(1s, [&] { context.spawn(put(context, 50)); }));
  context.spawn(at(2s, [&] { large.cancel(); }));
  context.spawn(at(3s, [&] { context.spawn(put(context, 90)); }));  // 35 are there: no room
  context.spawn(at(4s, [&] { context.spawn(get(context, 30)); }));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary,
            (Diary{"put 50 at 1", "got 30 at 1", "got 5 at 2", "got 30 at 4", "put 90 at 4"}));
  EXPECT_EQ(tank.level(), 95);
}

TEST_F(SharedThingsTest, AStoreGivesWhatAPredicateWantsAndAPriorityStoreTheLeast) {
  FilterStore<int> store(2);
  PriorityStore<int> ordered;
  const auto get = [&](Context&, int divisor) -> Task<> {
    const int value = co_await store.get([divisor](int v) { return v % divisor == 0; });
    note(std::to_string(divisor) + " got " + std::to_string(value));
  };
  const auto put = [&](Context&) -> Task<> {
    for (const int value : {7, 9, 10, 12, 5}) co_await store.put(value);
    note("all put");
    for (const int value : {3, 1, 2}) co_await ordered.put(value);
    for (int i = 0; i < 3; ++i) note(std::to_string(co_await ordered.get()));
  };
  context.spawn(get(context, 5));
  context.spawn(get(context, 4));
  context.spawn(put(context));
  context.spawn(at(1s, [&] { context.spawn(get(context, 3)); }));
  context.spawn(at(2s, [&] { context.spawn(get(context, 1)); }));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"3 got 9 at 1", "5 got 10 at 1", "all put at 1", "1 at 1", "2 at 1",
                          "3 at 1", "4 got 12 at 1", "1 got 7 at 2"}));
}

// --- Preemption.

TEST_F(SharedThingsTest, TheMoreUrgentTakesTheUnitOfTheLeastUrgent) {
  PreemptiveResource machine(1);
  const auto work = [&](Context& self, std::string name, std::int64_t priority, Duration length,
                        Duration start) -> Task<> {
    co_await self.sleep(start);
    while (length > 0s) {
      const Seat seat = co_await machine.acquire(priority);
      try {
        co_await self.sleep(length);
        length = 0s;
      } catch (const Interrupted& interrupted) {
        const auto* lost = interrupted.cause_as<Preempted>();
        EXPECT_NE(lost, nullptr);
        EXPECT_FALSE(seat.holds());
        length -= self.now() - lost->since;
        note(name + " loses to " + std::to_string(lost->priority));
      }
    }
    note(name + " done");
  };
  context.spawn(work(context, "low", 5, 10s, 0s));
  context.spawn(work(context, "equal", 5, 1s, 1s));
  context.spawn(work(context, "high", 1, 3s, 2s));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary,
            (Diary{"low loses to 1 at 2", "high done at 5", "equal done at 6", "low done at 14"}));
  EXPECT_EQ(machine.in_use(), 0U);
}

// What processes share is declared after the simulation, so it ends first, and the run is cut.
TEST(SharedThings, MayEndBeforeTheProcessesThatUseThem) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  PreemptiveResource machine(1);
  auto answer = std::make_unique<OneShot<std::string>>();
  WaitSet<> set;
  std::string got;
  for (int i = 0; i < 2; ++i) {
    context.spawn([](Context& self, PreemptiveResource& from) -> Task<> {
      const Seat seat = co_await from.acquire(1);
      co_await self.sleep(100s);
    }(context, machine));
  }
  context.spawn([](OneShot<std::string>& from, std::string& to) -> Task<> {
    to = co_await from.wait();
  }(*answer, got));
  context.spawn([](WaitSet<>& from) -> Task<> { co_await from.next(); }(set));
  set.add(context.spawn([](Context& self) -> Task<> { co_await self.sleep(5s); }(context)));
  simulation.run_until(Instant{4s});
  answer->succeed("kept");
  answer.reset();  // before the process that waits for it runs on
  simulation.run_until(Instant{4s});
  EXPECT_EQ(got, "kept");
  simulation.stop();
  simulation.steps(2);  // the end of the sleep is there, and nobody has taken it
}

}  // namespace
}  // namespace artel::sim
