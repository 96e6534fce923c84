#include "artel/sim/kernel/process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/error/error.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/barrier.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/process_state.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/semaphore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Ping {
  std::uint64_t number = 0;
};
std::uint64_t key_of(const Ping& ping) { return ping.number; }
struct Pong {
  std::uint64_t number = 0;
};
std::uint64_t key_of(const Pong& pong) { return pong.number; }

using Diary = std::vector<std::string>;

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

/// A simulation with two contexts and a diary.
class ProcessTest : public testing::Test {
 public:
  std::string now() const { return std::to_string(context.now().time_since_epoch().count()); }
  void note(const std::string& text) { diary.push_back(text + "@" + now()); }

  Simulation simulation;
  Context& context = simulation.add_context("main");
  Context& other = simulation.add_context("other");
  Diary diary;
};

Task<int> answer_after(Context& context, Duration delay, int answer) {
  co_await context.sleep(delay);
  co_return answer;
}
Task<> fail_after(Context& context, Duration delay) {
  co_await context.sleep(delay);
  throw std::runtime_error("as planned");
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

TEST_F(ProcessTest, SpecificWaitsWinOverGeneralOnesAndUnwantedEventsGoToTheHandler) {
  struct Server : Component<Ping> {
    explicit Server(Diary& of) : diary(&of) {}
    Task<> serve(std::string name, int kind) {
      while (true) {
        const Received<Ping> got = co_await wanted(kind);
        diary->push_back(name + std::to_string(got->number));
      }
    }
    Next<Ping> wanted(int kind) {
      if (kind == 1) return next<Ping>().from(ComponentId{0});
      if (kind == 2) return next<Ping>().key(5);
      if (kind == 3) return next<Ping>().from(ComponentId{0}).key(5);
      return next<Ping>();
    }
    void on(const Ping& ping) { diary->push_back("handler" + std::to_string(ping.number)); }
    Diary* diary;
  };
  auto& server = simulation.add<Server>("server", diary);
  const auto emit_all = [&] {
    for (const std::uint64_t number : {5U, 6U}) {
      context.emit(Ping{number}, server.id(), 1ns);
      other.emit(Ping{number}, server.id(), 1ns);
    }
  };
  emit_all();
  simulation.run();
  EXPECT_EQ(diary, (Diary{"handler5", "handler5", "handler6", "handler6"}));
  diary.clear();
  server.spawn(server.serve("source", 1));
  server.spawn(server.serve("key", 2));
  server.spawn(server.serve("both", 3));
  simulation.run();
  emit_all();
  simulation.run();
  EXPECT_EQ(diary, (Diary{"both5", "key5", "source6", "handler6"}));
  diary.clear();
  server.spawn(server.serve("any", 0));
  simulation.run();
  emit_all();
  simulation.run();
  EXPECT_EQ(diary, (Diary{"both5", "key5", "source6", "any6"}));
}

TEST_F(ProcessTest, EqualWaitsAreServedInOrderOfArrivalAndPredicatesChoose) {
  const auto take = [this](Context& self, std::string name, std::uint64_t least) -> Task<> {
    const auto got =
        co_await self.next<Ping>().matching([=](const Ping& ping) { return ping.number >= least; });
    note(name + std::to_string(got->number));
  };
  context.spawn(take(context, "picky", 9));
  context.spawn(take(context, "first", 0));
  context.spawn(take(context, "second", 0));
  for (const std::uint64_t number : {1U, 2U, 9U}) other.emit(Ping{number}, context.id(), 1ns);
  simulation.run();
  EXPECT_EQ(diary, (Diary{"first1@1", "second2@1", "picky9@1"}));
}

TEST_F(ProcessTest, ManyKeyedWaitsFindTheirEvents) {
  constexpr std::uint64_t kCount = 1000;
  std::uint64_t sum = 0;
  const auto wait = [&](Context& self, std::uint64_t key) -> Task<> {
    const auto got = co_await self.next<Ping>().key(key);
    EXPECT_EQ(got->number, key);
    sum += key;
  };
  for (std::uint64_t key = 0; key < kCount; ++key) context.spawn(wait(context, key));
  for (std::uint64_t key = kCount; key > 0; --key) other.emit(Ping{key - 1}, context.id(), 1ns);
  simulation.run();
  EXPECT_EQ(sum, kCount * (kCount - 1) / 2);
}

TEST_F(ProcessTest, AnEventBeatsATimeoutAtTheSameTime) {
  const auto wait = [this](Context& self, Duration timeout) -> Task<> {
    const std::optional<Received<Ping>> got = co_await self.next<Ping>().within(timeout);
    note(got ? "event" : "timeout");
  };
  context.spawn(wait(context, 5ns));
  other.spawn(wait(other, 4ns));
  simulation.run_until(Instant{1ns});
  other.emit(Ping{}, context.id(), 4ns);
  simulation.run();
  EXPECT_EQ(diary, (Diary{"timeout@4", "event@5"}));
}

TEST_F(ProcessTest, AnyOfGivesTheFirstAndWithdrawsTheOthers) {
  const auto run = [this](Context& self) -> Task<> {
    const auto first =
        co_await any_of(self.sleep(9ns), self.next<Ping>(), answer_after(self, 7ns, 3));
    EXPECT_EQ(first.index(), 2U);
    note(std::to_string(std::get<2>(first)));
    Channel<int> ready;
    ready.try_send(8);
    const auto second = co_await any_of(self.sleep(9ns), ready.receive());
    EXPECT_EQ(second.index(), 1U);
    note(std::to_string(*std::get<1>(second)));
    std::vector<Sleep> sleeps;
    sleeps.reserve(3);
    for (const Duration duration : {5ns, 3ns, 4ns}) sleeps.push_back(self.sleep(duration));
    note(std::to_string((co_await any_of(std::move(sleeps))).index));
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"3@7", "8@7", "1@10"}));
  EXPECT_EQ(simulation.now(), Instant{10ns});
}

TEST_F(ProcessTest, ListsOfEventsAndOfTasksCanBeAwaited) {
  const auto run = [this](Context& self) -> Task<> {
    std::vector<Next<Ping>> wanted;
    for (const std::uint64_t key : {4U, 5U, 6U}) wanted.push_back(self.next<Ping>().key(key));
    self.emit_self(Ping{5}, 1ns);
    const auto first = co_await any_of(std::move(wanted));
    EXPECT_EQ(first.value->number, 5U);
    note(std::to_string(first.index));
    std::vector<Task<int>> answers;
    answers.push_back(answer_after(self, 3ns, 1));
    answers.push_back(answer_after(self, 2ns, 2));
    int sum = 0;
    for (const int answer : co_await all_of(std::move(answers))) sum += answer;
    note(std::to_string(sum));
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"1@1", "3@4"}));
}

TEST_F(ProcessTest, AllOfGivesEveryResult) {
  const auto run = [this](Context& self) -> Task<> {
    const auto [nothing, one, two] =
        co_await all_of(self.sleep(9ns), answer_after(self, 7ns, 1), answer_after(self, 3ns, 2));
    note(std::to_string(one + two));
    std::vector<Join<int>> joins;
    joins.reserve(3);
    for (int i = 0; i < 3; ++i) joins.push_back(self.spawn(answer_after(self, i * 2ns, i)).join());
    int sum = 0;
    for (const auto& result : co_await all_of(std::move(joins))) sum += *result;
    note(std::to_string(sum));
    co_await all_of(std::vector<Sleep>{});
    try {
      co_await all_of(fail_after(self, 1ns), self.sleep(2ns));
    } catch (const std::runtime_error&) {
      note("failed");
    }
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"3@9", "3@13", "failed@15"}));
}

TEST_F(ProcessTest, WithTimeoutLimitsAnyWait) {
  const auto run = [this](Context& self) -> Task<> {
    EXPECT_FALSE(co_await with_timeout(self.sleep(9ns), 5ns));
    EXPECT_TRUE(co_await with_timeout(self.sleep(9ns), 9ns));
    const Process<int> child = self.spawn(answer_after(self, 3ns, 1));
    EXPECT_FALSE(co_await with_timeout(child.join(), 1ns));
    EXPECT_EQ(**co_await with_timeout(child.join(), kForever), 1);
    note("end");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"end@17"}));
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
