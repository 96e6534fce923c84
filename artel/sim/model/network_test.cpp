#include "artel/sim/model/network.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "artel/sim/model/constant_network.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/routed_network.hpp"
#include "artel/sim/model/shared_network.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

constexpr NodeId kA{0};
constexpr NodeId kB{1};
constexpr NodeId kC{2};

using Ends = std::vector<std::tuple<Duration, std::uint64_t, TransferOutcome>>;

// Starts transfers by callback and notes their ends, numbered in order of start.
struct Client : Component<TransferEnded> {
  explicit Client(Network& over) : network(over) {}
  OperationId start(NodeId from, NodeId to, double bytes) {
    started.push_back(network.start_transfer(from, to, bytes, id()));
    return started.back();
  }
  void on(const TransferEnded& ended) {
    const auto place = std::find(started.begin(), started.end(), ended.operation) - started.begin();
    ends.emplace_back(now().time_since_epoch(), place, ended.outcome);
  }
  Network& network;
  std::vector<OperationId> started;
  Ends ends;
};

struct World {
  explicit World(NetworkOptions options)
      : network(simulation.add<Network>("network", std::move(options))),
        client(simulation.add<Client>("client", network)) {}
  Simulation simulation{{.fingerprint = true}};
  Network& network;
  Client& client;
};

NetworkOptions constant(Duration latency, double bandwidth) {
  return {.model = std::make_unique<ConstantNetwork>(latency, bandwidth)};
}
NetworkOptions shared(Duration latency, double bandwidth) {
  return {.model = std::make_unique<SharedNetwork>(latency, bandwidth)};
}
NetworkOptions routed(Topology topology) {
  return {.model = std::make_unique<RoutedNetwork>(std::move(topology))};
}

// 0.5 + 100/1000 = 0.6 s each, however many.
TEST(Network, AConstantNetworkTakesLatencyPlusBytesOverBandwidth) {
  World world(constant(500ms, 1000));
  world.client.start(kA, kB, 100);
  world.client.start(kA, kB, 100);
  world.simulation.run();
  EXPECT_EQ(world.client.ends,
            (Ends{{600ms, 0, TransferOutcome::done}, {600ms, 1, TransferOutcome::done}}));
  EXPECT_EQ(world.network.transfer_count(), 0U);
}

// Both begin at 0.5 s at 500/s: the first ends 0.2 s later; the second has 100 left at 1000/s: 0.1
// s.
TEST(Network, ASharedNetworkDividesItsBandwidth) {
  World world(shared(500ms, 1000));
  world.client.start(kA, kB, 100);
  world.client.start(kB, kC, 200);
  world.simulation.run();
  EXPECT_EQ(world.client.ends,
            (Ends{{700ms, 0, TransferOutcome::done}, {800ms, 1, TransferOutcome::done}}));
}

// Inside a node: local bandwidth 100/s, shared by the two: 50/s each, 100 bytes in 2 s; the node
// beside it is not slowed.
TEST(Network, TransfersInsideANodeShareItsOwnBandwidth) {
  World world({.model = std::make_unique<ConstantNetwork>(1s, 1000.0), .local_bandwidth = 100});
  world.client.start(kA, kA, 100);
  world.client.start(kA, kA, 100);
  world.client.start(kB, kB, 100);
  world.simulation.run();
  EXPECT_EQ(world.client.ends, (Ends{{1s, 2, TransferOutcome::done},
                                     {2s, 0, TransferOutcome::done},
                                     {2s, 1, TransferOutcome::done}}));
}

// a - switch - kB, links of 100/s and 10 ms: latency 20 ms. Two transfers share the link into b:
// 50/s each. 50 bytes: 1 s; the other then has 50 left at 100/s: 0.5 s.
TEST(Network, TransfersFollowTheirRoutesAndShareItsLinks) {
  Topology topology;
  for (int i = 0; i < 4; ++i) topology.add_node();
  const NodeId hub{3};
  for (const NodeId host : {kA, kB, kC}) {
    topology.connect(host, hub, {.bandwidth = 100, .latency = 10ms});
  }
  World world(routed(std::move(topology)));
  world.client.start(kA, kB, 50);
  world.client.start(kC, kB, 100);
  world.simulation.run();
  EXPECT_EQ(world.client.ends,
            (Ends{{1020ms, 0, TransferOutcome::done}, {1520ms, 1, TransferOutcome::done}}));
}

TEST(Network, HalfDuplexLinksAreSharedByBothDirectionsFullDuplexOnesAreNot) {
  for (const auto& [duplex, end] : {std::pair{Duplex::full, 1s}, std::pair{Duplex::half, 2s}}) {
    Topology topology;
    topology.add_node();
    topology.add_node();
    topology.connect(kA, kB, {.bandwidth = 100}, duplex);
    World world(routed(std::move(topology)));
    world.client.start(kA, kB, 100);
    world.client.start(kB, kA, 100);
    world.simulation.run();
    EXPECT_EQ(world.client.ends,
              (Ends{{end, 0, TransferOutcome::done}, {end, 1, TransferOutcome::done}}));
  }
}

// Two ways from a to c: directly (100/s, 1 ms), or over b (10 ms each).
Topology triangle(LinkId& direct) {
  Topology topology;
  for (int i = 0; i < 3; ++i) topology.add_node();
  direct = topology.connect(kA, kC, {.bandwidth = 100, .latency = 1ms}).there;
  topology.connect(kA, kB, {.bandwidth = 100, .latency = 10ms});
  topology.connect(kB, kC, {.bandwidth = 100, .latency = 10ms});
  return topology;
}

TEST(Network, ALinkThatGoesDownCutsItsTransfersAndLaterOnesGoRound) {
  LinkId direct{};
  World world(routed(triangle(direct)));
  world.client.start(kA, kC, 100);
  world.simulation.run_until(Instant{500ms});
  world.network.set_up(direct, false);
  world.client.start(kA, kC, 100);
  world.simulation.run();
  EXPECT_EQ(world.client.ends,
            (Ends{{500ms, 0, TransferOutcome::unreachable}, {1520ms, 1, TransferOutcome::done}}));
}

TEST(Network, APartitionCutsTransfersBetweenGroupsUntilItHeals) {
  World world(constant(0s, 100));
  world.client.start(kA, kB, 100);
  world.client.start(kB, kC, 100);
  world.simulation.run_until(Instant{500ms});
  world.network.partition(std::vector<std::vector<NodeId>>{{kA}});
  world.client.start(kA, kB, 100);
  world.simulation.run_until(Instant{2s});
  world.network.heal();
  world.client.start(kA, kB, 100);
  world.simulation.run();
  EXPECT_EQ(world.client.ends, (Ends{{500ms, 0, TransferOutcome::unreachable},
                                     {500ms, 2, TransferOutcome::unreachable},
                                     {1s, 1, TransferOutcome::done},
                                     {3s, 3, TransferOutcome::done}}));
}

TEST(Network, ACancelledTransferTellsNobodyAndFreesItsShare) {
  World world(shared(0s, 100));
  const OperationId first = world.client.start(kA, kB, 100);
  world.client.start(kA, kB, 100);
  world.simulation.run_until(Instant{1s});  // 50 of each done
  EXPECT_DOUBLE_EQ(world.network.left(first).value_or(-1), 50);
  EXPECT_TRUE(world.network.cancel(first));
  EXPECT_FALSE(world.network.cancel(first));
  world.simulation.run();
  EXPECT_EQ(world.client.ends, (Ends{{1500ms, 1, TransferOutcome::done}}));
}

struct Hello {
  int number = 0;
};
struct Listener : Component<Hello> {
  void on(const Hello& hello) { heard.emplace_back(now().time_since_epoch(), hello.number); }
  std::vector<std::pair<Duration, int>> heard;
};

TEST(Network, AMessageArrivesAfterTheLatencyBetweenTheNodes) {
  World world(constant(30ms, 1));
  auto& listener = world.simulation.add<Listener>("listener");
  world.network.place(world.client.id(), kA);
  world.network.place(listener.id(), kB);
  EXPECT_TRUE(world.network.send(world.client.id(), Hello{1}, listener.id()));
  world.network.place(listener.id(), kA);
  EXPECT_TRUE(world.network.send(world.client.id(), Hello{2}, listener.id()));
  world.simulation.run();
  EXPECT_EQ(listener.heard, (std::vector<std::pair<Duration, int>>{{0ms, 2}, {30ms, 1}}));
}

TEST(Network, MessagesGetLostAsOftenAsSaidAndNeverInsideANode) {
  World world({.model = std::make_unique<ConstantNetwork>(1ms, 1.0), .message_loss = 0.25});
  auto& listener = world.simulation.add<Listener>("listener");
  world.network.place(world.client.id(), kA);
  world.network.place(listener.id(), kB);
  int lost = 0;
  for (int i = 0; i < 10'000; ++i) {
    lost += world.network.send(world.client.id(), Hello{}, listener.id()) ? 0 : 1;
  }
  EXPECT_NEAR(lost, 2500, 4 * 43.3);  // four standard deviations
  world.network.place(listener.id(), kA);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(world.network.send(world.client.id(), Hello{}, listener.id()));
  }
}

TEST(Network, JitterIsAddedToTheLatencyBetweenNodes) {
  const auto law = random::Distribution::uniform({.low = 0.010, .high = 0.020});
  ASSERT_TRUE(law);
  World world({.model = std::make_unique<ConstantNetwork>(5ms, 1e9), .jitter = *law});
  auto& listener = world.simulation.add<Listener>("listener");
  world.network.place(world.client.id(), kA);
  world.network.place(listener.id(), kB);
  for (int i = 0; i < 100; ++i) world.network.send(world.client.id(), Hello{}, listener.id());
  world.simulation.run();
  ASSERT_EQ(listener.heard.size(), 100U);
  EXPECT_GE(listener.heard.front().first, 15ms);
  EXPECT_LT(listener.heard.front().first, listener.heard.back().first);
  EXPECT_LE(listener.heard.back().first, 25ms);
}

Task<> move(Context& context, Network& network, double bytes, Ends& ends, std::uint64_t number) {
  const TransferOutcome outcome = co_await network.transfer(kA, kB, bytes);
  ends.emplace_back(context.now().time_since_epoch(), number, outcome);
}

TEST(Network, CoroutinesCauseTheSameEventsAsCallbacks) {
  World callbacks(shared(500ms, 1000));
  callbacks.client.start(kA, kB, 100);
  callbacks.client.start(kA, kB, 200);
  callbacks.simulation.run();

  World coroutines(shared(500ms, 1000));
  Ends ends;
  Context& client = coroutines.client;
  client.spawn(move(client, coroutines.network, 100, ends, 0));
  client.spawn(move(client, coroutines.network, 200, ends, 1));
  coroutines.simulation.run();
  EXPECT_EQ(ends, callbacks.client.ends);
  EXPECT_EQ(coroutines.simulation.fingerprint(), callbacks.simulation.fingerprint());
  EXPECT_EQ(coroutines.network.transfer_count(), 0U);
}

Task<> give_up_after(Context&, Network& network, Duration patience, bool& in_time) {
  in_time = (co_await with_timeout(network.transfer(kA, kB, 1000), patience)).has_value();
}

TEST(Network, ATransferEndsWithTheCoroutineThatAwaitsIt) {
  for (const Duration patience : {Duration{100ms}, Duration{700ms}, Duration{1600ms}}) {
    World world(shared(500ms, 1000));
    bool in_time = true;
    Context& client = world.client;
    client.spawn(give_up_after(client, world.network, patience, in_time));
    world.simulation.run();
    EXPECT_EQ(in_time, patience == 1600ms);
    EXPECT_EQ(world.network.transfer_count(), 0U);
    EXPECT_TRUE(world.client.ends.empty());  // nothing is left to reach the callback
  }
}

TEST(Network, ANetworkThatIsRemovedLeavesItsCoroutinesWaiting) {
  World world(shared(500ms, 1000));
  bool in_time = true;
  Context& client = world.client;
  client.spawn(give_up_after(client, world.network, 5s, in_time));
  world.simulation.run_until(Instant{1s});
  world.simulation.remove(world.network.id());
  world.simulation.run();
  EXPECT_FALSE(in_time);
}

// Thousands of transfers over a random tree, started and cancelled at random: every one ends once.
RC_GTEST_PROP(NetworkProperty, EveryTransferEndsOnce, ()) {
  Topology topology;
  const auto nodes = *rc::gen::inRange<std::uint32_t>(2, 8);
  topology.add_node();
  for (std::uint32_t i = 1; i < nodes; ++i) {
    topology.connect(topology.add_node(), NodeId{*rc::gen::inRange<std::uint32_t>(0, i)},
                     {.bandwidth = 100, .latency = 1ms});
  }
  const std::size_t links = topology.link_count();
  World world(routed(std::move(topology)));
  std::size_t cancelled = 0;
  for (int step = *rc::gen::inRange(1, 60); step > 0; --step) {
    world.simulation.run_for(Duration{*rc::gen::inRange(0, 500'000'000)});
    const auto node = [&] { return NodeId{*rc::gen::inRange<std::uint32_t>(0, nodes)}; };
    const int what = *rc::gen::inRange(0, 10);
    if (what < 7 || world.client.started.empty()) {
      world.client.start(node(), node(), *rc::gen::inRange(0, 100));
    } else if (what < 9) {
      const auto which = *rc::gen::inRange<std::size_t>(0, world.client.started.size());
      cancelled += world.network.cancel(world.client.started[which]) ? 1 : 0;
    } else {
      const LinkId link{*rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(links))};
      world.network.set_up(link, *rc::gen::arbitrary<bool>());
    }
  }
  world.simulation.run();
  std::map<std::uint64_t, int> ends;
  for (const auto& [time, number, outcome] : world.client.ends) ++ends[number];
  RC_ASSERT(ends.size() == world.client.ends.size());
  RC_ASSERT(ends.size() + cancelled == world.client.started.size());
  RC_ASSERT(world.network.transfer_count() == 0U);
}

TEST(Network, WhatWouldEndAfterTheEndOfTimeNeverDoes) {
  for (const bool is_constant : {true, false}) {
    std::unique_ptr<NetworkModel> model = std::make_unique<SharedNetwork>(1s, 1.0);
    if (is_constant) model = std::make_unique<ConstantNetwork>(1s, 1.0);
    Simulation simulation;
    auto& network = simulation.add<Network>("network", NetworkOptions{.model = std::move(model)});
    const OperationId id =
        network.start_transfer(NodeId{0}, NodeId{1}, 1e300, simulation.add_context("who").id());
    simulation.run_until(Instant{1h});
    EXPECT_EQ(network.left(id).value_or(0), 1e300);
    EXPECT_TRUE(network.cancel(id));
    simulation.run();
    EXPECT_EQ(simulation.now(), Instant{1h});
  }
}

TEST(NetworkDeathTest, RefusesWhatMakesNoSense) {
  EXPECT_DEATH(SharedNetwork(1s, INFINITY), "a bandwidth is positive and finite");
  EXPECT_DEATH(SharedNetwork(-1s, 1.0), "a latency is not negative");
  EXPECT_DEATH(ConstantNetwork(1s, NAN), "a bandwidth is positive");
}

}  // namespace
}  // namespace artel::sim
