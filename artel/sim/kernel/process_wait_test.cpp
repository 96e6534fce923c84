#include "artel/sim/kernel/next.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "tests/sim/process_fixture.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

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
  EXPECT_EQ(diary, (Diary{"3@9", "3@13", "failed@14"}));
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

TEST_F(ProcessTest, ASleepThatIsCutShortLeavesNothingPending) {
  const auto sleep = [](Context& self) -> Task<> { co_await self.sleep(1h); };
  const auto hold_on = [this](Context& self) -> Task<> {
    try {
      co_await self.sleep(1h);
    } catch (const Interrupted&) {
      note("interrupted");
    }
    co_await self.sleep(5ns);  // in the same place of its record
    note("rested");
  };
  const Process<> cancelled = context.spawn(sleep(context));
  const Process<> interrupted = context.spawn(hold_on(context));
  simulation.run_for(1ns);
  EXPECT_EQ(simulation.pending_count(), 2U);
  cancelled.cancel();
  interrupted.interrupt();
  simulation.run();
  EXPECT_EQ(diary, (Diary{"interrupted@1", "rested@6"}));
  EXPECT_EQ(simulation.pending_count(), 0U);
}

struct alignas(64) Wide {
  double value;
};

bool is_aligned(const Wide& wide) {
  return reinterpret_cast<std::uintptr_t>(&wide) % alignof(Wide) == 0;
}

TEST_F(ProcessTest, ResultsOfAnyAlignmentArriveAndLieAligned) {
  const auto give = [](Context& self, double value) -> Task<Wide> {
    co_await self.sleep(1ns);
    if (value < 0) throw std::runtime_error("negative");
    const Wide result{value};
    EXPECT_TRUE(is_aligned(result));
    co_return result;
  };
  const auto run = [&](Context& self) -> Task<> {
    const Wide awaited = co_await give(self, 1);
    const auto joined = co_await self.spawn(give(self, 2)).join();
    EXPECT_TRUE(is_aligned(awaited));
    if (joined) {
      EXPECT_TRUE(is_aligned(*joined));
    }
    note(std::to_string(static_cast<int>(awaited.value + (joined ? joined->value : 0))));
    try {
      (void)co_await give(self, -1);
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"3@2", "negative@3"}));
}

}  // namespace
}  // namespace artel::sim
