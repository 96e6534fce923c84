#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
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

TEST(Daemon, SoAreTheTasksThatItWaitsForAndTheProcessesThatItSpawns) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  int beats = 0;
  context
      .spawn([](Context& self, int& count) -> Task<> {
        self.spawn(beat(self, count));
        while (true) co_await any_of(with_timeout(beat(self, count), 3s), beat(self, count));
      }(context, beats))
      .set_daemon();
  context.spawn(work(context, 1500ms));
  EXPECT_TRUE(simulation.finish());
  EXPECT_EQ(simulation.now(), Instant{1500ms});
  EXPECT_EQ(beats, 3);
}

struct Beat {};
struct Echo {};

/// Answers by a handler, and by what that spawns.
struct Echoing : Component<Beat> {
  void on(const Beat&, const Event& event) {
    emit(Echo{}, event.src(), 10s);
    spawn(work(*this, 10s));
  }
};

TEST(Daemon, NeitherItsMessagesNorWhatAnswersThemKeepTheRunGoing) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const ComponentId other = simulation.add<Echoing>("other").id();
  int echoes = 0;
  const auto send = [](Context& self, ComponentId to) -> Task<> {
    while (true) {
      self.emit(Beat{}, to, 10s);
      co_await self.sleep(1s);
    }
  };
  const auto hear = [](Context& self, int& count) -> Task<> {
    while (true) {
      (void)co_await self.next<Echo>();
      ++count;
    }
  };
  context.spawn(send(context, other)).set_daemon();
  context.spawn(hear(context, echoes)).set_daemon();
  context.spawn(work(context, 25500ms));
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{25500ms});
  EXPECT_EQ(echoes, 6);
  simulation.run();  // nothing but those
  EXPECT_EQ(simulation.now(), Instant{25500ms});
}

TEST(Daemon, WhoeverItWakesGoesOnInTheForeground) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const auto ring = [](Context& self) -> Task<> {
    co_await self.sleep(1s);
    self.emit_self(Beat{});
    co_await self.sleep(1h);
  };
  const auto woken = [](Context& self) -> Task<> {
    (void)co_await self.next<Beat>();
    co_await self.sleep(5s);
    self.emit_self(Echo{}, 5s);
    self.spawn(work(self, 7s));
  };
  context.spawn(ring(context)).set_daemon();
  context.spawn(woken(context));
  context.spawn(work(context, 2s));
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{13s});
}

TEST(Daemon, WhatACrashHasCancelledDoesNotKeepTheRunGoing) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  const ComponentId doomed = simulation.add<Echoing>("doomed").id();
  int beats = 0;
  context.spawn(beat(context, beats)).set_daemon();
  context.emit(Beat{}, doomed, 1h);
  context.spawn(work(context, 3500ms));
  simulation.run_until(Instant{1500ms});
  simulation.crash(doomed, Pending::cancel_both);
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{3500ms});
  EXPECT_EQ(beats, 3);
}

TEST(Daemon, OneThatBecomesItWhileItRunsIsOne) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  int beats = 0;
  context.spawn([](Context& self, int& count) -> Task<> {
    (co_await this_process()).set_daemon();
    co_await beat(self, count);
  }(context, beats));
  context.spawn(work(context, 2500ms));
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{2500ms});
}

}  // namespace
}  // namespace artel::sim
