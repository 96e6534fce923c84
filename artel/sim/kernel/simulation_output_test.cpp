// What a run leaves behind for those who watch it: its fingerprint and its log.

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Note {
  int value = 0;
};

/// Two nodes that throw a ball of random delays to each other.
struct Player : Component<Note> {
  void on(const Note& note, const Event& event) {
    log(LogLevel::info, "ball {}", note.value);
    if (note.value > 0) {
      emit(Note{note.value - 1}, event.src(),
           Duration{static_cast<std::int64_t>(random().below(3))});
    }
  }
};

struct Match {
  explicit Match(SimulationOptions options = {}) : simulation(options) {
    for (int i = 0; i < 8; ++i) simulation.add<Player>("player-" + std::to_string(i));
  }
  void serve() {
    for (std::uint32_t i = 0; i < 8; ++i) {
      const ComponentId other{(i + 1) % 8};
      auto& referee = simulation.add_context("referee-" + std::to_string(i));
      referee.emit_as(other, Note{20}, ComponentId{i}, 0ns);
    }
  }
  Simulation simulation;
};

trace::Fingerprint fingerprint_of_match(SimulationOptions options, LogLevel level) {
  options.fingerprint = true;
  Match match(options);
  std::ostringstream out;
  TextLog sink(out);
  match.simulation.log_to(sink);
  match.simulation.set_log_level(level);
  match.serve();
  match.simulation.run();
  EXPECT_EQ(out.str().empty(), level < LogLevel::info);
  return match.simulation.fingerprint();
}

TEST(SimulationFingerprint, IsPinnedForEveryCompiler) {
  EXPECT_EQ(fingerprint_of_match({.seed = Seed{3}}, LogLevel::off).text(), "ae99daf38b3b5975");
}

TEST(SimulationFingerprint, DependsOnTheSeedAndNotOnLogging) {
  const auto plain = fingerprint_of_match({.seed = Seed{3}}, LogLevel::off);
  EXPECT_EQ(fingerprint_of_match({.seed = Seed{3}}, LogLevel::info), plain);
  EXPECT_EQ(fingerprint_of_match({.seed = Seed{3}}, LogLevel::event), plain);
  EXPECT_NE(fingerprint_of_match({.seed = Seed{4}}, LogLevel::off), plain);
}

namespace first {
struct Ping {
  std::uint64_t number;
};
template <class T>
struct Box {
  struct Inside {};
};
}  // namespace first
namespace second {
struct Ping {
  std::uint64_t number;
};
}  // namespace second

template <class Ping>
trace::Fingerprint fingerprint_of_one() {
  Simulation simulation({.fingerprint = true});
  Context& context = simulation.add_context("main");
  context.emit_self(Ping{7});
  simulation.run();
  return simulation.fingerprint();
}

TEST(SimulationFingerprint, DependsOnTheNamespacesOfPayloads) {
  EXPECT_EQ(fingerprint_of_one<first::Ping>(), fingerprint_of_one<first::Ping>());
  EXPECT_NE(fingerprint_of_one<first::Ping>(), fingerprint_of_one<second::Ping>());
}

TEST(SimulationLog, NamesTypesWithoutWhatTheyAreWithin) {
  struct Local {};
  EXPECT_EQ(detail::short_type_name<first::Ping>(), "Ping");
  EXPECT_EQ(detail::short_type_name<first::Box<second::Ping>>(), "Box");
  EXPECT_EQ(detail::short_type_name<first::Box<first::Box<int>>::Inside>(), "Inside");
  EXPECT_EQ(detail::short_type_name<Local>(), "Local");
  [] {
    struct InALambda {};
    EXPECT_EQ(detail::short_type_name<InALambda>(), "InALambda");
  }();
}

TEST(Simulation, LogsTextWithSimulatedTime) {
  Simulation simulation;
  std::ostringstream out;
  TextLog sink(out);
  simulation.log_to(sink);
  auto& loud = simulation.add<Player>("loud");
  auto& quiet = simulation.add<Player>("quiet");
  simulation.set_log_level(loud.id(), LogLevel::event);
  loud.emit(Note{1}, quiet.id(), 1500ms);
  simulation.run();
  EXPECT_EQ(out.str(),
            "[1.500000001] event   loud <- quiet Note\n"
            "[1.500000001] info    loud: ball 0\n");
}

TEST(Simulation, LogsNoEventsOfTheKernelsOwn) {
  std::ostringstream out;
  TextLog sink(out);
  Simulation simulation;
  simulation.log_to(sink);
  Context& context = simulation.add_context("context");
  simulation.set_log_level(LogLevel::event);
  context.spawn([](Context& self) -> Task<> { co_await self.sleep(1s); }(context));
  simulation.run();
  EXPECT_NE(out.str().find("finished"), std::string::npos);
  EXPECT_EQ(out.str().find("<-"), std::string::npos) << out.str();
}

TEST(Simulation, LogsJsonLines) {
  Simulation simulation;
  std::ostringstream out;
  JsonLog sink(out);
  simulation.log_to(sink);
  auto& loud = simulation.add<Player>("a \"b\"\n");
  simulation.set_log_level(LogLevel::event);
  loud.emit_self(Note{0}, 2ns);
  simulation.run();
  EXPECT_EQ(out.str(), R"({"time_ns":2,"level":"event","component":"a \"b\"\n","src":"a \"b\"\n",)"
                       R"("payload":"Note","text":""})"
                       "\n"
                       R"({"time_ns":2,"level":"info","component":"a \"b\"\n","text":"ball 0"})"
                       "\n");
}

}  // namespace
}  // namespace artel::sim
