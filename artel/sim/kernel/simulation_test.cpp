#include "artel/sim/kernel/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/detail/block_pool.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Note {
  int value = 0;
};
struct Poke {};
struct Parcel {
  std::unique_ptr<int> content;
};
struct Wide {
  std::int64_t numbers[10] = {};
};

struct Recorder : Component<Note, Wide> {
  void on(const Note& note, const Event& event) {
    seen.emplace_back(event.time().time_since_epoch().count(), note.value);
  }
  void on(const Wide& wide) { seen.emplace_back(-1, static_cast<int>(wide.numbers[9])); }
  std::vector<std::pair<std::int64_t, int>> seen;
};

using Seen = std::vector<std::pair<std::int64_t, int>>;

TEST(Simulation, DeliversInOrderOfTime) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  recorder.emit_self(Note{3}, 30ns);
  recorder.emit_self(Note{1}, 10ns);
  recorder.emit_self(Note{2}, 20ns);
  EXPECT_EQ(simulation.run(), 3U);
  EXPECT_EQ(recorder.seen, (Seen{{10, 1}, {20, 2}, {30, 3}}));
  EXPECT_EQ(simulation.now(), Instant{30ns});
  EXPECT_EQ(simulation.event_count(), 3U);
}

TEST(Simulation, DeliversEqualTimesInOrderOfCreation) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  auto& outside = simulation.add_context("outside");
  for (int i = 0; i < 100; ++i) outside.emit(Note{i}, recorder.id(), i % 2 == 0 ? 5ns : 0ns);
  simulation.run();
  Seen expected;
  for (int i = 1; i < 100; i += 2) expected.emplace_back(0, i);
  for (int i = 0; i < 100; i += 2) expected.emplace_back(5, i);
  EXPECT_EQ(recorder.seen, expected);
}

/// On each Note of value n > 0, emits n - 1 to itself at once and records what it was given.
struct Countdown : Component<Note> {
  void on(const Note& note, const Event& event) {
    seen.emplace_back(event.time().time_since_epoch().count(), note.value);
    if (note.value > 0) emit_self(Note{note.value - 1});
  }
  Seen seen;
};

TEST(Simulation, EventsForNowComeAfterThoseAlreadyDueNow) {
  Simulation simulation;
  auto& countdown = simulation.add<Countdown>("countdown");
  countdown.emit_self(Note{2}, 7ns);
  countdown.emit_self(Note{0}, 7ns);
  countdown.emit_self(Note{0}, 8ns);
  simulation.run();
  EXPECT_EQ(countdown.seen, (Seen{{7, 2}, {7, 0}, {7, 1}, {7, 0}, {8, 0}}));
}

TEST(Simulation, RunUntilDeliversThatInstantAndMovesTheClock) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  for (int i = 1; i <= 5; ++i) recorder.emit_self(Note{i}, i * 10ns);
  EXPECT_EQ(simulation.run_until(Instant{20ns}), 2U);
  EXPECT_EQ(simulation.run_for(5ns), 0U);
  EXPECT_EQ(simulation.now(), Instant{25ns});
  recorder.emit_self(Note{9}, 1ns);
  EXPECT_EQ(simulation.run_while([&] { return recorder.seen.size() < 4; }), 2U);
  EXPECT_EQ(recorder.seen.back(), std::pair(std::int64_t{30}, 3));
  EXPECT_EQ(simulation.steps(1), 1U);
  EXPECT_TRUE(simulation.step());
  EXPECT_FALSE(simulation.step());
  EXPECT_EQ(recorder.seen[2], std::pair(std::int64_t{26}, 9));
}

TEST(Simulation, CancelledEventsNeverArrive) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  const EventId first = recorder.emit_self(Note{1}, 10ns);
  const EventId second = recorder.emit_self(Note{2}, 20ns);
  recorder.emit_self(Note{3}, 30ns);
  EXPECT_TRUE(recorder.cancel(second));
  EXPECT_FALSE(recorder.cancel(second));
  EXPECT_EQ(simulation.pending_count(), 2U);
  simulation.run();
  EXPECT_FALSE(recorder.cancel(first));
  const EventId never = recorder.emit_self(Note{4}, 1h);
  EXPECT_TRUE(recorder.cancel(never));
  EXPECT_FALSE(simulation.step());
  EXPECT_FALSE(recorder.cancel(never));
  EXPECT_EQ(simulation.now(), Instant{30ns});  // what was cancelled does not move the clock
  EXPECT_EQ(recorder.seen, (Seen{{10, 1}, {30, 3}}));
  EXPECT_EQ(simulation.event_count(), 2U);
}

TEST(Simulation, CancelIfTakesBackByPredicate) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  for (int i = 0; i < 10; ++i) recorder.emit_self(Note{i}, 10ns);
  EXPECT_EQ(simulation.cancel_if(
                [](const Event& event) { return payload_if<Note>(event)->value % 2 == 0; }),
            5U);
  simulation.run();
  EXPECT_EQ(recorder.seen, (Seen{{10, 1}, {10, 3}, {10, 5}, {10, 7}, {10, 9}}));
}

struct Porter : Component<Parcel> {
  void on(Parcel parcel) { kept.push_back(std::move(parcel)); }
  std::vector<Parcel> kept;
};

TEST(Simulation, PayloadsThatOwnMemoryMoveThrough) {
  Simulation simulation;
  auto& porter = simulation.add<Porter>("porter");
  porter.emit_self(Parcel{std::make_unique<int>(5)}, 1s);
  simulation.run();
  ASSERT_EQ(porter.kept.size(), 1U);
  EXPECT_EQ(*porter.kept[0].content, 5);
}

struct Token {
  std::shared_ptr<int> shared;
};
struct TokenEater : Component<Token> {
  void on(const Token&) {}
};

TEST(Simulation, DestroysPayloadsDeliveredCancelledDroppedAndLeftOver) {
  const auto shared = std::make_shared<int>(1);
  {
    Simulation simulation;
    auto& eater = simulation.add<TokenEater>("eater");
    auto& gone = simulation.add<TokenEater>("gone");
    eater.emit_self(Token{shared}, 1s);
    const EventId cancelled = eater.emit_self(Token{shared}, 2s);
    eater.emit(Token{shared}, gone.id(), 3s);
    eater.emit_self(Token{shared}, 9s);
    const EventId left_cancelled = eater.emit_self(Token{shared}, 10s);
    EXPECT_TRUE(eater.cancel(cancelled));
    EXPECT_TRUE(eater.cancel(left_cancelled));
    simulation.remove(gone.id(), Pending::keep);
    EXPECT_EQ(shared.use_count(), 4);  // what is cancelled is destroyed at once
    simulation.run_until(Instant{5s});
    EXPECT_EQ(simulation.event_count(), 1U);
    EXPECT_EQ(simulation.dropped_count(), 1U);
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(Simulation, LargePayloadsArriveWhole) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  Wide wide;
  wide.numbers[9] = 42;
  recorder.emit_self(wide);
  simulation.run();
  EXPECT_EQ(recorder.seen, (Seen{{-1, 42}}));
}

TEST(Simulation, KnowsNamesAndIds) {
  Simulation simulation;
  auto& first = simulation.add<Recorder>("first");
  auto& second = simulation.add_context("second");
  EXPECT_EQ(simulation.find("second"), second.id());
  EXPECT_EQ(simulation.find("third"), std::nullopt);
  EXPECT_EQ(simulation.name_of(first.id()), "first");
  EXPECT_EQ(second.name(), "second");
}

TEST(Simulation, RemovalFollowsThePolicyForPendingEvents) {
  for (const Pending policy :
       {Pending::keep, Pending::cancel_incoming, Pending::cancel_outgoing, Pending::cancel_both}) {
    Simulation simulation;
    auto& stays = simulation.add<Recorder>("stays");
    auto& leaves = simulation.add<Recorder>("leaves");
    const ComponentId id = leaves.id();
    stays.emit(Note{1}, id, 10ns);
    leaves.emit(Note{2}, stays.id(), 10ns);
    simulation.remove(id, policy);
    EXPECT_FALSE(simulation.exists(id));
    auto& returned = simulation.add<Recorder>("leaves");
    EXPECT_EQ(returned.id(), id);
    simulation.run();
    const bool incoming = policy == Pending::keep || policy == Pending::cancel_outgoing;
    const bool outgoing = policy == Pending::keep || policy == Pending::cancel_incoming;
    EXPECT_EQ(returned.seen.size(), incoming ? 1U : 0U);
    EXPECT_EQ(stays.seen.size(), outgoing ? 1U : 0U);
  }
}

struct Leaver : Component<Poke> {
  explicit Leaver(Simulation& simulation) : simulation_(&simulation) {}
  void on(const Poke&) {
    simulation_->remove(id());
    still_here = "yes";  // must not touch freed memory
  }
  std::string still_here = "a text that is long enough to live on the heap";

 private:
  Simulation* simulation_;
};

TEST(Simulation, AComponentMayRemoveItselfWhileHandling) {
  Simulation simulation;
  auto& leaver = simulation.add<Leaver>("leaver", simulation);
  const ComponentId id = leaver.id();
  leaver.emit_self(Poke{});
  leaver.emit_self(Poke{});
  EXPECT_EQ(simulation.run(), 1U);
  EXPECT_FALSE(simulation.exists(id));
}

struct Thrower : Component<Note> {
  void on(const Note& note) {
    if (note.value == 1) throw std::runtime_error("broken model");
  }
};

TEST(Simulation, AnExceptionOfAHandlerReachesTheCallerAndTheRunMayGoOn) {
  Simulation simulation;
  auto& thrower = simulation.add<Thrower>("thrower");
  thrower.emit_self(Note{1}, 1ns);
  thrower.emit_self(Note{2}, 2ns);
  EXPECT_THROW(simulation.run(), std::runtime_error);
  EXPECT_EQ(simulation.run(), 1U);
}

struct Stopper : Component<Poke> {
  explicit Stopper(Simulation& simulation) : simulation_(&simulation) {}
  void on(const Poke&) { simulation_->stop(); }

 private:
  Simulation* simulation_;
};

TEST(Simulation, StopEndsTheCallAfterTheEventInHand) {
  Simulation simulation;
  auto& stopper = simulation.add<Stopper>("stopper", simulation);
  stopper.emit_self(Poke{}, 1ns);
  stopper.emit_self(Poke{}, 2ns);
  EXPECT_EQ(simulation.run_until(Instant{1s}), 1U);
  EXPECT_EQ(simulation.now(), Instant{1ns});
  EXPECT_EQ(simulation.run(), 1U);
}

TEST(SimulationDeathTest, MistakesOfTheModelAreReported) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  EXPECT_DEATH(recorder.emit_self(Note{1}, -1ns), "a delay must not be negative");
  EXPECT_DEATH(recorder.emit(Note{1}, ComponentId{7}, 1s), "no component has this id");
  EXPECT_DEATH(simulation.add<Recorder>("recorder"), "a component of this name exists");
  EXPECT_DEATH(delete new Recorder(), "made by Simulation::add");
  EXPECT_DEATH((void)simulation.name_of(ComponentId{7}), "no component has this id");
  EXPECT_DEATH(simulation.run_for(-1ns), "time does not go back");
  const auto sleeps = [](Context& self) -> Task<> { co_await self.sleep(1s); };
  Task<> task = sleeps(recorder);
  recorder.spawn(std::move(task));
  EXPECT_DEATH(recorder.spawn(std::move(task)), "a task is spawned or awaited once");  // NOLINT
  EXPECT_DEATH((void)Process<>().done(), "a handle of no process");
  EXPECT_DEATH(Process<>().cancel(), "a handle of no process");
  const auto joins = [](Context&, const Process<>& process) -> Task<> {
    (void)co_await process.join();
  };
  const Process<> nobody;
  const auto awaits = [](Context&, Task<>& twice) -> Task<> { co_await std::move(twice); };
  EXPECT_DEATH(
      {
        recorder.spawn(joins(recorder, nobody));
        simulation.run();
      },
      "a handle of no process");
  EXPECT_DEATH(
      {
        recorder.spawn(awaits(recorder, task));
        simulation.run();
      },
      "a task is spawned or awaited once");
}

struct Latecomer : Component<Note> {
  void on(const Note& note) {
    more.push_back(more_due_now());
    seen.push_back(note.value);
    if (note.value == 1) emit_self_last(Note{9});
    if (note.value == 2) emit_self(Note{3});
  }
  std::vector<int> seen;
  std::vector<bool> more;
};

TEST(Simulation, WhatIsEmittedLastComesAfterAllOfItsMomentAndBeforeTheNext) {
  for (const std::optional<Seed> shuffle : {std::optional<Seed>{}, std::optional{Seed{1}}}) {
    Simulation simulation({.seed = Seed{1}, .tie_shuffle = shuffle});
    auto& latecomer = simulation.add<Latecomer>("latecomer");
    latecomer.emit_self(Note{1}, 5ns);
    latecomer.emit_self(Note{2}, 5ns);
    latecomer.emit_self(Note{4}, 6ns);
    simulation.run();
    EXPECT_EQ(latecomer.seen.at(3), 9);
    EXPECT_EQ(latecomer.seen.back(), 4);
    if (shuffle) continue;  // the third may come before the second
    EXPECT_EQ(latecomer.more, (std::vector<bool>{true, true, true, false, false}));
  }
}

TEST(Simulation, ShuffledTiesComeInAnotherOrderThatTheSeedRepeats) {
  const auto order = [](std::optional<Seed> shuffle) {
    Simulation simulation({.seed = Seed{1}, .tie_shuffle = shuffle});
    auto& recorder = simulation.add<Recorder>("recorder");
    for (int i = 0; i < 50; ++i) recorder.emit_self(Note{i}, 5ns);
    recorder.emit_self(Note{-1}, 4ns);
    recorder.emit_self(Note{-2}, 6ns);
    simulation.run();
    return recorder.seen;
  };
  const Seen plain = order({});
  Seen shuffled = order(Seed{1});
  EXPECT_EQ(order(Seed{1}), shuffled);
  EXPECT_NE(order(Seed{2}), shuffled);
  EXPECT_NE(plain, shuffled);
  EXPECT_EQ(shuffled.front(), plain.front());
  EXPECT_EQ(shuffled.back(), plain.back());
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, plain);
}

TEST(Simulation, DumpsPendingEventsInOrder) {
  Simulation simulation;
  auto& recorder = simulation.add<Recorder>("recorder");
  recorder.emit_self(Wide{}, 2s);
  recorder.emit_self(Note{1}, 1s);
  EXPECT_EQ(simulation.dump_events(),
            "1.000000000 recorder -> recorder Note\n"
            "2.000000000 recorder -> recorder Wide\n");
}

struct Polymorphic : Component<> {
  virtual ~Polymorphic() = default;
  std::uint64_t marks[3] = {1, 2, 3};
};

TEST(Simulation, AComponentWithVirtualFunctionsGivesBackJustItsOwnMemory) {
  Simulation simulation;
  for (int i = 0; i < 4; ++i) {
    auto& component = simulation.add<Polymorphic>("one");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&component) % detail::BlockPool::kLine, 0U);
    simulation.remove(component.id());
  }
}

}  // namespace
}  // namespace artel::sim
