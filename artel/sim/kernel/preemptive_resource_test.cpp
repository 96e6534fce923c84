#include "artel/sim/kernel/preemptive_resource.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Diary = std::vector<std::string>;

std::string cause_of(const Interrupted& interrupted) {
  return interrupted.cause_as<Preempted>() != nullptr ? "preempted" : "interrupted";
}
Task<> seize(Context& self, PreemptiveResource& machine, Duration start) {
  co_await self.sleep(start);
  const Seat seat = co_await machine.acquire(-1);
  co_await self.sleep(1s);
}

TEST(PreemptiveResource, ALossIsToldAlsoWhenAnotherInterruptIsOnItsWay) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  PreemptiveResource machine(1);
  Diary diary;
  const Process<> victim =
      context.spawn([](Context& self, PreemptiveResource& from, Diary& to) -> Task<> {
        const Seat seat = co_await from.acquire(5);
        while (seat.holds() || to.size() < 2) {
          try {
            co_await self.sleep(1h);
          } catch (const Interrupted& interrupted) {
            to.push_back(cause_of(interrupted) + (seat.holds() ? "" : ", without"));
          }
        }
        co_await self.sleep(1s);  // nothing more comes
        to.push_back("slept");
      }(context, machine, diary));
  context.spawn([](Context& self, Process<> process, PreemptiveResource& from) -> Task<> {
    co_await self.sleep(1s);
    process.interrupt(std::string("first"));
    const Seat seat = co_await from.acquire(1);
  }(context, victim, machine));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"interrupted, without", "preempted, without", "slept"}));
}

TEST(PreemptiveResource, AProcessThatEndsBetweenTheTwoLeavesNothing) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  PreemptiveResource machine(1);
  const Process<> victim = context.spawn([](Context& self, PreemptiveResource& from) -> Task<> {
    const Seat seat = co_await from.acquire(5);
    try {
      co_await self.sleep(1h);
    } catch (const Interrupted&) {  // NOLINT(bugprone-empty-catch): so it ends
    }
  }(context, machine));
  context.spawn([](Context& self, Process<> process, PreemptiveResource& from) -> Task<> {
    co_await self.sleep(1s);
    process.interrupt();
    const Seat seat = co_await from.acquire(1);
  }(context, victim, machine));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(victim.status(), ProcessStatus::done);
}

TEST(PreemptiveResource, WhoeverTheSeatIsHandedToIsInterrupted) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  PreemptiveResource machine(1);
  Diary diary;
  const auto acquire = [&](Context& self) -> Task<> {
    Seat seat = co_await machine.acquire(5);
    const Process<> holder = self.spawn([](Context& on, const Seat& handed, Diary& to) -> Task<> {
      try {
        co_await on.sleep(10s);
      } catch (const Interrupted& interrupted) {
        to.push_back("holder " + cause_of(interrupted) + (handed.holds() ? "" : ", without"));
      }
    }(self, seat, diary));
    seat.hand_to(holder);
    co_await self.sleep(20s);
    diary.push_back("acquirer slept");
  };
  context.spawn(acquire(context));
  context.spawn(seize(context, machine, 2s));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, (Diary{"holder preempted, without", "acquirer slept"}));
  EXPECT_EQ(machine.in_use(), 0U);
}

TEST(PreemptiveResource, SeatsOfEqualPriorityComeAndGoInAnyOrder) {
  constexpr int kMany = 1000;
  Simulation simulation;
  Context& context = simulation.add_context("main");
  PreemptiveResource machine(kMany);
  int ended = 0;
  for (int i = 0; i < 2 * kMany; ++i) {
    context.spawn([](Context& self, PreemptiveResource& from, int& count, int number) -> Task<> {
      Seat first = co_await from.acquire(0);
      const Seat seat = std::move(first);
      co_await self.sleep((number * 7919) % kMany * 1s);
      ++count;
    }(context, machine, ended, i));
  }
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(ended, 2 * kMany);
  EXPECT_EQ(machine.in_use(), 0U);
}

}  // namespace
}  // namespace artel::sim
