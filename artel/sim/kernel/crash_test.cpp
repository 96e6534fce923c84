// Components that are removed, crash and restart.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
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

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Diary = std::vector<std::string>;

struct Mail {
  int number = 0;
};
struct Tick {};

/// Writes what it gets into a diary, ticks once a second, and counts ticks.
struct Node : Component<Mail, Tick> {
  explicit Node(Diary& to) : diary(&to) {
    emit_self(Tick{}, 1s);
    spawn(watch());
  }
  ~Node() { diary->push_back("destroyed after " + std::to_string(ticks)); }

  Task<> watch() {
    const Guard guard{diary, "watch ends"};
    co_await sleep(1h);
  }
  void on(const Mail& mail) { diary->push_back("mail " + std::to_string(mail.number)); }
  void on(const Tick&) {
    ++ticks;
    emit_self(Tick{}, 1s);
  }

  struct Guard {
    Diary* diary;
    std::string text;
    ~Guard() { diary->push_back(text); }
  };
  Diary* diary;
  int ticks = 0;
};

class CrashTest : public testing::Test {
 public:
  Diary diary;
  Simulation simulation;
  Context& outside = simulation.add_context("outside");
};

TEST_F(CrashTest, ACrashEndsProcessesAndTimersButNotMessagesInFlight) {
  auto& node = simulation.add<Node>("node", diary);
  const ComponentId id = node.id();
  auto& peer = simulation.add<Node>("peer", diary);
  outside.emit(Mail{1}, id, 5s);
  node.emit(Mail{2}, peer.id(), 5s);
  simulation.run_until(Instant{3500ms});
  simulation.crash(id);
  EXPECT_FALSE(simulation.exists(id));
  EXPECT_EQ(diary, (Diary{"watch ends", "destroyed after 3"}));
  simulation.run_until(Instant{6s});
  EXPECT_EQ(diary.back(), "mail 2");
  EXPECT_EQ(simulation.dropped_count(), 1U);  // mail 1: its own tick was cancelled, not dropped
}

TEST_F(CrashTest, MessagesInFlightFromBeforeReachTheRestartedComponentUnlessCancelled) {
  for (const Pending messages :
       {Pending::keep, Pending::cancel_incoming, Pending::cancel_outgoing, Pending::cancel_both}) {
    Diary seen;
    Simulation run;
    auto& peer = run.add<Node>("peer", seen);
    const ComponentId id = run.add<Node>("node", seen).id();
    peer.emit(Mail{1}, id, 500ms);
    peer.emit_as(id, Mail{2}, peer.id(), 500ms);
    run.crash(id, messages);
    Node& fresh = run.restart<Node>(id, seen);
    EXPECT_EQ(fresh.id(), id);
    EXPECT_EQ(fresh.name(), "node");
    EXPECT_EQ(fresh.ticks, 0);
    seen.clear();
    run.run_until(Instant{900ms});
    const bool incoming = messages == Pending::keep || messages == Pending::cancel_outgoing;
    const bool outgoing = messages == Pending::keep || messages == Pending::cancel_incoming;
    Diary expected;
    if (incoming) expected.emplace_back("mail 1");
    if (outgoing) expected.emplace_back("mail 2");
    EXPECT_EQ(seen, expected);
  }
}

TEST_F(CrashTest, TheTimersOfTheCrashedDoNotTouchTheRestarted) {
  const ComponentId id = simulation.add<Node>("node", diary).id();
  simulation.run_until(Instant{1500ms});
  simulation.crash(id);
  const Node& fresh = simulation.restart<Node>(id, diary);
  simulation.run_until(Instant{2200ms});  // the old tick would have come at 2 s
  EXPECT_EQ(fresh.ticks, 0);
  simulation.run_until(Instant{2500ms});
  EXPECT_EQ(fresh.ticks, 1);
}

TEST_F(CrashTest, NothingLeaksWhenComponentsGoWithProcessesAboutToRun) {
  for (const Pending pending :
       {Pending::keep, Pending::cancel_incoming, Pending::cancel_outgoing, Pending::cancel_both}) {
    const std::size_t before = simulation.blocks_in_use();
    const ComponentId id = simulation.add<Node>("node", diary).id();
    simulation.remove(id, pending);  // its process has never run: a wake-up is pending
    simulation.run_until(simulation.now() + 2s);
    EXPECT_EQ(simulation.blocks_in_use(), before);
    EXPECT_TRUE(simulation.waiting_report().empty());
  }
}

/// Two processes that wait for a mail each.
struct Readers : Component<Mail> {
  explicit Readers(Diary& to) : diary(&to) {
    for (int i = 0; i < 2; ++i) spawn(read());
  }
  Task<> read() {
    const Received<Mail> mail = co_await next<Mail>();
    diary->push_back("read " + std::to_string(mail->number));
  }
  void on(const Mail& mail) { diary->push_back("mail " + std::to_string(mail.number)); }
  Diary* diary;
};

// Whoever comes next lies where the one before it lay.
TEST_F(CrashTest, WaitsOfALaterComponentAreItsOwn) {
  for (int round = 0; round < 3; ++round) {
    const ComponentId id = simulation.add<Readers>("readers " + std::to_string(round), diary).id();
    simulation.run();
    for (int mail = 0; mail < 2; ++mail) {
      outside.emit_now(Mail{mail}, id);
      simulation.run();
    }
    EXPECT_EQ(diary, (Diary{"read 0", "read 1"}));
    diary.clear();
    simulation.remove(id);
  }
}

TEST_F(CrashTest, CancelledTimersOfRemovedComponentsAreForgotten) {
  const ComponentId id = simulation.add<Node>("node", diary).id();
  simulation.run_until(Instant{1ms});
  simulation.remove(id);
  simulation.run();
  EXPECT_EQ(simulation.pending_count(), 0U);
  EXPECT_EQ(simulation.now(), Instant{1ms});
}

TEST_F(CrashTest, CancelIfLeavesTimersAndWakeUpsAlone) {
  const auto nap = [this](Context& self) -> Task<> {
    co_await self.sleep(1s);
    diary.emplace_back("awake");
  };
  outside.spawn(nap(outside));
  EXPECT_EQ(simulation.cancel_if([](const Event&) { return true; }), 0U);
  simulation.run_until(Instant{1ms});
  EXPECT_EQ(simulation.cancel_if([](const Event&) { return true; }), 0U);
  simulation.run();
  EXPECT_EQ(diary, Diary{"awake"});
}

/// Crashes itself from a coroutine, in the middle of a statement, and starts again.
struct Phoenix : Component<> {
  Phoenix(Simulation& in, Diary& to, int incarnation)
      : simulation(&in), diary(&to), number(incarnation) {
    spawn(run());
  }
  ~Phoenix() { diary->push_back("end of " + std::to_string(number)); }
  Task<> run() {
    const auto mail = co_await next<Mail>();
    diary->push_back(std::to_string(number) + " got " + std::to_string(mail->number));
    if (number == 3) co_return;
    Simulation& in = *simulation;
    in.crash(id());
    in.restart<Phoenix>(id(), in, *diary, number + 1);
    text += " that is still there";  // must not touch freed memory
    diary->push_back(text);
    spawn(never());
    co_await any_of(never(), sleep(1s));
    diary->emplace_back("never");
  }
  Task<> never() {
    diary->emplace_back("never");
    co_return;
  }
  Simulation* simulation;
  Diary* diary;
  int number;
  std::string text = "a text on the heap";
};

TEST_F(CrashTest, AComponentMayCrashAndRestartItselfFromItsOwnProcess) {
  const ComponentId id = simulation.add<Phoenix>("phoenix", simulation, diary, 1).id();
  for (int i = 1; i <= 3; ++i) outside.emit(Mail{i}, id, i * 1s);
  simulation.run();
  EXPECT_EQ(diary,
            (Diary{"1 got 1", "a text on the heap that is still there", "end of 1", "2 got 2",
                   "a text on the heap that is still there", "end of 2", "3 got 3"}));
}

/// Removes a component from the destructor of one of its frames.
TEST_F(CrashTest, ADestructorOfACancelledProcessMayRemoveItsComponent) {
  struct Remover {
    Simulation* simulation;
    ComponentId id;
    ~Remover() {
      if (simulation->exists(id)) simulation->remove(id);
    }
  };
  struct Fragile : Component<> {
    explicit Fragile(Simulation& in) : simulation(&in) {}
    Task<> run() {
      // NOLINTNEXTLINE(bugprone-unused-local-non-trivial-variable): to be destroyed
      const std::string text = name_of_mine;
      const Remover remover{simulation, id()};
      co_await sleep(1h);
    }
    Simulation* simulation;
    std::string name_of_mine = "long enough to live on the heap, as it should";
  };
  auto& fragile = simulation.add<Fragile>("fragile", simulation);
  const ComponentId id = fragile.id();
  const Process<> process = fragile.spawn(fragile.run());
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(process.cancel());
  EXPECT_FALSE(simulation.exists(id));
  auto& again = simulation.restart<Fragile>(id, simulation);
  again.spawn(again.run());
  simulation.run_until(Instant{2s});
  simulation.remove(id);
  EXPECT_FALSE(simulation.exists(id));
}

TEST_F(CrashTest, OthersLearnOfTheEndOfItsProcessesChannelsAndResources) {
  struct Server : Component<> {
    Task<int> work() {
      co_await sleep(1h);
      co_return 1;
    }
    Channel<int> queue{0};
    Resource cores{1};
  };
  auto& server = simulation.add<Server>("server");
  const ComponentId id = server.id();
  const Process<int> work = server.spawn(server.work());
  const auto join = [this](Context&, Process<int> of) -> Task<> {
    diary.push_back((co_await of.join()).has_value() ? "result" : "no result");
  };
  const auto receive = [this](Context&, Channel<int>& from) -> Task<> {
    diary.push_back((co_await from.receive()).has_value() ? "value" : "closed");
  };
  const auto hold = [this](Context& self, Resource& of) -> Task<> {
    Lease lease = co_await of.acquire();
    co_await self.sleep(2s);
    lease.release();
    diary.emplace_back("released nothing");
  };
  outside.spawn(join(outside, work));
  outside.spawn(receive(outside, server.queue));
  outside.spawn(hold(outside, server.cores));
  const Process<> last = outside.spawn(hold(outside, server.cores));
  simulation.run_until(Instant{1s});
  simulation.crash(id);
  simulation.run();
  EXPECT_EQ(diary, (Diary{"no result", "closed", "released nothing"}));
  EXPECT_EQ(work.status(), ProcessStatus::cancelled);
  EXPECT_NE(simulation.waiting_report().find("outside: units of a resource"), std::string::npos);
  EXPECT_TRUE(last.cancel());
}

TEST_F(CrashTest, AFailureIsNamedEvenWhenItsComponentIsGone) {
  struct Failing : Component<> {
    Task<> run() {
      co_await sleep(1s);
      throw std::runtime_error("as planned");
    }
  };
  auto& failing = simulation.add<Failing>("failing");
  Process<> process = failing.spawn(failing.run());
  simulation.run_until(Instant{2s});
  simulation.crash(failing.id());
  process = {};
  try {
    simulation.run();
    ADD_FAILURE() << "nobody joined the failure";
  } catch (const ProcessFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("process that failing spawned"), std::string::npos);
  }
}

TEST_F(CrashTest, ARestartedComponentKeepsItsLogLevelAndItsRandomStream) {
  const ComponentId id = simulation.add<Node>("node", diary).id();
  std::ostringstream out;
  TextLog sink(out);
  simulation.log_to(sink);
  simulation.set_log_level(id, LogLevel::info);
  std::vector<std::uint64_t> draws;
  const auto draw = [&](Context& node) { draws.push_back(node.random()()); };
  Node* node = nullptr;
  for (int i = 0; i < 2; ++i) {
    simulation.crash(id);
    node = &simulation.restart<Node>(id, diary);
    draw(*node);
    node->log(LogLevel::info, "here");
  }
  EXPECT_NE(draws[0], draws[1]);
  EXPECT_EQ(out.str(), "[0.000000000] info    node: here\n[0.000000000] info    node: here\n");
}

TEST_F(CrashTest, PayloadsEmittedByDestructorsAtTheEndAreDestroyed) {
  struct Bye {
    std::string text;
  };
  struct Polite : Component<> {
    explicit Polite(ComponentId to) : other(to) {}
    ~Polite() { emit(Bye{"a text that is long enough to live on the heap"}, other, 1s); }
    ComponentId other;
  };
  Simulation run;
  auto& first = run.add_context("first");
  run.add<Polite>("polite", first.id());
}

using CrashDeathTest = CrashTest;

TEST_F(CrashDeathTest, MistakesAreReported) {
  const ComponentId id = simulation.add<Node>("node", diary).id();
  EXPECT_DEATH(simulation.restart<Node>(id, diary), "only what crashed.*node");
  EXPECT_DEATH(simulation.restart<Node>(ComponentId{77}, diary), "no component has ever had");
  EXPECT_DEATH(
      {
        Process<> kept;
        {
          Simulation inner;
          auto& context = inner.add_context("inner");
          kept = context.spawn([](Context& self) -> Task<> { co_await self.sleep(1s); }(context));
        }
      },
      "handles of processes, or tasks, outlive the simulation");
}

}  // namespace
}  // namespace artel::sim
