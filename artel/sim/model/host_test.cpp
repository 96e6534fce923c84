// What a host does besides computing: its processes, what it draws, what is kept of the models.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/on_exit.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/model/constant_network.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/message_rule.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

Task<> compute(Compute& host, double flops) { co_await host.run({.flops = flops}); }

TEST(Host, ItsProcessesEndWithIt) {
  std::vector<ProcessStatus> ends;  // longer than the processes that are still there at the end
  Simulation simulation;
  auto& host = simulation.add<Compute>("host", ComputeOptions{.speed = 1});
  Context& client = simulation.add_context("client");
  const auto run = [&ends](Context& self, Compute& on) -> Task<> {
    const OnExit guard(co_await this_process(), [&](ProcessStatus why) { ends.push_back(why); });
    co_await self.sleep(1s);
    co_await on.run({.flops = 100});
  };
  const auto mine = client.spawn(run(client, host));
  const auto other = client.spawn(run(client, host));
  host.host(mine);
  simulation.run_until(Instant{500ms});
  host.set_up(false);
  EXPECT_EQ(mine.status(), ProcessStatus::cancelled);
  EXPECT_EQ(ends, std::vector{ProcessStatus::cancelled});
  EXPECT_FALSE(other.done());
  const auto late = client.spawn(run(client, host));
  host.host(late);  // there is no host to run on
  simulation.run_until(Instant{600ms});
  EXPECT_EQ(late.status(), ProcessStatus::cancelled);
}

TEST(Host, AProcessMayTurnItsOwnHostOff) {
  Simulation simulation;
  auto& host = simulation.add<Compute>("host", ComputeOptions{.speed = 1});
  bool went_on = false;
  const auto process = host.spawn([](Compute& self, bool& past) -> Task<> {
    self.set_up(false);
    co_await self.sleep(1s);
    past = true;
  }(host, went_on));
  host.host(process);
  simulation.run();
  EXPECT_EQ(process.status(), ProcessStatus::cancelled);
  EXPECT_FALSE(went_on);
}

// 4 s idle at 10 W, 2 s with one of two cores at 20 W, 2 s with both at 30 W, 2 s off at 1 W.
TEST(Host, DrawsPowerByItsCores) {
  Simulation simulation;
  auto& host = simulation.add<Compute>(
      "host", ComputeOptions{.speed = 1, .cores = 2, .power = {.off = 1, .idle = 10, .full = 30}});
  simulation.run_until(Instant{4s});
  EXPECT_DOUBLE_EQ(host.energy(), 40);
  host.spawn(compute(host, 4));
  simulation.run_until(Instant{6s});
  host.spawn(compute(host, 2));
  simulation.run_until(Instant{8s});
  EXPECT_DOUBLE_EQ(host.energy(), 40 + 40 + 60);
  host.set_up(false);
  simulation.run_until(Instant{10s});
  EXPECT_DOUBLE_EQ(host.energy(), 140 + 2);
}

TEST(Host, IsMeasuredWithoutCodeInTheModel) {
  Simulation simulation;
  auto& host = simulation.add<Compute>("host", ComputeOptions{.speed = 1, .cores = 2});
  Statistics statistics(host);
  statistics.watch("host", host);
  host.spawn(compute(host, 2));
  host.spawn(compute(host, 4));
  simulation.run_until(Instant{8s});
  EXPECT_DOUBLE_EQ(statistics.level("host.utilisation").mean(), (2 * 2 + 2 * 1) / (2 * 8.0));
  EXPECT_DOUBLE_EQ(statistics.level("host.running").max(), 2);
  EXPECT_DOUBLE_EQ(statistics.tally("host.time").moments().mean(), 3);
}

// One read at a time: 10 s, 10 s.
TEST(DiskStatistics, TellQueueAndWait) {
  Simulation simulation;
  auto& disk =
      simulation.add<Disk>("disk", DiskOptions{.capacity = 1000,
                                               .read = {.bandwidth = 10, .operations_max = 1},
                                               .write = {.bandwidth = 10}});
  Statistics statistics(disk);
  statistics.watch("disk", disk);
  disk.start_read(100, disk.id());
  disk.start_read(100, disk.id());
  simulation.run_until(Instant{40s});
  EXPECT_DOUBLE_EQ(statistics.level("disk.read.utilisation").mean(), 0.5);
  EXPECT_DOUBLE_EQ(statistics.level("disk.read.queue").mean(), 0.25);
  EXPECT_DOUBLE_EQ(statistics.tally("disk.read.wait").moments().mean(), 5);
  EXPECT_EQ(statistics.tally("disk.write.wait").moments().count(), 0U);
}

TEST(NetworkStatistics, TellTransfers) {
  Simulation simulation;
  auto& network = simulation.add<Network>(
      "network", NetworkOptions{.model = std::make_unique<ConstantNetwork>(1s, 100.0)});
  Statistics statistics(network);
  statistics.watch("network", network);
  network.start_transfer(NodeId{0}, NodeId{1}, 100, network.id());
  simulation.run_until(Instant{4s});
  EXPECT_DOUBLE_EQ(statistics.level("network.busy").mean(), 0.5);
  EXPECT_DOUBLE_EQ(statistics.tally("network.time").moments().mean(), 2);
}

TEST(ChannelStatistics, TellHowManyAndHowLong) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Channel<int> channel(4);
  ASSERT_TRUE(channel.try_send(0));  // before anybody looks
  Statistics statistics(context);
  statistics.watch("requests", channel);
  ASSERT_TRUE(channel.try_send(1));
  simulation.run_until(Instant{2s});
  EXPECT_EQ(channel.try_receive(), 0);
  EXPECT_EQ(channel.try_receive(), 1);
  simulation.run_until(Instant{4s});
  EXPECT_DOUBLE_EQ(statistics.level("requests.queue").mean(), 1);
  EXPECT_DOUBLE_EQ(statistics.level("requests.utilisation").max(), 0.5);
  EXPECT_DOUBLE_EQ(statistics.tally("requests.wait").moments().mean(), 2);
  context.spawn([](Channel<int>& from) -> Task<> { co_await from.receive(); }(channel));
  simulation.run_until(Instant{5s});
  ASSERT_TRUE(channel.try_send(2));  // from hand to hand
  EXPECT_EQ(statistics.tally("requests.wait").moments().count(), 3U);
  EXPECT_DOUBLE_EQ(statistics.tally("requests.wait").moments().min(), 0);
}

// The leases that processes still have are given back when the simulation ends, after Statistics.
TEST(Statistics, MayEndBeforeWhatTheyWatch) {
  Resource cores(1);
  Channel<int> channel;
  Simulation simulation;
  auto& host = simulation.add<Compute>("host", ComputeOptions{.speed = 1});
  {
    Statistics statistics(host);
    statistics.watch("cores", cores);
    statistics.watch("channel", channel);
    statistics.watch("host", host);
    host.spawn([](Context& self, Resource& of) -> Task<> {
      const Lease lease = co_await of.acquire();
      co_await self.sleep(10s);
    }(host, cores));
    host.spawn(compute(host, 5));
    ASSERT_TRUE(channel.try_send(1));
    simulation.run_until(Instant{1s});
  }
  EXPECT_EQ(channel.try_receive(), 1);
  simulation.run_until(Instant{6s});
}

struct Ping {
  int number = 0;
};
struct Pong {};

struct Hearer : Component<Ping, Pong> {
  void on(const Ping& ping) {
    heard.push_back(ping.number);
    at.push_back(now());
  }
  void on(const Pong&) {
    heard.push_back(-1);
    at.push_back(now());
  }
  std::vector<int> heard;
  std::vector<Instant> at;
};

TEST(MessageRule, DropsDoublesAndDelaysWhatItChooses) {
  Simulation simulation;
  auto& network = simulation.add<Network>(
      "network", NetworkOptions{.model = std::make_unique<ConstantNetwork>(1s, 100.0)});
  Context& sender = simulation.add_context("sender");
  auto& hearer = simulation.add<Hearer>("hearer");
  network.place(sender.id(), NodeId{0});
  network.place(hearer.id(), NodeId{1});
  network.set_message_rule([&](const SentMessage& message) -> MessageFate {
    const auto* ping = message.payload_if<Ping>();
    if (ping == nullptr || message.dst != hearer.id()) return {};
    if (ping->number == 1) return {.lost = true};
    if (ping->number == 2) return {.copies = 1};
    return {.delay = 10s};
  });
  EXPECT_FALSE(network.send(sender.id(), Ping{1}, hearer.id()));
  EXPECT_TRUE(network.send(sender.id(), Ping{2}, hearer.id()));
  EXPECT_TRUE(network.send(sender.id(), Ping{3}, hearer.id()));
  EXPECT_TRUE(network.send(sender.id(), Pong{}, hearer.id()));
  simulation.run();
  EXPECT_EQ(hearer.heard, (std::vector{2, 2, -1, 3}));
  EXPECT_EQ(hearer.at.back(), Instant{11s});
  network.set_message_rule({});
  EXPECT_TRUE(network.send(sender.id(), Ping{1}, hearer.id()));
}

}  // namespace
}  // namespace artel::sim
