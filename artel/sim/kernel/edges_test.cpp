// What a model may run into at the edges: the end of time, components that are gone, payloads that
// throw, events that nobody wants, failures that nobody looks at, crowds.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Diary = std::vector<std::string>;

struct Tick {
  std::uint64_t number = 0;
};
std::uint64_t key_of(const Tick& tick) { return tick.number; }

struct Counter : Component<Tick> {
  void on(const Tick&) { ++count; }
  int count = 0;
};

struct EdgesTest : testing::Test {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Diary diary;
};

// --- Events that nobody wants.

struct Question {};
struct Server : Component<Question> {
  void on(const Question&, const Event& event) { emit(Tick{}, event.src(), 2s); }
};

TEST_F(EdgesTest, AReplyAfterItsTimeoutIsCountedAndLogged) {
  const Server& server = simulation.add<Server>("server");
  std::ostringstream out;
  TextLog sink(out);
  simulation.log_to(sink);
  simulation.set_log_level(LogLevel::warning);
  const auto ask = [&](Context& self) -> Task<> {
    for (int i = 0; i < 3; ++i) {
      self.emit(Question{}, server.id(), 1ms);
      const auto reply = co_await self.next<Tick>().from(server.id()).within(1s);
      if (!reply) co_await self.sleep(5s);
    }
    diary.emplace_back("end");
  };
  context.spawn(ask(context));
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 6U);
  EXPECT_EQ(diary, Diary{"end"});
  EXPECT_EQ(simulation.unhandled_count(), 3U);
  EXPECT_EQ(simulation.dropped_count(), 0U);
  EXPECT_NE(out.str().find("warning main: nobody handles or awaits a Tick from server"),
            std::string::npos);
}

TEST(Edges, AStrictSimulationThrowsForAnEventThatNobodyHandlesAndMayGoOn) {
  Simulation simulation({.strict = true});
  Context& context = simulation.add_context("main");
  context.emit_self(Tick{}, 1s);
  context.emit_self(Tick{}, 2s);
  try {
    simulation.run();
    ADD_FAILURE() << "nobody handles a Tick";
  } catch (const UnhandledEvent& error) {
    EXPECT_STREQ(error.what(),
                 "at 1.000000000 s, main (Component): nobody handles or awaits a Tick from main");
  }
  EXPECT_THROW(simulation.run(), UnhandledEvent);
  EXPECT_EQ(simulation.run(), 0U);
  EXPECT_EQ(simulation.unhandled_count(), 2U);
}

// --- Payloads.

struct Fragile {
  explicit Fragile(int* made) : copies(made), text("long enough to live on the heap, surely") {}
  Fragile(const Fragile& other) : copies(other.copies), text(other.text) {
    if (++*copies == 3) throw std::runtime_error("copy");
  }
  Fragile& operator=(const Fragile&) = delete;
  int* copies;
  std::string text;
};
struct FragileUser : Component<Fragile> {
  void on(const Fragile& fragile) { seen += fragile.text.size(); }
  std::size_t seen = 0;
};

TEST(Edges, APayloadIsCopiedOnceAndOneThatThrowsLeavesNothingBehind) {
  Simulation simulation;
  auto& user = simulation.add<FragileUser>("user");
  const std::size_t blocks = simulation.blocks_in_use();
  int copies = 0;
  const Fragile fragile(&copies);
  user.emit_self(fragile, 1s);
  EXPECT_EQ(copies, 1);
  user.emit(fragile, user.id(), 1s);
  EXPECT_THROW(user.emit_now(fragile, user.id()), std::runtime_error);
  EXPECT_EQ(simulation.pending_count(), 2U);
  EXPECT_EQ(simulation.run(), 2U);
  EXPECT_EQ(user.seen, 2 * fragile.text.size());
  EXPECT_EQ(simulation.blocks_in_use(), blocks);
}

TEST(Edges, AnEventIdMeansNothingToAnotherSimulation) {
  Simulation one;
  Simulation other;
  auto& mine = one.add<Counter>("counter");
  auto& foreign = other.add<Counter>("counter");
  const EventId id = mine.emit_self(Tick{}, 1s);
  foreign.emit_self(Tick{}, 1s);
  EXPECT_FALSE(foreign.cancel(id));
  other.run();
  EXPECT_EQ(foreign.count, 1);
  EXPECT_TRUE(mine.cancel(id));
}

// --- The end of time.

TEST_F(EdgesTest, WhatWouldHappenAfterTheEndOfTimeNeverHappens) {
  auto& counter = simulation.add<Counter>("counter");
  counter.emit_self(Tick{}, 1s);
  EXPECT_EQ(simulation.run_for(kForever), 1U);
  EXPECT_EQ(simulation.now(), Instant{1s});
  const EventId never = counter.emit_self(Tick{}, from_seconds(1e10));
  counter.emit_self(Tick{}, 1s);
  EXPECT_EQ(simulation.run(), 1U);
  EXPECT_EQ(simulation.now(), Instant{2s});
  counter.emit_self(Tick{}, 1ms);  // time goes on as if nothing had been there
  EXPECT_EQ(simulation.run_until(kNever), 1U);
  EXPECT_EQ(simulation.now(), Instant{2001ms});
  EXPECT_TRUE(counter.cancel(never));
}

TEST_F(EdgesTest, ASleepUntilNeverIsNeverOver) {
  const auto sleep = [&](Context& self) -> Task<> {
    co_await self.sleep(1s);
    const bool in_time = (co_await with_timeout(self.sleep_until(kNever), 1s)).has_value();
    diary.emplace_back(in_time ? "in time" : "timed out");
    co_await self.sleep(kForever - 1ns);
  };
  context.spawn(sleep(context));
  const Result<std::uint64_t> finished = simulation.finish();
  ASSERT_FALSE(finished.has_value());
  EXPECT_NE(finished.error().what.find("1 process still waits"), std::string::npos);
  EXPECT_EQ(simulation.now(), Instant{2s});
  EXPECT_EQ(diary, Diary{"timed out"});
}

// --- The very moment of a timeout.

TEST_F(EdgesTest, AllThatHappensAtTheMomentOfATimeoutStillCounts) {
  const auto wait = [&](Context& self) -> Task<> {
    const auto tick = co_await self.next<Tick>().within(2s);
    diary.emplace_back(tick ? "in time" : "timed out");
  };
  const auto send = [&](Context& self) -> Task<> {
    co_await self.sleep(2s);
    for (int hop = 0; hop < 5; ++hop) co_await self.yield();
    self.emit_self(Tick{});
  };
  context.spawn(wait(context));
  context.spawn(send(context));
  simulation.run();
  EXPECT_EQ(diary, Diary{"in time"});
}

// --- Components that are gone.

TEST_F(EdgesTest, ACrashOfWhatIsNotThereChangesNothing) {
  const ComponentId id = simulation.add<Counter>("counter").id();
  EXPECT_FALSE(simulation.crash(ComponentId{77}));
  EXPECT_TRUE(simulation.crash(id));
  EXPECT_FALSE(simulation.crash(id));
  EXPECT_FALSE(simulation.remove(id));
  simulation.restart<Counter>(id);
  EXPECT_TRUE(simulation.remove(id));
}

TEST_F(EdgesTest, WhoeverWaitsInTheNameOfAComponentLearnsThatItIsGone) {
  for (const int waiters : {1, 3}) {
    Context& other = simulation.add_context("other");
    diary.clear();
    const auto wait = [&](Context&, Context& of, int i) -> Task<> {
      try {
        if (i == 0) co_await of.next<Tick>();
        if (i == 1) co_await with_timeout(all_of(of.next<Tick>().key(5), of.next<Tick>()), 1h);
        if (i == 2) co_await any_of(of.next<Tick>().key(4), of.next<Tick>().key(3));
      } catch (const ComponentGone& gone) {
        diary.push_back(std::to_string(i) + ": " + gone.what());
      }
    };
    for (int i = 0; i < waiters; ++i) context.spawn(wait(context, other, i));
    simulation.run_for(1s);
    EXPECT_TRUE(simulation.crash(other.id()));
    simulation.run();
    ASSERT_EQ(diary.size(), static_cast<std::size_t>(waiters));
    for (int i = 0; i < waiters; ++i) {
      EXPECT_EQ(diary[static_cast<std::size_t>(i)],
                std::to_string(i) +
                    ": other was removed or crashed while a process of main waited for a Tick in "
                    "its name");
    }
    EXPECT_TRUE(simulation.waiting_report().empty());
  }
}

// --- Failures that nobody looks at.

Task<> fail_at(Context& self, Duration at) {
  co_await self.sleep(at);
  throw std::runtime_error("broke at " + format_duration(at));
}

TEST_F(EdgesTest, RunThrowsTheFailureOfAProcessWhoseHandleIsKeptOnce) {
  const Process<> late = context.spawn(fail_at(context, 2s));
  const Process<> early = context.spawn(fail_at(context, 1s));
  for (const char* const expected : {"broke at 1.00 s", "broke at 2.00 s"}) {
    try {
      simulation.run();
      ADD_FAILURE() << "nobody joined it";
    } catch (const ProcessFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find(expected), std::string::npos) << failure.what();
    }
  }
  EXPECT_EQ(simulation.run(), 0U);
  EXPECT_EQ(early.status(), ProcessStatus::failed);
}

TEST_F(EdgesTest, FinishTellsOfFailuresThatNobodyHasJoined) {
  const Process<> process = context.spawn(fail_at(context, 1s));
  const Process<> joined = context.spawn(fail_at(context, 1s));
  const auto join = [&](Context&, Process<> of) -> Task<> {
    try {
      co_await of.join();
    } catch (const std::runtime_error&) {
      diary.emplace_back("joined");
    }
  };
  context.spawn(join(context, joined));
  const Result<std::uint64_t> finished = simulation.finish();
  ASSERT_FALSE(finished.has_value());
  EXPECT_NE(finished.error().what.find("failed at 1.000000000 s and nobody joins it: broke at"),
            std::string::npos)
      << finished.error().what;
  EXPECT_EQ(diary, Diary{"joined"});
  context.spawn(join(context, process));  // better late than never
  EXPECT_TRUE(simulation.finish().has_value());
}

// --- Crowds: each of these took minutes when its cost grew with the crowd.

Task<> nest(Context& self, int depth) {
  if (depth == 0) {
    co_await self.sleep(1h);
  } else {
    co_await any_of(nest(self, depth - 1), self.sleep(2h));
  }
}

TEST_F(EdgesTest, TasksNestedInAnyOfToAnyDepthAreCancelledInnermostFirst) {
  const Process<> process = context.spawn(nest(context, 100'000));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(process.cancel());
  EXPECT_TRUE(simulation.waiting_report().empty());
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{1s});
}

TEST_F(EdgesTest, ACrowdAtAResourceIsServedInOrderOfPriorityThenArrival) {
  constexpr int kCrowd = 39'999;
  Resource resource(1);
  int turn = 0;
  const auto use = [&](Context& self, int i) -> Task<> {
    const Lease lease = co_await resource.acquire(1, i % 3);
    co_await self.sleep(1ns);
    const int before = i % 3 == 0 ? 0 : i % 3 == 1 ? kCrowd / 3 : kCrowd / 3 * 2;
    if (turn++ != before + i / 3) diary.push_back(std::to_string(i));
  };
  const auto fill = [&](Context& self) -> Task<> {
    const Lease lease = co_await resource.acquire();
    for (int i = 0; i < kCrowd; ++i) self.spawn(use(self, i));
    co_await self.sleep(1s);
    EXPECT_EQ(resource.waiting_count(), static_cast<std::size_t>(kCrowd));
  };
  context.spawn(fill(context));
  simulation.run();
  EXPECT_EQ(turn, kCrowd);
  EXPECT_EQ(diary, Diary{});
}

TEST_F(EdgesTest, CrashesDoNotLookAtWhatIsPending) {
  auto& counter = simulation.add<Counter>("counter");
  for (int i = 0; i < 200'000; ++i) counter.emit_self(Tick{}, std::chrono::microseconds(i + 1));
  const ComponentId id = simulation.add<Counter>("victim").id();
  for (int i = 0; i < 20'000; ++i) {
    counter.emit(Tick{}, id, 1h);
    EXPECT_TRUE(simulation.crash(id, Pending::cancel_incoming));
    simulation.restart<Counter>(id);
  }
  EXPECT_EQ(simulation.run(), 200'000U);
  EXPECT_EQ(counter.count, 200'000);
  EXPECT_EQ(simulation.now(), Instant{200ms});  // what was cancelled does not move the clock
  EXPECT_EQ(simulation.pending_count(), 0U);
}

TEST_F(EdgesTest, RunWhileCostsNothingForComponentsThatStandBy) {
  for (int i = 0; i < 20'000; ++i) simulation.add<Counter>(std::to_string(i));
  auto& counter = simulation.add<Counter>("counter");
  for (int i = 0; i < 50'000; ++i) counter.emit_self(Tick{}, std::chrono::microseconds(i));
  EXPECT_EQ(simulation.run_while([] { return true; }), 50'000U);
}

TEST(Edges, WholeSecondsAreWholeNumbers) {
  EXPECT_EQ(to_seconds(30s), 30.0);
  for (std::int64_t seconds = 1; seconds < 4'600'000'000; seconds = 3 * seconds + 1) {
    EXPECT_EQ(to_seconds(seconds * 1s), static_cast<double>(seconds));
  }
}

}  // namespace
}  // namespace artel::sim
