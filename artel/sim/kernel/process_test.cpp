#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/barrier.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/semaphore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "tests/sim/process_fixture.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Echo : Component<Ping> {
  void on(const Ping& ping, const Event& event) { emit(Pong{ping.number}, event.src(), 1s); }
};

Task<> ping_once(Context& context, ComponentId server, Diary& diary) {
  context.emit(Ping{7}, server, 1s);
  const auto pong = co_await context.next<Pong>();
  diary.push_back(std::to_string(pong->number) + " at " +
                  std::to_string(to_seconds(context.now())));
}

TEST(Process, SleepsAndReceives) {
  Simulation simulation;
  auto& echo = simulation.add<Echo>("echo");
  auto& client = simulation.add_context("client");
  Diary diary;
  const auto process = client.spawn(ping_once(client, echo.id(), diary));
  EXPECT_FALSE(process.done());
  simulation.run();
  EXPECT_TRUE(process.done());
  EXPECT_EQ(process.status(), ProcessStatus::done);
  EXPECT_EQ(diary, Diary{"7 at 2.000000"});
  EXPECT_EQ(simulation.event_count(), 2U);
}

TEST_F(ProcessTest, RunsOnlyInTheLoopAndInOrderOfSpawning) {
  const auto say = [this](Context& self, std::string word) -> Task<> {
    note(word);
    co_await self.yield();
    note(word);
  };
  context.spawn(say(context, "a"));
  context.spawn(say(context, "b"));
  EXPECT_TRUE(diary.empty());
  simulation.run();
  EXPECT_EQ(diary, (Diary{"a@0", "b@0", "a@0", "b@0"}));
}

TEST_F(ProcessTest, TasksReturnValuesAndExceptionsToWhoAwaitsThem) {
  const auto run = [this](Context& self) -> Task<> {
    const int sum = co_await answer_after(self, 3ns, 4) + co_await answer_after(self, 2ns, 5);
    note(std::to_string(sum));
    try {
      co_await fail_after(self, 1ns);
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"9@5", "as planned@6"}));
}

TEST_F(ProcessTest, JoinGivesResultAlsoLaterAndMoreThanOnce) {
  const auto run = [this](Context& self) -> Task<> {
    const Process<int> child = self.spawn(answer_after(self, 5ns, 42));
    note(std::to_string(*co_await child.join()));
    co_await self.sleep(5ns);
    note(std::to_string(*co_await child.join()));
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"42@5", "42@10"}));
}

TEST_F(ProcessTest, JoinOfACancelledProcessGivesNothing) {
  const auto run = [this](Context& self) -> Task<> {
    const Process<int> child = self.spawn(answer_after(self, 5ns, 42));
    const Process<> sleeper = self.spawn(fail_after(self, 1h));
    co_await self.sleep(1ns);
    EXPECT_TRUE(child.cancel());
    EXPECT_FALSE(child.cancel());
    sleeper.cancel();
    EXPECT_EQ(co_await child.join(), std::nullopt);
    EXPECT_FALSE(co_await sleeper.join());
    EXPECT_EQ(child.status(), ProcessStatus::cancelled);
    note("end");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"end@1"}));
  EXPECT_EQ(simulation.now(), Instant{1ns});  // the withdrawn timers do not move the clock
}

TEST_F(ProcessTest, AnExceptionReachesTheJoinerAndOtherwiseStopsTheSimulation) {
  const auto run = [this](Context& self) -> Task<> {
    const Process<> child = self.spawn(fail_after(self, 2ns));
    try {
      co_await child.join();
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
    self.spawn(fail_after(self, 3ns));
  };
  context.spawn(run(context));
  try {
    simulation.run();
    ADD_FAILURE() << "the simulation should have stopped";
  } catch (const ProcessFailure& failure) {
    const std::string what = failure.what();
    EXPECT_NE(what.find("main spawned at process_test.cpp:"), std::string::npos) << what;
    EXPECT_NE(what.find("failed at 0.000000005 s and nobody joins it: as planned"),
              std::string::npos)
        << what;
  }
  EXPECT_EQ(diary, (Diary{"as planned@2"}));
  EXPECT_EQ(simulation.run(), 0U);
}

TEST_F(ProcessTest, AFailureOfNoStandardTypeSaysWhoFailed) {
  const auto fail = [](Context& self) -> Task<> {
    co_await self.sleep(1ns);
    throw 7;  // NOLINT(*-std-exception-baseclass)
  };
  context.spawn(fail(context));
  try {
    simulation.run();
    ADD_FAILURE() << "the simulation should have stopped";
  } catch (const ProcessFailure& failure) {
    const std::string what = failure.what();
    EXPECT_NE(what.find("main spawned at process_test.cpp:"), std::string::npos) << what;
    EXPECT_NE(what.find("with an exception of no standard type"), std::string::npos) << what;
    try {
      std::rethrow_if_nested(failure);
      ADD_FAILURE() << "the exception itself should be there";
    } catch (int number) {
      EXPECT_EQ(number, 7);
    }
  }
}

TEST_F(ProcessTest, CancellingRunsDestructorsFromTheInnermostTaskOutwards) {
  struct Guard {
    Diary* diary;
    std::string name;
    ~Guard() { diary->push_back(name); }
  };
  const auto inner = [this](Context& self) -> Task<> {
    const Guard guard{&diary, "inner"};
    co_await self.sleep(1h);
  };
  const auto outer = [this, &inner](Context& self) -> Task<> {
    const Guard guard{&diary, "outer"};
    co_await inner(self);
  };
  const Process<> process = context.spawn(outer(context));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(process.cancel());
  EXPECT_EQ(diary, (Diary{"inner", "outer"}));
  EXPECT_EQ(simulation.run(), 0U);
  EXPECT_EQ(simulation.now(), Instant{1s});
}

TEST_F(ProcessTest, AProcessThatWasNeverStartedCanBeCancelled) {
  const Process<> process = context.spawn(fail_after(context, 1s));
  EXPECT_TRUE(process.cancel());
  simulation.run();
  EXPECT_EQ(process.status(), ProcessStatus::cancelled);
}

TEST_F(ProcessTest, AProcessThatCancelsItselfEndsAtItsNextWait) {
  Process<> self_handle;
  const auto run = [&](Context& self) -> Task<> {
    EXPECT_TRUE(self_handle.cancel());
    note("still here");
    co_await self.yield();
    note("not any more");
  };
  self_handle = context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"still here@0"}));
  EXPECT_EQ(self_handle.status(), ProcessStatus::cancelled);
}

TEST_F(ProcessTest, CancelIsSafeInEveryWait) {
  Channel<int> channel(0);
  Resource resource(1);
  Semaphore semaphore(0);
  Condition condition;
  Flag flag;
  Barrier barrier(3);
  const Process<> never =
      context.spawn([](Context& self) -> Task<> { co_await self.next<Ping>(); }(context));
  const auto hold = [&](Context& self) -> Task<> {
    const Lease lease = co_await resource.acquire();
    co_await self.sleep(1h);
  };
  const auto in_sleep = [](Context& self) -> Task<> { co_await self.sleep(1h); };
  const auto in_next = [](Context& self) -> Task<> {
    co_await self.next<Pong>().from(ComponentId{1}).key(4).within(1h);
  };
  const auto in_receive = [&](Context&) -> Task<> { co_await channel.receive(); };
  const auto in_join = [&](Context&) -> Task<> { co_await never.join(); };
  const auto in_acquire = [&](Context&) -> Task<> { co_await resource.acquire(); };
  const auto in_semaphore = [&](Context&) -> Task<> { co_await semaphore.acquire(); };
  const auto in_condition = [&](Context&) -> Task<> { co_await condition.wait(); };
  const auto in_flag = [&](Context&) -> Task<> { co_await flag.wait(); };
  const auto in_barrier = [&](Context&) -> Task<> { co_await barrier.arrive(); };
  const auto in_any = [&](Context& self) -> Task<> {
    co_await any_of(self.sleep(2h), channel.receive(), self.next<Pong>(),
                    answer_after(self, 3h, 1));
  };
  const auto in_all = [&](Context& self) -> Task<> {
    co_await all_of(self.sleep(2h), fail_after(self, 1h));
  };
  std::vector<Process<>> processes = {
      context.spawn(hold(context)),         context.spawn(in_sleep(context)),
      context.spawn(in_next(context)),      context.spawn(in_receive(context)),
      context.spawn(in_join(context)),      context.spawn(in_acquire(context)),
      context.spawn(in_semaphore(context)), context.spawn(in_condition(context)),
      context.spawn(in_flag(context)),      context.spawn(in_barrier(context)),
      context.spawn(in_any(context)),       context.spawn(in_all(context))};
  simulation.run_until(Instant{1s});
  for (const Process<>& process : processes) EXPECT_FALSE(process.done());
  for (const Process<>& process : processes) EXPECT_TRUE(process.cancel());
  channel.try_send(1);
  semaphore.release();
  EXPECT_EQ(condition.notify_all(), 0U);
  flag.set();
  EXPECT_EQ(semaphore.count(), 1U);
  EXPECT_EQ(resource.free(), 1U);
  EXPECT_TRUE(never.cancel());
  const std::uint64_t before = simulation.event_count();
  simulation.run();
  EXPECT_EQ(simulation.event_count(), before);
  EXPECT_EQ(simulation.now(), Instant{1s});
}

TEST_F(ProcessTest, AScopeJoinsOrCancelsItsChildren) {
  const auto run = [this](Context& self) -> Task<> {
    {
      Scope scope(self);
      scope.spawn(answer_after(self, 5ns, 1));
      scope.spawn(answer_after(self, 3ns, 1));
      co_await scope.join();
      note("joined");
    }
    Process<> child;
    {
      Scope scope(self);
      child = scope.spawn(fail_after(self, 1h));
      co_await self.sleep(1ns);
    }
    EXPECT_EQ(child.status(), ProcessStatus::cancelled);
    note("left");
  };
  const Process<> process = context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(process.status(), ProcessStatus::done);
  EXPECT_EQ(diary, (Diary{"joined@5", "left@6"}));
}

struct Worker : Component<Ping> {
  Worker(Simulation& of, Diary& to) : simulation(&of), diary(&to) { spawn(run()); }
  ~Worker() { diary->push_back("destroyed"); }
  Task<> run() {
    while (true) {
      const auto ping = co_await next<Ping>();
      diary->push_back("ping " + std::to_string(ping->number));
      if (ping->number == 3) simulation->remove(id());
      co_await sleep(10ns);
    }
  }
  void on(const Ping&) { diary->push_back("busy"); }
  Simulation* simulation;
  Diary* diary;
};

TEST_F(ProcessTest, AComponentCrashesAndStartsAgain) {
  const ComponentId id = simulation.add<Worker>("worker", simulation, diary).id();
  context.emit(Ping{1}, id, 1ns);
  context.emit(Ping{2}, id, 5ns);
  context.emit(Ping{4}, id, 30ns);
  simulation.run_until(Instant{8ns});
  simulation.remove(id, Pending::keep);
  simulation.run_until(Instant{20ns});
  simulation.add<Worker>("worker", simulation, diary);
  context.emit(Ping{3}, id, 25ns);
  context.emit(Ping{5}, id, 30ns);
  simulation.run();
  EXPECT_EQ(diary, (Diary{"ping 1", "busy", "destroyed", "ping 4", "ping 3", "destroyed"}));
  EXPECT_EQ(simulation.dropped_count(), 0U);
}

TEST_F(ProcessTest, ReportsWhoStillWaits) {
  Channel<int> channel(0);
  context.spawn(
      [](Context&, Channel<int>& from) -> Task<> { co_await from.receive(); }(context, channel));
  other.spawn([](Context& self) -> Task<> {
    co_await self.sleep(3s);
    co_await any_of(self.next<Ping>().from(ComponentId{0}).key(4), self.next<Pong>());
  }(other));
  const Result<std::uint64_t> result = simulation.finish();
  ASSERT_FALSE(result.has_value());
  const std::string& what = result.error().what;
  EXPECT_NE(what.find("2 processes still wait"), std::string::npos) << what;
  EXPECT_NE(what.find("main: a value from a channel, since 0.000000000 s, process_test.cpp:"),
            std::string::npos)
      << what;
  EXPECT_NE(what.find("other: any of Ping from main with key 4 or Pong, since 3.000000000 s"),
            std::string::npos)
      << what;
}

TEST_F(ProcessTest, LeavesNothingBehind) {
  const std::size_t before = simulation.blocks_in_use();
  {
    const Process<int> kept = context.spawn(answer_after(context, 1ns, 1));
    context.spawn(answer_after(context, 1ns, 1));
    const Process<> cancelled = context.spawn(fail_after(context, 1h));
    simulation.run_until(Instant{1s});
    cancelled.cancel();
  }
  simulation.run();
  EXPECT_EQ(simulation.blocks_in_use(), before);
}

}  // namespace
}  // namespace artel::sim
