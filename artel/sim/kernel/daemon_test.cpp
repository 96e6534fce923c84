#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

Task<> beat(Context& self, int& beats) {
  while (true) {
    co_await self.sleep(1s);
    ++beats;
  }
}

Task<> work(Context& self, Duration time) { co_await self.sleep(time); }

TEST(Daemon, DoesNotKeepTheRunGoing) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  int beats = 0;
  const auto heart = context.spawn(beat(context, beats));
  heart.set_daemon();
  context.spawn(work(context, 10500ms));
  simulation.run();
  EXPECT_EQ(beats, 10);
  EXPECT_EQ(simulation.now(), Instant{10500ms});
  EXPECT_FALSE(heart.done());
}

TEST(Daemon, GoesOnInTheNextRunAndInRunUntil) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  int beats = 0;
  context.spawn(beat(context, beats)).set_daemon();
  simulation.run();
  EXPECT_EQ(beats, 0);
  simulation.run_until(Instant{3s});
  EXPECT_EQ(beats, 3);
  context.spawn(work(context, 2500ms));
  simulation.run();
  EXPECT_EQ(beats, 5);
}

TEST(Daemon, IsNoComplaintOfFinish) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  int beats = 0;
  context.spawn(beat(context, beats)).set_daemon();
  context.spawn(work(context, 2500ms));
  EXPECT_TRUE(simulation.finish());
  EXPECT_EQ(beats, 2);
}

// Timers that are stopped, restarted at their moment, or of a process that is cancelled.
TEST(Daemon, ItsTimersAreCountedHoweverTheyEnd) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const auto patient = context.spawn([](Context& self) -> Task<> {
    while (true) {
      co_await with_timeout(self.sleep(5s), 1s);
      co_await with_timeout(self.sleep(1s), 5s);
      co_await self.sleep(0s);
    }
  }(context));
  patient.set_daemon();
  context.spawn(work(context, 100s));
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{100s});
  patient.cancel();
  context.spawn(work(context, 1s));
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{101s});
  EXPECT_EQ(simulation.pending_count(), 0U);
}

}  // namespace
}  // namespace artel::sim
