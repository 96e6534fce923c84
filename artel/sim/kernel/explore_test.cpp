#include "artel/sim/kernel/explore.hpp"

#include <gtest/gtest.h>

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
