// A two-phase commit that loses patience: explore() finds the lost message that breaks it, and
// finds nothing in the one that asks again.
#include <fmt/format.h>

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/explore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;

struct Prepare {};  // the coordinator asks whether it can be done…
struct Yes {};      // …every participant says so…
struct Decision {   // …and learns what was decided.
  bool commit;
};
struct Ask {};  // by who has not learnt it

/// Loses up to `left` messages, as explore() chooses.
struct Network {
  sim::Choices* choices;
  int left = 2;

  template <class T>
  void send(sim::Context& from, T message, sim::ComponentId to, const std::string& what) {
    if (left > 0 && choices->happens(what + " is lost")) {
      --left;
    } else {
      from.emit(message, to, 1ms);
    }
  }
};

enum class Outcome { none, committed, aborted };

struct Participant : sim::Component<Prepare> {
  Participant(Network& through, bool patient) : network(&through), asks_again(patient) {}

  void on(const Prepare&, const sim::Event& event) {
    network->send(*this, Yes{}, event.src(), fmt::format("the Yes of {}", name()));
    spawn(decide(event.src()));
  }
  /// Who has voted Yes may not decide alone.
  sim::Task<> decide(sim::ComponentId coordinator) {
    while (outcome == Outcome::none) {
      const auto decision = co_await next<Decision>().within(1s);
      if (decision) {
        outcome = (*decision)->commit ? Outcome::committed : Outcome::aborted;
      } else if (asks_again) {
        network->send(*this, Ask{}, coordinator, fmt::format("the question of {}", name()));
      } else {
        outcome = Outcome::aborted;
      }
    }
  }

  Network* network;
  bool asks_again;
  Outcome outcome = Outcome::none;
};

struct Coordinator : sim::Component<Ask> {
  Coordinator(Network& through, std::vector<sim::ComponentId> all)
      : network(&through), participants(std::move(all)) {
    spawn(run());
  }

  sim::Task<> run() {
    for (const sim::ComponentId id : participants) network->send(*this, Prepare{}, id, "a Prepare");
    commit = true;
    for (std::size_t i = 0; i < participants.size(); ++i) {
      const auto vote = co_await next<Yes>().within(100ms);
      if (!vote) commit = false;
    }
    for (const sim::ComponentId id : participants) decide(id);
    decided = true;
  }
  void on(const Ask&, const sim::Event& event) {
    if (decided) decide(event.src());
  }
  void decide(sim::ComponentId id) {
    network->send(*this, Decision{commit}, id, commit ? "a Commit" : "an Abort");
  }

  Network* network;
  std::vector<sim::ComponentId> participants;
  bool commit = false;
  bool decided = false;
};

/// One run: nothing, or what is wrong.
std::optional<std::string> commit_once(sim::Choices& choices, bool patient) {
  Network network{&choices};
  sim::Simulation simulation({.choices = &choices});
  std::vector<Participant*> participants;
  std::vector<sim::ComponentId> ids;
  for (const char* name : {"a", "b"}) {
    participants.push_back(&simulation.add<Participant>(name, network, patient));
    ids.push_back(participants.back()->id());
  }
  simulation.add<Coordinator>("coordinator", network, ids);
  simulation.run();
  const Outcome a = participants[0]->outcome;
  const Outcome b = participants[1]->outcome;
  if (a == Outcome::none || b == Outcome::none || a == b) return std::nullopt;
  return fmt::format("{} has committed, {} has not", a == Outcome::committed ? "a" : "b",
                     a == Outcome::committed ? "b" : "a");
}

void explore(bool patient) {
  const auto found =
      sim::explore([patient](sim::Choices& choices) { return commit_once(choices, patient); });
  if (found.violation) {
    std::cout << fmt::format("run {}: {}\n{}\n", found.runs, *found.violation, found.trace);
  } else {
    std::cout << fmt::format(
        "{} runs: {}\n", found.runs,
        found.complete ? "there are no others, and all is well" : "nothing found so far");
  }
}

}  // namespace

int main() {
  std::cout << "a participant that hears nothing aborts\n";
  explore(false);
  std::cout << "a participant that hears nothing asks\n";
  explore(true);
}
