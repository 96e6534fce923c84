#include "artel/sim/platform/load_platform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/schema.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/sim/platform/detail/platform_schema.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using namespace std::chrono_literals;

Platform platform(std::string_view toml) {
  auto parsed = parse_platform(toml, "site.toml");
  if (!parsed) {
    for (const auto& error : parsed.error()) ADD_FAILURE() << to_string(error);
    return {};
  }
  return std::move(*parsed);
}

std::string errors_of(std::string_view toml) {
  const auto parsed = parse_platform(toml, "f");
  if (parsed) return "no error\n";
  std::string lines;
  for (const auto& error : parsed.error()) lines += to_string(error) + "\n";
  return lines;
}

Duration latency(Platform& site, std::string_view from, std::string_view to) {
  const auto route =
      site.topology.route(site.nodes.find(from)->second, site.nodes.find(to)->second);
  return route ? route->latency : kForever;
}

std::vector<LinkId> links(Platform& site, std::string_view from, std::string_view to) {
  const auto route =
      site.topology.route(site.nodes.find(from)->second, site.nodes.find(to)->second);
  if (!route) return {};
  return {route->links.begin(), route->links.end()};
}

constexpr std::string_view kTwoHosts = R"(
[[hosts]]
name = "master"
speed = "10Gf"
cores = 8
memory = "16GiB"
disks = [{ name = "ssd", mount = "/", capacity = "1TB", read = "500MBps", write = "2Gbps" }]
[[hosts]]
name = "worker"
speed = 1e9
)";

TEST(PlatformFile, ReadsHostsWithTheirUnits) {
  const Platform site = platform(kTwoHosts);
  ASSERT_THAT(site.hosts, SizeIs(2));
  const HostSpec& master = *site.find_host("master");
  EXPECT_EQ(master.speed, 10e9);
  EXPECT_EQ(master.cores, 8U);
  EXPECT_EQ(master.memory, std::uint64_t{16} << 30U);
  ASSERT_THAT(master.disks, SizeIs(1));
  EXPECT_EQ(master.disks[0].name, "ssd");
  EXPECT_EQ(master.disks[0].mount, "/");
  EXPECT_EQ(master.disks[0].capacity, 1'000'000'000'000U);
  EXPECT_EQ(master.disks[0].read, 500e6);
  EXPECT_EQ(master.disks[0].write, 250e6);
  const HostSpec& worker = *site.find_host("worker");
  EXPECT_EQ(worker.cores, 1U);
  EXPECT_EQ(worker.memory, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(site.host_at(worker.node), &worker);
  EXPECT_EQ(site.find_host("nobody"), nullptr);
}

TEST(PlatformFile, ConnectsNodesInBothDirections) {
  Platform site = platform(std::string(kTwoHosts) + R"(
[[links]]
name = "wire"
between = ["master", "worker"]
bandwidth = "1Gbps"
latency = "50us"
)");
  EXPECT_EQ(latency(site, "master", "worker"), 50us);
  const auto wire = site.links.find("wire")->second;
  EXPECT_THAT(links(site, "master", "worker"), ElementsAre(wire.there));
  EXPECT_THAT(links(site, "worker", "master"), ElementsAre(wire.back));
  EXPECT_NE(wire.there, wire.back);
  EXPECT_EQ(site.topology.link(wire.back).bandwidth, 125e6);
}

TEST(PlatformFile, HalfDuplexIsOneLink) {
  Platform site = platform(std::string(kTwoHosts) + R"(
[[links]]
between = ["master", "worker"]
bandwidth = 1e6
duplex = "half"
)");
  EXPECT_EQ(links(site, "master", "worker"), links(site, "worker", "master"));
}

TEST(PlatformFile, RoutesGoOverNamedLinksAndBackTheSameWay) {
  Platform site = platform(std::string(kTwoHosts) + R"(
[[links]]
name = "up"
bandwidth = 1e6
latency = "1ms"
duplex = "full"
[[links]]
name = "bus"
bandwidth = 1e6
latency = "2ms"
sharing = "fat_pipe"
[[routes]]
from = "master"
to = "worker"
links = ["up", "bus", "up:back"]
)");
  const auto up = site.links.find("up")->second;
  const auto bus = site.links.find("bus")->second;
  EXPECT_EQ(bus.there, bus.back);
  EXPECT_EQ(site.topology.link(bus.there).sharing, Sharing::fat_pipe);
  EXPECT_THAT(links(site, "master", "worker"), ElementsAre(up.there, bus.there, up.back));
  EXPECT_THAT(links(site, "worker", "master"), ElementsAre(up.there, bus.there, up.back));
  EXPECT_EQ(latency(site, "master", "worker"), 4ms);
}

TEST(PlatformFile, RoutesMayBeOneWay) {
  Platform site = platform(std::string(kTwoHosts) + R"(
[[links]]
name = "bus"
bandwidth = 1e6
[[routes]]
from = "master"
to = "worker"
links = ["bus"]
symmetric = false
)");
  EXPECT_EQ(latency(site, "master", "worker"), 0s);
  EXPECT_EQ(latency(site, "worker", "master"), kForever);
}

TEST(PlatformFile, ClustersAreConnectedByTheirSwitches) {
  Platform site = platform(R"(
switches = ["core"]
[[clusters]]
name = "a"
count = 3
speed = "1Gf"
cores = 4
bandwidth = "1Gbps"
latency = "10us"
[[clusters]]
name = "b"
prefix = "node"
count = 2
speed = "2Gf"
disks = [{ read = "1MBps", write = "1MBps" }]
bandwidth = "1Gbps"
latency = "20us"
[[links]]
between = ["a", "core"]
bandwidth = "10Gbps"
latency = "1us"
[[links]]
between = ["core", "b"]
bandwidth = "10Gbps"
latency = "2us"
)");
  ASSERT_THAT(site.hosts, SizeIs(5));
  EXPECT_EQ(site.find_host("a-2")->cores, 4U);
  EXPECT_THAT(site.find_host("node1")->disks, SizeIs(1));
  EXPECT_EQ(latency(site, "a-0", "a-2"), 20us);
  EXPECT_EQ(latency(site, "a-0", "node1"), 33us);
}

TEST(PlatformFile, BackbonesAreCrossedOnceInsideAndOnceOnTheWayOut) {
  Platform site = platform(R"(
[[clusters]]
name = "a"
count = 2
speed = "1Gf"
bandwidth = "1Gbps"
latency = "10us"
backbone = { bandwidth = "10Gbps", latency = "1us", sharing = "fat_pipe" }
[[hosts]]
name = "outside"
speed = "1Gf"
[[links]]
between = ["a", "outside"]
bandwidth = "1Gbps"
latency = "100us"
)");
  EXPECT_EQ(latency(site, "a-0", "a-1"), 21us);
  EXPECT_EQ(latency(site, "a-0", "outside"), 111us);
  EXPECT_EQ(latency(site, "outside", "a-1"), 111us);
  const auto route = links(site, "a-0", "a-1");
  ASSERT_THAT(route, SizeIs(3));
  EXPECT_EQ(site.topology.link(route[1]).sharing, Sharing::fat_pipe);
}

TEST(PlatformFile, FatTreesHaveThreeTiers) {
  Platform site = platform(R"(
[[clusters]]
name = "tree"
shape = "fat_tree"
ports = 4
speed = "1Gf"
bandwidth = "1Gbps"
latency = "1us"
)");
  ASSERT_THAT(site.hosts, SizeIs(16));                             // 4³/4
  EXPECT_EQ(site.topology.link_count(), 2U * (16 + 16 + 16 + 4));  // hosts, pods, cores, outside
  EXPECT_EQ(latency(site, "tree-0", "tree-1"), 2us);               // one edge switch
  EXPECT_EQ(latency(site, "tree-0", "tree-3"), 4us);               // one pod
  EXPECT_EQ(latency(site, "tree-0", "tree-15"), 6us);              // over a core switch
  EXPECT_EQ(latency(site, "tree-0", "tree"), 4us);
}

TEST(PlatformFile, TheSampleIsSound) {
  const auto site = load_platform(ARTEL_SOURCE_DIR "/scenarios/platforms/two-sites.toml");
  ASSERT_TRUE(site) << to_string(site.error().front());
  EXPECT_THAT(site->hosts, SizeIs(1 + 32 + 128));
}

TEST(PlatformErrors, AllAreReportedTogetherWithTheirPlaces) {
  EXPECT_EQ(errors_of("hosts = [{ name = 'a', speed = '1GHz' }]\n"
                      "[[links]]\n"
                      "between = ['a', 'aa']\n"
                      "bandwith = 1\n"
                      "latency = '5'\n"),
            "f:1:32: hosts.speed: found '1GHz', allowed: a speed above 0 (\"10Gf\", or a number of "
            "flop/s)\n"
            "f:3:17: unknown host, switch or cluster 'aa'; did you mean 'a'?\n"
            "f:4:1: links: unknown key 'bandwith' (did you mean 'bandwidth'?); allowed: name, "
            "between, bandwidth, latency, sharing, duplex\n"
            "f:5:11: links.latency: found '5', allowed: a duration from 0 to 10000 (\"250ms\", or "
            "a number of seconds)\n");
}

TEST(PlatformErrors, NamesAreUnique) {
  EXPECT_EQ(errors_of("switches = ['a']\n"
                      "hosts = [{ name = 'a', speed = 1 }, { name = 'a', speed = 1 }]\n"
                      "links = [{ name = 'x', bandwidth = 1 }, { name = 'x', bandwidth = 1 }]\n"),
            "f:1:13: there is a node 'a' already; names are unique\n"
            "f:2:46: there is a node 'a' already; names are unique\n"
            "f:3:50: links.name: there is a link 'x' already; names are unique\n");
}

TEST(PlatformErrors, Clusters) {
  const auto cluster = [](std::string_view keys) {
    return errors_of("[[clusters]]\nname = 'c'\nspeed = 1\nbandwidth = 1\n" + std::string(keys));
  };
  EXPECT_EQ(cluster(""),
            "f:1:1: clusters.count is missing; expected a whole number of at least 1\n");
  EXPECT_EQ(cluster("shape = 'ring'"),
            "f:5:9: clusters[]: unknown shape 'ring'; allowed: star, fat_tree\n");
  EXPECT_EQ(cluster("shape = 'fat_tree'\nports = 3"),
            "f:6:9: clusters.ports: found 3, allowed: an even number\n");
  EXPECT_EQ(cluster("shape = 'fat_tree'\nports = 4\ncount = 17"),
            "f:7:9: clusters.count: found 17, allowed: at most ports³/4, 16\n");
  EXPECT_EQ(cluster("count = 2\nports = 4"),
            "f:6:1: clusters: unknown key of star 'ports'; allowed: name, speed, cores, "
            "memory, disks, power, speeds, states, prefix, count, shape, bandwidth, latency, "
            "duplex, backbone\n");
}

TEST(PlatformErrors, Routes) {
  const auto route = [](std::string_view keys) {
    return errors_of(
        "hosts = [{ name = 'a', speed = 1 }]\nlinks = [{ name = 'wire', bandwidth = 1 "
        "}]\n[[routes]]\n" +
        std::string(keys));
  };
  EXPECT_EQ(route("from = 'a'\nto = 'a'\nlinks = ['wire']"),
            "f:5:6: routes.to: is where the route begins; inside a host no links are crossed\n");
  EXPECT_EQ(route("from = 'a'\nto = 'b'\nlinks = ['wires:back']"),
            "f:5:6: unknown host, switch or cluster 'b'; did you mean 'a'?\n"
            "f:6:10: unknown link 'wires'; did you mean 'wire'?\n");
}

TEST(PlatformErrors, FilesWithoutHostsAndWithoutSense) {
  EXPECT_EQ(errors_of(""), "f: there are no hosts; expected [[hosts]] or [[clusters]]\n");
  EXPECT_EQ(errors_of("[[links]]\nbandwidth = 1\n"),
            "f:1:1: links.between is missing; expected two nodes, or a name for routes to use\n");
  EXPECT_EQ(errors_of("hosts = 3"), "f:1:9: hosts: found 3, allowed: a list [ … ]\n");
  EXPECT_EQ(load_platform("/nonexistent/site.toml").error().front().what,
            "'/nonexistent/site.toml' does not exist");
}

TEST(PlatformSchema, EveryTableIsReachable) {
  for (const auto& row : detail::platform_schema().keys()) {
    if (row.table.empty()) continue;
    auto path = row.table;
    if (path.ends_with("[]")) path.remove_suffix(2);
    const auto dot = path.rfind('.');
    const auto table = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    const auto name = dot == std::string_view::npos ? path : path.substr(dot + 1);
    const auto* key = detail::platform_schema().find(table, name);
    if (key == nullptr) key = detail::platform_schema().find(std::string(table) + "[]", name);
    EXPECT_NE(key, nullptr) << row.table;
  }
}

}  // namespace
}  // namespace artel::sim
