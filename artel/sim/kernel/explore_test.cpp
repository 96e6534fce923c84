#include "artel/sim/kernel/explore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

// --- A two-phase commit. A participant that has voted yes must wait for the decision; the broken
// one loses patience.

struct Prepare {};
struct Vote {};
struct Commit {};

struct Participant : Component<Prepare, Commit> {
  explicit Participant(bool is_broken) : broken(is_broken) {}

  void on(const Prepare&, const Event& event) {
    emit(Vote{}, event.src(), 1ms);
    spawn(decide());
  }
  void on(const Commit&) { outcome = "committed"; }
  Task<> decide() {
    const auto decision = co_await next<Commit>().within(broken ? 1s : kForever);
    outcome = decision ? "committed" : "aborted";
  }

  bool broken;
  std::string outcome;
};

struct Coordinator : Component<> {
  Coordinator(Choices& open, std::vector<ComponentId> all)
      : choices(&open), participants(std::move(all)) {
    spawn(run());
  }

  template <class T>
  void send(T message, ComponentId to, const char* what) {
    if (!choices->happens(what)) emit(message, to, 1ms);
  }
  Task<> run() {
    for (const ComponentId id : participants) send(Prepare{}, id, "a Prepare is lost");
    for (std::size_t i = 0; i < participants.size(); ++i) {
      const auto vote = co_await next<Vote>().within(500ms);
      if (!vote) co_return;
    }
    for (const ComponentId id : participants) send(Commit{}, id, "a Commit is lost");
  }

  Choices* choices;
  std::vector<ComponentId> participants;
};

std::optional<std::string> two_phase_commit(Choices& choices, bool broken) {
  Simulation simulation(SimulationOptions{.choices = broken ? &choices : nullptr});
  std::vector<ComponentId> ids;
  std::vector<Participant*> participants;
  for (const char* name : {"a", "b", "c"}) {
    participants.push_back(&simulation.add<Participant>(name, broken));
    ids.push_back(participants.back()->id());
  }
  simulation.add<Coordinator>("coordinator", choices, ids);
  simulation.run();
  bool committed = false;
  bool aborted = false;
  for (const Participant* participant : participants) {
    committed = committed || participant->outcome == "committed";
    aborted = aborted || participant->outcome == "aborted";
  }
  if (committed && aborted) return "some have committed, others aborted";
  return std::nullopt;
}

TEST(Explore, FindsTheOneLostMessageThatBreaksATwoPhaseCommit) {
  const Exploration found =
      explore([](Choices& choices) { return two_phase_commit(choices, true); });
  EXPECT_EQ(found.violation.value_or("nothing"), "some have committed, others aborted");
  // One choice out of the ordinary, and the deliveries around it.
  EXPECT_EQ(found.trace.find("-> a Commit is lost"), found.trace.rfind("-> "));
  EXPECT_NE(found.trace.find("a <- coordinator Prepare"), std::string::npos) << found.trace;
  EXPECT_LT(found.runs, 100U);
}

TEST(Explore, SaysWhenItHasTriedEverything) {
  const Exploration found =
      explore([](Choices& choices) { return two_phase_commit(choices, false); });
  EXPECT_FALSE(found.violation.has_value());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.runs, 7U + 8U);  // some Prepare is lost; or none, and any of the Commits
}

TEST(Explore, TriesEveryCombinationOnce) {
  std::vector<std::string> seen;
  const Exploration found = explore([&](Choices& choices) -> std::optional<std::string> {
    std::string run = std::to_string(choices.choose(3, "first"));
    if (run == "1") run += std::to_string(choices.choose(2, "second"));
    run += std::to_string(choices.choose(2, "third"));
    seen.push_back(run);
    return std::nullopt;
  });
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(seen, (std::vector<std::string>{"00", "100", "20", "01", "110", "101", "21", "111"}));
}

TEST(Explore, DrawsWhatLiesTooDeepAndReducesIt) {
  const auto model = [](Choices& choices) -> std::optional<std::string> {
    int unusual = 0;
    for (int i = 0; i < 40; ++i) unusual += choices.happens("it") ? 1 : 0;
    return unusual >= 4 ? std::optional<std::string>("four") : std::nullopt;
  };
  const Exploration found = explore(model, {.runs = 400, .random_share = 0.5});
  ASSERT_TRUE(found.violation.has_value());
  EXPECT_EQ(found.trace, "-> it\n-> it\n-> it\n-> it\n");
}

TEST(Explore, KeepsToItsBoundsAlsoWhenItReduces) {
  std::size_t runs = 0;
  const auto model = [&](Choices& choices) -> std::optional<std::string> {
    ++runs;
    int unusual = 0;
    for (int i = 0; i < 400; ++i) unusual += choices.happens("it") ? 1 : 0;
    return unusual >= 10 ? std::optional<std::string>("ten") : std::nullopt;
  };
  const Exploration found = explore(model, {.runs = 20, .random_share = 0.5});
  ASSERT_TRUE(found.violation.has_value());
  EXPECT_EQ(found.runs, 20U);
  EXPECT_EQ(runs, 21U);  // once more to be told
}

TEST(Explore, DrawsNoMoreChoicesThanItVaries) {
  std::size_t furthest = 0;
  const auto model = [&](Choices& choices) -> std::optional<std::string> {
    for (std::size_t i = 1; i <= 50; ++i) {
      if (choices.happens("it")) furthest = std::max(furthest, i);
    }
    return std::nullopt;
  };
  const Exploration found = explore(model, {.runs = 300, .random_share = 0.9, .choices = 10});
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(furthest, 10U);
}

TEST(Explore, WhateverTheModelThrowsIsAViolation) {
  const Exploration found = explore([](Choices&) -> std::optional<std::string> { throw 7; });
  EXPECT_EQ(found.violation.value_or("nothing"),
            "the model threw an exception of no standard type");
}

// --- A crash is a choice like any other: a primary that tells its backup too late.

struct Write {};
struct Copy {};
struct Done {};
struct Tick {};

struct Backup : Component<Copy> {
  void on(const Copy&) { has_it = true; }
  bool has_it = false;
};
struct Primary : Component<Write, Copy> {
  Primary(ComponentId copy_to, bool early) : backup(copy_to), copies_first(early) {}
  void on(const Write&, const Event& event) {
    if (copies_first) emit(Copy{}, backup, 1ms);
    emit(Done{}, event.src(), 1ms);
    if (!copies_first) emit_self(Copy{}, 10ms);  // in batches
  }
  void on(const Copy&) { emit(Copy{}, backup, 1ms); }
  ComponentId backup;
  bool copies_first;
};
struct Client : Component<Done> {
  void on(const Done&) { is_done = true; }
  bool is_done = false;
};
/// At each tick the model leaves open whether the primary crashes.
struct Fate : Component<Tick> {
  Fate(Simulation& of, Choices& open, ComponentId victim)
      : simulation(&of), choices(&open), primary(victim) {
    emit_self(Tick{}, 0ms);
  }
  void on(const Tick&) {
    if (choices->happens("the primary crashes")) {
      simulation->crash(primary);
    } else if (now() < Instant{20ms}) {
      emit_self(Tick{}, 3ms);
    }
  }
  Simulation* simulation;
  Choices* choices;
  ComponentId primary;
};

std::optional<std::string> replicate(Choices& choices, bool copies_first) {
  Simulation simulation({.choices = &choices});
  auto& backup = simulation.add<Backup>("backup");
  const ComponentId primary = simulation.add<Primary>("primary", backup.id(), copies_first).id();
  auto& client = simulation.add<Client>("client");
  simulation.add<Fate>("fate", simulation, choices, primary);
  client.emit(Write{}, primary, 1ms);
  simulation.run();
  const bool lost = !simulation.exists(primary) && !backup.has_it;
  if (client.is_done && lost) return "the client was told, and nobody has it";
  return std::nullopt;
}

TEST(Explore, FindsTheCrashThatLosesWhatTheClientWasTold) {
  const Exploration found = explore([](Choices& choices) { return replicate(choices, false); });
  EXPECT_EQ(found.violation.value_or("nothing"), "the client was told, and nobody has it");
  EXPECT_NE(found.trace.find("-> the primary crashes"), std::string::npos) << found.trace;
  const Exploration none = explore([](Choices& choices) { return replicate(choices, true); });
  EXPECT_FALSE(none.violation.has_value());
  EXPECT_TRUE(none.complete);
}

TEST(Explore, AnExceptionIsAViolationAndEventsOfEqualTimesAreTriedInEveryOrder) {
  struct Number {
    int value;
  };
  struct Taker : Component<Number> {
    void on(const Number& number) {
      if (number.value == 1 && last == 3) throw std::logic_error("1 right after 3");
      last = number.value;
    }
    int last = 0;
  };
  const Exploration found = explore([](Choices& choices) -> std::optional<std::string> {
    Simulation simulation({.choices = &choices});
    auto& taker = simulation.add<Taker>("taker");
    for (int i = 1; i <= 3; ++i) taker.emit_self(Number{i}, 1s);
    simulation.run();
    return std::nullopt;
  });
  EXPECT_EQ(found.violation.value_or("nothing"), "the model threw: 1 right after 3");
}

}  // namespace
}  // namespace artel::sim
