#include "artel/sim/kernel/simulation_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/trace/chrome_trace.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

struct Ping {
  std::uint64_t number;
};
std::uint64_t key_of(const Ping& ping) { return ping.number; }
struct Pong {
  std::uint64_t number;
};

struct Server : Component<Ping> {
  void on(const Ping& ping, const Event& event) { emit(Pong{ping.number}, event.src(), 2ms); }
};

Task<> client(Context& self, ComponentId server) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    self.emit(Ping{i}, server, 1ms);
    (void)co_await self.next<Pong>().from(server).within(10ms);
    co_await self.sleep(4ms);
  }
}

/// What is drawn, after checking that a viewer will understand it.
struct Picture {
  std::map<std::uint64_t, std::string> tracks;          // by tid
  std::vector<std::string> slices;                      // "track: name start-end", as they end
  std::vector<std::string> instants;                    // "track: name at"
  std::map<std::string, std::string> open_flow, flows;  // id -> "track slice -> track slice"
};

std::string us(const Json& ts) { return fmt::format("{}", ts.get<double>()); }

Picture checked_picture(const Json& events) {
  struct Open {
    std::string name, start;
  };
  Picture picture;
  std::map<std::uint64_t, std::vector<Open>> open;
  double last = 0;
  for (const Json& event : events) {
    const std::string phase = event.at("ph");
    EXPECT_EQ(event.at("pid"), 1);
    if (event.at("ph") == "M") {
      if (event.at("name") == "thread_name") {
        EXPECT_TRUE(picture.tracks.emplace(event.at("tid"), event.at("args").at("name")).second);
      }
      continue;
    }
    const double time = event.at("ts");
    EXPECT_GE(time, last) << event;
    last = time;
    const std::uint64_t tid = event.at("tid");
    EXPECT_TRUE(picture.tracks.contains(tid)) << "no name yet: " << event;
    const std::string track = picture.tracks[tid];
    std::vector<Open>& stack = open[tid];
    if (phase == "B") {
      stack.push_back({event.at("name"), us(event.at("ts"))});
    } else if (phase == "E") {
      EXPECT_FALSE(stack.empty()) << event;
      if (stack.empty()) continue;
      picture.slices.push_back(fmt::format("{}: {} {}-{}", track, stack.back().name,
                                           stack.back().start, us(event.at("ts"))));
      stack.pop_back();
    } else if (phase == "i") {
      picture.instants.push_back(
          fmt::format("{}: {} {}", track, event.at("name").get<std::string>(), us(event.at("ts"))));
    } else {
      EXPECT_TRUE(phase == "s" || phase == "f") << event;
      EXPECT_FALSE(stack.empty()) << "an arrow without a slice: " << event;
      if (stack.empty()) continue;
      const std::string id =
          event.at("id").get<std::string>() + " " + event.at("name").get<std::string>();
      const std::string end = fmt::format("{} {}", track, stack.back().name);
      if (phase == "s") {
        EXPECT_TRUE(picture.open_flow.emplace(id, end).second) << event;
        EXPECT_FALSE(picture.flows.contains(id)) << event;
      } else {
        EXPECT_EQ(event.at("bp"), "e");
        EXPECT_TRUE(picture.open_flow.contains(id)) << "an arrow without a beginning: " << event;
        picture.flows.emplace(id, picture.open_flow[id] + " -> " + end);
        picture.open_flow.erase(id);
      }
    }
  }
  for (const auto& [tid, stack] : open) EXPECT_TRUE(stack.empty()) << picture.tracks[tid];
  return picture;
}

std::set<std::string> values_of(const std::map<std::string, std::string>& map) {
  std::set<std::string> values;
  for (const auto& [key, value] : map) values.insert(value);
  return values;
}

class SimulationTraceTest : public ::testing::Test {
 protected:
  void SetUp() override { start({}); }
  void TearDown() override {
    simulation_.reset();
    trace_.reset();
    std::filesystem::remove(path_);
  }
  void start(SimulationOptions options) {
    simulation_.reset();
    trace_ = std::make_unique<SimulationTrace>(*trace::ChromeTrace::create(path_));
    options.trace = &*trace_;
    simulation_ = std::make_unique<Simulation>(options);
  }
  Picture picture() {
    EXPECT_TRUE(trace_->finish());
    std::ifstream in(path_);
    return checked_picture(Json::parse(in).at("traceEvents"));
  }

  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("artel_sim_trace_{}", ::getpid());
  std::unique_ptr<SimulationTrace> trace_;
  std::unique_ptr<Simulation> simulation_;
};

std::string place(std::uint32_t line) { return fmt::format("simulation_trace_test.cpp:{}", line); }

TEST_F(SimulationTraceTest, DrawsWaitsAndMessages) {
  auto& server = simulation_->add<Server>("server");
  auto& context = simulation_->add_context("client");
  context.spawn(client(context, server.id()));
  const std::string life = place(__LINE__ - 1);
  simulation_->run();
  const Picture drawn = picture();
  std::vector<std::string> names;
  names.reserve(drawn.tracks.size());
  for (const auto& [tid, name] : drawn.tracks) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"outside", "server", "client", "client / 1"}));
  EXPECT_EQ(drawn.slices, (std::vector<std::string>{
                              "client / 1: emit Ping 0-0",
                              "server: Ping 1000-1000",
                              "client / 1: Pong 3000-3000",
                              "client / 1: Pong from server (for at most 10.0 ms) 0-3000",
                              "client / 1: a sleep of 4.00 ms 3000-7000",
                              "client / 1: emit Ping 7000-7000",
                              "server: Ping 8000-8000",
                              "client / 1: Pong 10000-10000",
                              "client / 1: Pong from server (for at most 10.0 ms) 7000-10000",
                              "client / 1: a sleep of 4.00 ms 10000-14000",
                              "client / 1: emit Ping 14000-14000",
                              "server: Ping 15000-15000",
                              "client / 1: Pong 17000-17000",
                              "client / 1: Pong from server (for at most 10.0 ms) 14000-17000",
                              "client / 1: a sleep of 4.00 ms 17000-21000",
                              "client / 1: " + life + " 0-21000",
                          }));
  EXPECT_EQ(drawn.flows.size(), 6U);
  EXPECT_EQ(values_of(drawn.flows), (std::set<std::string>{
                                        "client / 1 emit Ping -> server Ping",
                                        "server Ping -> client / 1 Pong",
                                    }));
  EXPECT_TRUE(drawn.open_flow.empty());
}

TEST_F(SimulationTraceTest, MarksWhatWasDroppedOrCancelled) {
  auto& context = simulation_->add_context("a");
  auto& server = simulation_->add<Server>("server");
  context.emit(Ping{1}, server.id(), 5ms);
  context.cancel(context.emit(Ping{2}, server.id(), 5ms));
  simulation_->run_until(Instant{1ms});
  simulation_->remove(server.id(), Pending::keep);
  simulation_->run();
  context.emit(Ping{3}, context.id(), 1ms);
  const Picture drawn = picture();
  EXPECT_EQ(drawn.slices, (std::vector<std::string>{
                              "outside: emit 2 events 0-0", "outside: cancelled Ping 0-0",
                              "server: dropped Ping 5000-5000", "outside: emit Ping 5000-5000"}));
  EXPECT_EQ(drawn.open_flow.size(), 1U);  // still pending
  EXPECT_EQ(values_of(drawn.flows), (std::set<std::string>{
                                        "outside emit 2 events -> outside cancelled Ping",
                                        "outside emit 2 events -> server dropped Ping",
                                    }));
}

TEST_F(SimulationTraceTest, ProcessesGetTracksAndGiveThemBack) {
  auto& context = simulation_->add_context("a");
  const auto nap = [](Context& self, Duration time) -> Task<> { co_await self.sleep(time); };
  const auto parent = [&](Context& self) -> Task<> {
    const Process<> first = self.spawn(nap(self, 2us));
    const Process<> second = self.spawn(nap(self, 9us));
    co_await first.join();
    const Process<> third = self.spawn(nap(self, 9us));
    second.cancel();
    co_await third.join();
  };
  context.spawn(parent(context));
  simulation_->run();
  const Picture drawn = picture();
  EXPECT_EQ(drawn.tracks.size(), 5U);  // outside, a, a / 1 to 3
  EXPECT_EQ(drawn.instants, (std::vector<std::string>{"a / 3: cancelled 2"}));
  EXPECT_EQ(drawn.slices.size(), 9U);  // four lives, five waits
  EXPECT_EQ(drawn.slices[5], "a / 2: a sleep of 9.00 us 2-11");
}

TEST_F(SimulationTraceTest, ShowsFailuresAndWhoStillWaits) {
  auto& context = simulation_->add_context("a");
  const auto fails = [](Context& self) -> Task<> {
    co_await self.sleep(1us);
    throw std::runtime_error("no luck");
  };
  const auto waits = [](Context& self) -> Task<> { (void)co_await self.next<Pong>(); };
  const auto joins = [&](Context& self) -> Task<> {
    try {
      co_await self.spawn(fails(self)).join();
    } catch (const std::runtime_error&) {
      self.spawn(waits(self));
    }
  };
  context.spawn(joins(context));
  simulation_->run();
  const Picture drawn = picture();
  EXPECT_EQ(drawn.instants, (std::vector<std::string>{"a / 2: failed 1", "a / 2: still waits 1"}));
}

TEST_F(SimulationTraceTest, AnEventThatDoesNotWakeTheProcessIsDrawnAtTheComponent) {
  auto& context = simulation_->add_context("a");
  const auto both = [](Context& self) -> Task<> {
    co_await all_of(self.next<Ping>(), self.next<Pong>());
  };
  context.spawn(both(context));
  context.emit(Ping{1}, context.id(), 1us);
  context.emit(Pong{1}, context.id(), 2us);
  simulation_->run();
  const Picture drawn = picture();
  EXPECT_EQ(drawn.flows.size(), 2U);
  EXPECT_EQ(values_of(drawn.flows), (std::set<std::string>{"outside emit 2 events -> a Ping",
                                                           "outside emit 2 events -> a / 1 Pong"}));
}

struct Postponer : Component<Ping> {
  void on(const Ping& ping) {
    if (ping.number == 0) emit_self_last(Ping{1});
  }
};

TEST_F(SimulationTraceTest, AnEventForTheEndOfTheMomentHasAnArrow) {
  simulation_->add<Postponer>("a").emit_self(Ping{0}, 1us);
  simulation_->run();
  EXPECT_EQ(values_of(picture().flows),
            (std::set<std::string>{"outside emit Ping -> a Ping", "a Ping -> a Ping"}));
}

TEST_F(SimulationTraceTest, AHandlerThatThrowsLeavesThePictureWhole) {
  struct Bad : Component<Ping> {
    void on(const Ping&) {
      emit_self(Pong{1});
      throw std::runtime_error("bad");
    }
  };
  auto& bad = simulation_->add<Bad>("bad");
  bad.emit_self(Ping{1}, 1us);
  EXPECT_THROW(simulation_->run(), std::runtime_error);
  const Picture drawn = picture();
  EXPECT_EQ(drawn.slices, (std::vector<std::string>{"outside: emit Ping 0-0", "bad: Ping 1-1"}));
  EXPECT_EQ(drawn.open_flow.size(), 1U);  // the Pong, still pending
}

TEST_F(SimulationTraceTest, IsWholeWithoutTheSimulationToo) {
  auto& context = simulation_->add_context("a");
  const auto waits = [](Context& self) -> Task<> { (void)co_await self.next<Pong>(); };
  context.spawn(waits(context));
  simulation_->run();
  simulation_.reset();
  EXPECT_EQ(picture().instants, (std::vector<std::string>{"a / 1: still waits 0"}));
}

struct Ticking : Component<Ping> {
  Ticking() { spawn(tick()); }
  void on(const Ping&) {}
  Task<> tick() {
    for (;;) {
      co_await sleep(2us);
      emit_self(Ping{0}, 1us);
    }
  }
};

TEST_F(SimulationTraceTest, AComponentThatCrashesAndComesBackKeepsItsTrack) {
  const ComponentId ticking = simulation_->add<Ticking>("ticking").id();
  auto& faults = simulation_->add_context("faults");
  const auto fault = [&](Context& self) -> Task<> {
    self.emit(Ping{1}, ticking, 4us);
    co_await self.sleep(2500ns);
    simulation_->crash(ticking);  // at 2 us it emitted a Ping for 3 us
    co_await self.sleep(3500ns);
    simulation_->restart<Ticking>(ticking);
  };
  faults.spawn(fault(faults));
  simulation_->run_until(Instant{8us});
  const Picture drawn = picture();
  EXPECT_EQ(drawn.instants,
            (std::vector<std::string>{"ticking / 1: cancelled 2.5", "ticking: crashed 2.5",
                                      "ticking: back 6", "ticking / 1: still waits 8"}));
  EXPECT_EQ(values_of(drawn.flows),
            (std::set<std::string>{"faults / 1 emit Ping -> ticking dropped Ping",
                                   "ticking / 1 emit Ping -> ticking dropped Ping"}));
  EXPECT_EQ(drawn.open_flow.size(), 1U);  // that of 8 us, for 9 us
}

// Everything at once, with and without trace: see the two tests below.
Task<> worker(Context& self, Channel<int>& orders) {
  while (const auto order = co_await orders.receive()) co_await self.sleep(3us);
}
Task<> boss(Context& self, ComponentId server, Channel<int>& orders) {
  for (int i = 0; i < 50; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    self.emit(Ping{number}, server, Duration{1 + i % 7});
    self.cancel(self.emit(Pong{number}, self.id(), 1us));
    (void)co_await any_of(self.next<Pong>(), self.sleep(2us));
    co_await orders.send(i);
  }
  orders.close();
}
trace::Fingerprint busy(Simulation& simulation) {
  auto& server = simulation.add<Server>("server");
  auto& context = simulation.add_context("boss");
  auto& others = simulation.add_context("workers");
  Channel<int> orders(2);
  for (int i = 0; i < 3; ++i) others.spawn(worker(others, orders));
  context.spawn(boss(context, server.id(), orders));
  struct Sink : Component<Pong> {
    void on(const Pong&) {}
  };
  simulation.run_until(Instant{40us});
  simulation.remove(server.id(), Pending::keep);
  simulation.run_for(20us);
  simulation.remove(others.id());
  simulation.run_for(20us);
  simulation.remove(context.id());
  return simulation.fingerprint();
}

TEST_F(SimulationTraceTest, DoesNotChangeTheFingerprint) {
  Simulation plain({.fingerprint = true});
  const auto expected = busy(plain);
  start({.fingerprint = true});
  EXPECT_EQ(busy(*simulation_), expected);
  const Picture drawn = picture();
  EXPECT_GT(drawn.flows.size(), 30U);
  EXPECT_EQ(plain.event_count(), simulation_->event_count());
}

TEST_F(SimulationTraceTest, ShuffledTiesStayTheSameToo) {
  Simulation plain({.tie_shuffle = Seed{7}, .fingerprint = true});
  const auto expected = busy(plain);
  start({.tie_shuffle = Seed{7}, .fingerprint = true});
  EXPECT_EQ(busy(*simulation_), expected);
  EXPECT_GT(picture().flows.size(), 30U);
}

}  // namespace
}  // namespace artel::sim
