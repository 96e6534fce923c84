// Cancelling wherever a process may wait, and from whatever code may do so.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/barrier.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/select.hpp"
#include "artel/sim/kernel/semaphore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Diary = std::vector<std::string>;

struct Note {
  std::uint64_t number = 0;
};
std::uint64_t key_of(const Note& note) { return note.number; }

/// Does something when its frame ends.
struct AtEnd {
  std::function<void()> act;
  explicit AtEnd(std::function<void()> what) : act(std::move(what)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { act(); }
};

class CancelTest : public testing::Test {
 public:
  Task<> asleep(Context& self, std::function<void()> at_end) {
    const AtEnd guard(std::move(at_end));
    co_await self.sleep(1h);
  }

  Diary diary;
  Simulation simulation;
  Context& context = simulation.add_context("main");
};

TEST_F(CancelTest, IsSafeInChannelsSelectsTimeoutsAndScopes) {
  Channel<int> empty(0);
  Channel<int> full(1);
  full.try_send(1);
  const auto in_send = [&](Context&) -> Task<> { co_await full.send(2); };
  const auto in_rendezvous = [&](Context&) -> Task<> { co_await empty.send(2); };
  const auto in_select = [&](Context&) -> Task<> {
    co_await select(full.send(3), empty.receive());
  };
  const auto in_timeout = [&](Context&) -> Task<> { co_await with_timeout(empty.receive(), 1h); };
  const auto in_scope = [&](Context& self) -> Task<> {
    Scope scope(self);
    scope.spawn(asleep(self, [this] { diary.emplace_back("child"); }));
    co_await scope.join();
  };
  std::vector<Process<>> processes = {
      context.spawn(in_send(context)), context.spawn(in_rendezvous(context)),
      context.spawn(in_timeout(context)), context.spawn(in_scope(context))};
  simulation.run_until(Instant{1s});
  // A select beside the others would have met the rendezvous: it waits alone.
  EXPECT_EQ(processes[2].status(), ProcessStatus::done);
  for (const std::size_t i : {0U, 3U}) EXPECT_TRUE(processes[i].cancel());
  const Process<> selecting = context.spawn(in_select(context));
  simulation.run_until(Instant{2s});
  EXPECT_FALSE(selecting.done());
  EXPECT_TRUE(selecting.cancel());
  simulation.run();
  EXPECT_EQ(diary, Diary{"child"});
  EXPECT_EQ(full.try_receive(), 1);
  EXPECT_EQ(full.try_receive(), std::nullopt);
  EXPECT_FALSE(empty.try_send(1));
  EXPECT_TRUE(simulation.waiting_report().empty());
}

TEST_F(CancelTest, WhatWasGrantedToACancelledProcessGoesToTheNext) {
  Semaphore semaphore(0);
  Mutex mutex;
  const auto take = [&](Context&, std::string name) -> Task<> {
    co_await semaphore.acquire();
    const Lease lock = co_await mutex.lock();
    diary.push_back(name);
  };
  const Process<> first = context.spawn(take(context, "first"));
  context.spawn(take(context, "second"));
  simulation.run();
  semaphore.release();
  EXPECT_TRUE(first.cancel());  // it has the unit, but has not run since
  simulation.run();
  EXPECT_EQ(diary, Diary{"second"});
  EXPECT_FALSE(mutex.locked());
}

TEST_F(CancelTest, ACancelledProcessMayCancelItsCanceller) {
  Process<> canceller;
  const Process<> victim = context.spawn(asleep(context, [&] { EXPECT_TRUE(canceller.cancel()); }));
  const auto run = [&](Context& self) -> Task<> {
    co_await self.sleep(1s);
    EXPECT_TRUE(victim.cancel());
    diary.emplace_back("runs on to its next wait");
    co_await self.yield();
    diary.emplace_back("never");
  };
  canceller = context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, Diary{"runs on to its next wait"});
  EXPECT_EQ(canceller.status(), ProcessStatus::cancelled);
  EXPECT_EQ(victim.status(), ProcessStatus::cancelled);
}

TEST_F(CancelTest, TwoProcessesMayCancelEachOtherFromTheirDestructors) {
  Process<> a;
  Process<> b;
  a = context.spawn(asleep(context, [&] { diary.push_back(b.cancel() ? "b" : "not b"); }));
  b = context.spawn(asleep(context, [&] { diary.push_back(a.cancel() ? "a" : "not a"); }));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(a.cancel());
  EXPECT_EQ(diary, (Diary{"not a", "b"}));
  EXPECT_TRUE(b.done());
}

TEST_F(CancelTest, ALosingTaskMayCancelTheProcessThatWaits) {
  Process<> waiting;
  const auto run = [&](Context& self) -> Task<> {
    const AtEnd guard([this] { diary.emplace_back("frame"); });
    co_await any_of(self.sleep(1s), asleep(self, [&] {
                      EXPECT_TRUE(waiting.cancel());
                      diary.emplace_back("task");
                    }));
    diary.emplace_back("never");
  };
  waiting = context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"task", "frame"}));
  EXPECT_EQ(waiting.status(), ProcessStatus::cancelled);
}

TEST_F(CancelTest, ALosingTaskCannotMakeALoserWin) {
  Channel<int> channel(0);
  const auto run = [&](Context& self) -> Task<> {
    const auto got = co_await any_of(
        self.sleep(1s), asleep(self, [&] { diary.push_back(channel.try_send(1) ? "sent" : "no"); }),
        channel.receive());
    diary.push_back("index " + std::to_string(got.index()));
    const bool in_time =
        (co_await with_timeout(
             all_of(asleep(self, [&] { channel.try_send(2); }), channel.receive()), 1s))
            .has_value();
    diary.emplace_back(in_time ? "in time" : "timed out");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"no", "index 0", "timed out"}));
}

TEST_F(CancelTest, ALosersLockIsFreeEvenWhenItsAllOfWasHalfDone) {
  Mutex mutex;
  const auto run = [&](Context& self) -> Task<> {
    const auto first = co_await any_of(all_of(any_of(mutex.lock(), self.sleep(9s)), self.sleep(5s)),
                                       self.sleep(1s));
    EXPECT_EQ(first.index(), 1U);
    EXPECT_FALSE(mutex.locked());
    diary.emplace_back("end");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, Diary{"end"});
}

TEST_F(CancelTest, ADestructorMaySpawnAndTheScopeMayGrowWhileItCancels) {
  const auto run = [&](Context& self) -> Task<> {
    Scope scope(self);
    for (int i = 0; i < 5; ++i) {
      scope.spawn(asleep(self, [&] {
        diary.emplace_back("child");
        scope.spawn(asleep(self, [] { ADD_FAILURE() << "it never started"; }));
      }));
    }
    co_await self.sleep(1s);
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary(5, "child")));
  EXPECT_TRUE(simulation.waiting_report().empty());
}

TEST_F(CancelTest, WhoeverWaitsTwiceAtABarrierPassesIt) {
  Barrier barrier(2);
  const auto arrive = [&](Context& self) -> Task<> {
    co_await barrier.arrive();
    co_await self.sleep(1h);
  };
  const auto run = [&](Context& self) -> Task<> {
    co_await any_of(barrier.arrive(), barrier.arrive());
    diary.emplace_back("alone");
    co_await any_of(barrier.arrive(), arrive(self));
    diary.emplace_back("with its own task");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, (Diary{"alone", "with its own task"}));
}

TEST_F(CancelTest, ManyJoinersLearnOfARemovalThatHappensUnderThem) {
  Context& other = simulation.add_context("other");
  const Process<> process = other.spawn(asleep(other, [] {}));
  const auto join = [&](Context&) -> Task<> {
    const bool finished = co_await process.join();
    diary.emplace_back(finished ? "done" : "cancelled");
  };
  for (int i = 0; i < 3; ++i) context.spawn(join(context));
  const Process<> gone = context.spawn(join(context));
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(gone.cancel());
  simulation.remove(other.id());
  simulation.run();
  EXPECT_EQ(diary, (Diary(3, "cancelled")));
}

TEST_F(CancelTest, WhatHasFinishedCountsInAnyOfAndAllOf) {
  Channel<int> closed;
  closed.close();
  Flag flag;
  flag.set();
  const auto quick = [](Context&) -> Task<int> { co_return 7; };
  const auto run = [&](Context& self) -> Task<> {
    const Process<int> child = self.spawn(quick(self));
    const Process<> gone = self.spawn(asleep(self, [] {}));
    co_await self.yield();
    gone.cancel();
    const auto any = co_await any_of(self.next<Note>(), child, flag.wait());
    EXPECT_EQ(any.index(), 1U);
    EXPECT_EQ(*std::get<1>(any), 7);
    const auto [seven, set, nothing, cancelled] =
        co_await all_of(child, flag.wait(), closed.receive(), gone);
    EXPECT_EQ(*seven, 7);
    EXPECT_EQ(nothing, std::nullopt);
    EXPECT_FALSE(cancelled);
    (void)set;
    diary.emplace_back("end");
  };
  context.spawn(run(context));
  simulation.run();
  EXPECT_EQ(diary, Diary{"end"});
  EXPECT_EQ(simulation.now(), Instant{});
}

TEST_F(CancelTest, EqualWaitsShareTheEventsInOrderOfArrival) {
  const auto take = [&](Context& self, std::string name) -> Task<> {
    while (true) {
      const auto got = co_await self.next<Note>().from(self.id()).key(4);
      diary.push_back(name + " at " + std::to_string(got.time.time_since_epoch().count()));
    }
  };
  const Process<> a = context.spawn(take(context, "a"));
  context.spawn(take(context, "b"));
  for (int i = 1; i <= 4; ++i) context.emit_self(Note{4}, Duration{i});
  simulation.run_until(Instant{3ns});
  EXPECT_TRUE(a.cancel());
  simulation.run();
  EXPECT_EQ(diary, (Diary{"a at 1", "b at 2", "a at 3", "b at 4"}));
}

}  // namespace
}  // namespace artel::sim
