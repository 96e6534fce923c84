#include "artel/sim/platform/parse_simgrid_platform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using namespace std::chrono_literals;

std::string document(std::string_view zone) {
  return "<?xml version='1.0'?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         std::string(zone) + "</platform>\n";
}

Platform platform(std::string_view zone) {
  auto parsed = parse_simgrid_platform(document(zone), "site.xml");
  if (!parsed) {
    for (const auto& error : parsed.error()) ADD_FAILURE() << to_string(error);
    return {};
  }
  return std::move(*parsed);
}

std::string errors_of(std::string_view zone) {
  const auto parsed = parse_simgrid_platform(document(zone), "f");
  if (parsed) return "no error\n";
  std::string lines;
  for (const auto& error : parsed.error()) lines += to_string(error) + "\n";
  return lines;
}

// The latency tells which links were crossed: each has its own power of two, in microseconds.
Duration latency(Platform& site, std::string_view from, std::string_view to) {
  const auto route =
      site.topology.route(site.nodes.find(from)->second, site.nodes.find(to)->second);
  return route ? route->latency : kForever;
}

TEST(SimgridFile, ReadsHostsAndDisks) {
  const Platform site = platform(R"(<zone id="all" routing="Full">
    <host id="a" speed="10Gf" core="4">
      <prop id="colour" value="red"/>
      <disk id="d" read_bw="200MBps" write_bw="100MBps">
        <prop id="size" value="500GiB"/><prop id="mount" value="/scratch"/>
      </disk>
    </host>
    <host id="b" speed="98.095Mf"/>
  </zone>)");
  const HostSpec& a = *site.find_host("a");
  EXPECT_EQ(a.speed, 10e9);
  EXPECT_EQ(a.cores, 4U);
  ASSERT_THAT(a.disks, SizeIs(1));
  EXPECT_EQ(a.disks[0].read, 200e6);
  EXPECT_EQ(a.disks[0].capacity, 500ULL << 30U);
  EXPECT_EQ(a.disks[0].mount, "/scratch");
  EXPECT_EQ(site.find_host("b")->speed, 98.095e6);
}

TEST(SimgridFile, RoutesAreTurnedAround) {
  Platform site = platform(R"(<zone id="all" routing="Full">
    <host id="a" speed="1f"/><host id="b" speed="1f"/>
    <link id="shared" bandwidth="1MBps" latency="1us"/>
    <link id="fat" bandwidth="1MBps" latency="2us" sharing_policy="FATPIPE"/>
    <link id="split" bandwidth="1MBps" latency="4us" sharing_policy="SPLITDUPLEX"/>
    <route src="a" dst="b">
      <link_ctn id="shared"/><link_ctn id="fat"/><link_ctn id="split" direction="UP"/>
    </route>
  </zone>)");
  EXPECT_EQ(latency(site, "a", "b"), 7us);
  const auto shared = site.links.find("shared")->second;
  const auto fat = site.links.find("fat")->second;
  const auto split = site.links.find("split")->second;
  EXPECT_EQ(site.topology.link(fat.there).sharing, Sharing::fat_pipe);
  // NOLINTBEGIN(bugprone-unchecked-optional-access): a route that the file gives
  EXPECT_THAT(site.topology.route(NodeId{0}, NodeId{1})->links,
              ElementsAre(shared.there, fat.there, split.there));
  EXPECT_THAT(site.topology.route(NodeId{1}, NodeId{0})->links,
              ElementsAre(split.back, fat.there, shared.there));
  // NOLINTEND(bugprone-unchecked-optional-access)
}

TEST(SimgridFile, UnsymmetricalRoutesAreOneWay) {
  Platform site = platform(R"(<zone id="all" routing="Full">
    <host id="a" speed="1f"/><host id="b" speed="1f"/>
    <link id="l" bandwidth="1MBps" latency="1us"/>
    <route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/></route>
  </zone>)");
  EXPECT_EQ(latency(site, "a", "b"), 1us);
  EXPECT_EQ(latency(site, "b", "a"), kForever);
}

TEST(SimgridFile, ClustersHavePrivateLinksAndABackbone) {
  Platform site = platform(R"(<zone id="all" routing="Full">
    <cluster id="c" prefix="n" suffix=".org" radical="0-2,7" speed="2Gf" core="3" bw="1Gbps"
             lat="1us" bb_bw="10Gbps" bb_lat="2us" router_id="gate"/>
    <cluster id="d" prefix="m" radical="5" speed="1Gf" bw="1Gbps" lat="4us"/>
    <link id="wan" bandwidth="1Gbps" latency="8us"/>
    <zoneRoute src="c" dst="d" gw_src="gate" gw_dst="md_router"><link_ctn id="wan"/></zoneRoute>
  </zone>)");
  ASSERT_THAT(site.hosts, SizeIs(5));
  EXPECT_EQ(site.find_host("n7.org")->cores, 3U);
  EXPECT_EQ(latency(site, "n0.org", "n7.org"), 4us);  // own, backbone, own
  EXPECT_EQ(latency(site, "n0.org", "gate"), 3us);    // own, backbone
  EXPECT_EQ(latency(site, "n0.org", "m5"), 15us);     // … wan, own
  EXPECT_EQ(latency(site, "m5", "n1.org"), 15us);
}

TEST(SimgridFile, ShortestPathZonesChainRoutesThroughZonesOnTheWay) {
  Platform site = platform(R"(<zone id="all" routing="Floyd">
    <zone id="west" routing="Full"><host id="w" speed="1f"/></zone>
    <zone id="middle" routing="Dijkstra">
      <router id="in"/><router id="out"/>
      <link id="inside" bandwidth="1MBps" latency="1us"/>
      <route src="in" dst="out"><link_ctn id="inside"/></route>
    </zone>
    <zone id="east" routing="Full"><host id="e" speed="1f"/></zone>
    <link id="wm" bandwidth="1MBps" latency="2us"/>
    <link id="me" bandwidth="1MBps" latency="4us"/>
    <zoneRoute src="west" dst="middle" gw_src="w" gw_dst="in"><link_ctn id="wm"/></zoneRoute>
    <zoneRoute src="middle" dst="east" gw_src="out" gw_dst="e"><link_ctn id="me"/></zoneRoute>
  </zone>)");
  EXPECT_EQ(latency(site, "w", "e"), 7us);
  EXPECT_EQ(latency(site, "e", "in"), 5us);
}

TEST(SimgridErrors, AllAreReportedTogetherWithTheirPlaces) {
  EXPECT_EQ(errors_of("<zone id='z' routing='Ful'>\n"
                      "  <host id='a' speed='1GHz' pstate='x'/>\n"
                      "  <peer id='p'/>\n"
                      "  <link id='l' bandwidth='1MBps' sharing_policy='WIFI'/>\n"
                      "  <route src='a' dst='b'><link_ctn id='k'/></route>\n"
                      "</zone>"),
            "f:4:1: <zone>: unknown routing 'Ful' (did you mean 'Full'?); allowed: Full, Floyd, "
            "Dijkstra, DijkstraCache, None\n"
            "f:5:3: <host>: unknown attribute 'pstate'; allowed: id, speed, core, coordinates, "
            "speed_file, availability_file, state_file\n"
            "f:5:3: <host>: speed: found '1GHz', allowed: one speed above 0, like \"10Gf\"\n"
            "f:6:3: <peer>: unknown element of <zone> 'peer'; allowed: host, router, link, route, "
            "zoneRoute, cluster, zone, prop\n"
            "f:7:3: <link>: unknown sharing_policy 'WIFI'; allowed: SHARED, FATPIPE, SPLITDUPLEX\n"
            "f:8:3: <route>: dst: unknown host or router 'b'; did you mean 'a'?\n"
            "f:8:26: <link_ctn>: id: unknown link 'k'; did you mean 'l'?\n");
}

TEST(SimgridErrors, RoutesStayInTheirZones) {
  EXPECT_EQ(errors_of("<zone id='z' routing='Full'>\n"
                      "<host id='a' speed='1f'/>\n"
                      "<zone id='y' routing='Full'><host id='b' speed='1f'/></zone>\n"
                      "<link id='l' bandwidth='1MBps'/>\n"
                      "<route src='a' dst='b'><link_ctn id='l'/></route>\n"
                      "<zoneRoute src='y' dst='y' gw_src='a' gw_dst='b'/>\n"
                      "<route src='a' dst='a'/>\n"
                      "<zoneRoute src='z' dst='y' gw_src='a' gw_dst='b'/>\n"
                      "</zone>"),
            "f:8:1: <route>: dst: 'b' is not of the zone that the route is in\n"
            "f:9:1: <zoneRoute>: gw_src: 'a' is not in the zone 'y'\n"
            "f:10:1: <route>: leads back to where it begins\n"
            "f:11:1: <zoneRoute>: src: the outermost zone has no routes to it\n");
}

TEST(SimgridErrors, DirectionsOfSplitLinksAreNeeded) {
  EXPECT_EQ(errors_of("<zone id='z' routing='Full'>\n"
                      "<host id='a' speed='1f'/><host id='b' speed='1f'/>\n"
                      "<link id='l' bandwidth='1MBps' sharing_policy='SPLITDUPLEX'/>\n"
                      "<route src='a' dst='b'><link_ctn id='l'/></route>\n"
                      "<route src='b' dst='a'/>\n"
                      "</zone>"),
            "f:7:24: <link_ctn>: direction is missing; a SPLITDUPLEX link is crossed UP or DOWN\n"
            "f:8:1: <route>: there is such a route already\n");
}

TEST(SimgridErrors, Clusters) {
  EXPECT_EQ(errors_of("<zone id='z' routing='None'>\n"
                      "<cluster id='c' radical='3-1' speed='1f' bw='1Bps' topology='TORUS'/>\n"
                      "</zone>"),
            "f:5:1: <cluster>: unknown topology 'TORUS'; allowed: FLAT\n"
            "f:5:1: <cluster>: radical: found '3-1', allowed: numbers and ranges, like \"0-9,11\", "
            "of at most 1000000 hosts\n");
}

TEST(SimgridErrors, CountsAreSaidWithBothEnds) {
  EXPECT_EQ(errors_of("<zone id='z' routing='None'>\n"
                      "<host id='a' speed='1f' core='4294967296'/>\n"
                      "</zone>"),
            "f:5:1: <host>: core: found '4294967296', allowed: a whole number from 1 to "
            "4294967295\n");
}

TEST(SimgridErrors, OtherFiles) {
  const auto what = [](std::string_view text) {
    return to_string(parse_simgrid_platform(text, "f").error().front());
  };
  EXPECT_EQ(what("<platform version='4.1'>\n<zone"),
            "f:2:5: not XML: Error parsing start element tag");
  EXPECT_EQ(what("<scenario/>"), "f:1:1: <scenario>: expected <platform version=\"4.1\">");
  EXPECT_EQ(what("<platform version='3'/>"),
            "f:1:1: <platform>: unknown version '3'; allowed: 4.1");
  std::string nested = "<platform version='4.1'>";
  for (int i = 0; i < 100; ++i) nested += "<zone id='" + std::to_string(i) + "' routing='Full'>";
  for (int i = 0; i < 100; ++i) nested += "</zone>";
  const auto deep = parse_simgrid_platform(nested + "</platform>", "f");
  EXPECT_EQ(deep.error().front().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace artel::sim
