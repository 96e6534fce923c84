#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Small {
  int number;
};
struct Large {
  std::shared_ptr<std::string> text;
};

using Diary = std::vector<std::string>;

/// Two components, and what happened when.
struct Suspend : testing::Test {
  Simulation simulation;
  Context& self = simulation.add_context("self");
  Context& other = simulation.add_context("other");
  Diary diary;

  void note(const std::string& text) {
    diary.push_back(text + " at " +
                    std::to_string(to_seconds(self.now() - Instant{})).substr(0, 3));
  }
  /// Suspends and resumes it at these times.
  void run(const ProcessRef& process, Duration suspended, Duration resumed) {
    simulation.run_until(Instant{suspended});
    EXPECT_TRUE(process.suspend());
    EXPECT_TRUE(process.suspended());
    simulation.run_until(Instant{resumed});
    EXPECT_TRUE(process.resume());
    EXPECT_FALSE(process.suspended());
    simulation.run_until(Instant{resumed});
  }
};

TEST_F(Suspend, ASleepPassesAndItRunsOnWhenItIsResumed) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    co_await test.self.sleep(2s);
    test.note("woke");
    co_await test.self.sleep(1s);
    test.note("woke");
  }(*this));
  run(process, 1s, 5s);
  simulation.run();
  EXPECT_EQ(diary, (Diary{"woke at 5.0", "woke at 6.0"}));
}

TEST_F(Suspend, ASleepThatIsNotOverGoesOn) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    co_await test.self.sleep(4s);
    test.note("woke");
  }(*this));
  run(process, 1s, 2s);
  simulation.run();
  EXPECT_EQ(diary, Diary{"woke at 4.0"});
}

TEST_F(Suspend, AnEventIsKeptForIt) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    const auto small = co_await test.self.next<Small>();
    test.note(std::to_string(small->number) + " from " +
              std::to_string(small.time.time_since_epoch() / 1s));
    EXPECT_EQ(small.src, test.other.id());
    const auto large = co_await test.self.next<Large>();
    test.note(*large->text);
  }(*this));
  other.emit(Small{7}, self.id(), 2s);
  run(process, 1s, 3s);
  EXPECT_EQ(diary, Diary{"7 from 2 at 3.0"});
  other.emit(Large{std::make_shared<std::string>("text")}, self.id(), 2s);
  run(process, 4s, 6s);
  EXPECT_EQ(diary.back(), "text at 6.0");
}

TEST_F(Suspend, WhatAPartOfItsWaitGotIsKeptForIt) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    const auto within = co_await test.self.next<Large>().within(10s);
    test.note(within ? *(*within)->text : "nothing");
    const auto matching = co_await test.self.next<Small>().matching(
        [](const Small& small) { return small.number > 1; });
    test.note(std::to_string(matching->number));
    const auto first = co_await any_of(test.self.sleep(10s), test.self.next<Small>());
    test.note("part " + std::to_string(first.index()));
  }(*this));
  other.emit(Large{std::make_shared<std::string>("text")}, self.id(), 2s);
  run(process, 1s, 3s);
  other.emit(Small{1}, self.id(), 1s);
  other.emit(Small{2}, self.id(), 2s);
  run(process, 3s, 6s);
  other.emit(Small{3}, self.id(), 1s);
  run(process, 6s, 8s);
  EXPECT_EQ(diary, (Diary{"text at 3.0", "2 at 6.0", "part 1 at 8.0"}));
}

TEST_F(Suspend, ATimeoutRunsOut) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    const auto got = co_await test.self.next<Small>().within(2s);
    test.note(got ? "got it" : "timed out");
  }(*this));
  other.emit(Small{1}, self.id(), 3s);
  run(process, 1s, 4s);
  EXPECT_EQ(diary, Diary{"timed out at 4.0"});
}

TEST_F(Suspend, OneThatHasNotStartedStartsWhenItIsResumed) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    test.note("starts");
    co_return;
  }(*this));
  EXPECT_TRUE(process.suspend());
  simulation.run_until(Instant{2s});
  EXPECT_TRUE(diary.empty());
  EXPECT_TRUE(process.resume());
  simulation.run();
  EXPECT_EQ(diary, Diary{"starts at 2.0"});
}

TEST_F(Suspend, OneThatRunsGoesOnUpToItsNextWait) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    EXPECT_TRUE((co_await this_process()).suspend());
    test.note("runs on");
    co_await test.self.sleep(1s);
    test.note("woke");
  }(*this));
  simulation.run_until(Instant{3s});
  EXPECT_EQ(diary, Diary{"runs on at 0.0"});
  EXPECT_TRUE(process.resume());
  simulation.run();
  EXPECT_EQ(diary.back(), "woke at 3.0");
}

TEST_F(Suspend, ItIsGrantedWhatItWaitsForAndHoldsIt) {
  Resource seat(1);
  const auto sit = [](Suspend& test, Resource& resource, std::string name) -> Task<> {
    const Lease lease = co_await resource.acquire();
    test.note(name);
    co_await test.self.sleep(1s);
  };
  self.spawn(sit(*this, seat, "a"));
  const auto b = self.spawn(sit(*this, seat, "b"));
  self.spawn(sit(*this, seat, "c"));
  run(b, 500ms, 4s);
  simulation.run();
  EXPECT_EQ(diary, (Diary{"a at 0.0", "b at 4.0", "c at 5.0"}));
}

TEST_F(Suspend, AnInterruptReachesItWhenItIsResumed) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      try {
        co_await test.self.next<Small>();
        test.note("got it");
        co_await test.self.sleep(10s);
        test.note("slept");
      } catch (const Interrupted&) {
        test.note("interrupted");
      }
    }
  }(*this));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(process.suspend());
  EXPECT_TRUE(process.interrupt());
  simulation.run_until(Instant{2s});
  EXPECT_TRUE(process.resume());
  simulation.run();
  EXPECT_EQ(diary, Diary{"interrupted at 2.0"});
  // One that has got what it waited for gets that first.
  EXPECT_TRUE(process.suspend());
  other.emit(Small{1}, self.id(), 1s);
  simulation.run_until(Instant{4s});
  EXPECT_TRUE(process.interrupt());
  EXPECT_TRUE(process.resume());
  simulation.run();
  EXPECT_EQ(diary, (Diary{"interrupted at 2.0", "got it at 4.0", "interrupted at 4.0"}));
}

TEST_F(Suspend, ACancelEndsItAndDestroysWhatWasKept) {
  const auto text = std::make_shared<std::string>("text");
  for (const bool crash : {false, true}) {
    const auto process = self.spawn([](Suspend& test) -> Task<> {
      co_await test.self.next<Large>();
      test.note("got it");
    }(*this));
    simulation.run();
    EXPECT_TRUE(process.suspend());
    other.emit(Large{text}, self.id(), 1s);
    simulation.run();
    EXPECT_EQ(text.use_count(), 2);
    EXPECT_TRUE(crash ? simulation.crash(self.id()) : process.cancel());
    EXPECT_EQ(text.use_count(), 1);
    EXPECT_EQ(process.status(), ProcessStatus::cancelled);
    EXPECT_FALSE(process.suspend());
  }
  EXPECT_TRUE(diary.empty());
}

TEST_F(Suspend, WhatIsKeptEndsWithTheSimulation) {
  const auto text = std::make_shared<std::string>("text");
  {
    Simulation own;
    Context& context = own.add_context("context");
    const auto process =
        context.spawn([](Context& in) -> Task<> { co_await in.next<Large>(); }(context));
    own.run();
    EXPECT_TRUE(process.suspend());
    context.emit_self(Large{text}, 1s);
    own.run();
    EXPECT_EQ(text.use_count(), 2);
  }
  EXPECT_EQ(text.use_count(), 1);
}

TEST_F(Suspend, ResumedAndSuspendedAtOnceItStaysWithWhatItHas) {
  const auto process = self.spawn([](Suspend& test) -> Task<> {
    const auto large = co_await test.self.next<Large>();
    test.note(*large->text);
  }(*this));
  other.emit(Large{std::make_shared<std::string>("text")}, self.id(), 2s);
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(process.suspend());
  simulation.run_until(Instant{3s});
  EXPECT_TRUE(process.resume());
  EXPECT_TRUE(process.suspend());
  EXPECT_FALSE(process.suspend());
  simulation.run_until(Instant{4s});
  EXPECT_TRUE(diary.empty());
  EXPECT_TRUE(process.resume());
  EXPECT_FALSE(process.resume());
  simulation.run();
  EXPECT_EQ(diary, Diary{"text at 4.0"});
}

TEST_F(Suspend, TheReportOfWhoWaitsSaysSo) {
  const auto process =
      self.spawn([](Suspend& test) -> Task<> { co_await test.self.sleep(2s); }(*this));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(process.suspend());
  EXPECT_NE(simulation.waiting_report().find("self: suspended; a sleep of 2.00 s, since"),
            std::string::npos)
      << simulation.waiting_report();
  const auto ended = simulation.finish();
  ASSERT_FALSE(ended);
  EXPECT_NE(
      ended.error().what.find("self: suspended; it would run on (spawned at suspend_test.cpp"),
      std::string::npos)
      << ended.error().what;
  EXPECT_TRUE(process.resume());
  EXPECT_TRUE(simulation.finish());
}

}  // namespace
}  // namespace artel::sim
