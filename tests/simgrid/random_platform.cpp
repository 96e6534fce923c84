#include "tests/simgrid/random_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "tests/simgrid/workload.hpp"

namespace artel::sim::simgrid_check {
namespace {

std::uint32_t from_to(random::Stream& dice, std::uint32_t low, std::uint32_t high) {
  return low + static_cast<std::uint32_t>(dice.below(high - low + 1));
}

bool chance(random::Stream& dice, unsigned percent) { return dice.below(100) < percent; }

// Bytes per second, 1 MB/s to 1 GB/s.
std::string bandwidth(random::Stream& dice) {
  return fmt::format("{:.3f}Bps", std::exp(std::log(1e6) + dice.uniform() * std::log(1e3)));
}

std::string_view policy(random::Stream& dice) {
  constexpr std::string_view kPolicies[] = {"SHARED", "FATPIPE", "SPLITDUPLEX"};
  return kPolicies[dice.below(3)];
}

std::string link(std::string_view id, std::string_view bytes_per_s, Duration latency,
                 std::string_view sharing) {
  return fmt::format("<link id=\"{}\" bandwidth=\"{}\" latency=\"{}us\" sharing_policy=\"{}\"/>\n",
                     id, bytes_per_s, latency / std::chrono::microseconds(1), sharing);
}

std::string link_ctn(std::string_view id, std::string_view sharing, std::string_view direction) {
  if (sharing != "SPLITDUPLEX") return fmt::format("<link_ctn id=\"{}\"/>", id);
  return fmt::format("<link_ctn id=\"{}\" direction=\"{}\"/>", id, direction);
}

struct NamedLink {
  std::string id;
  std::string_view sharing;
};

// Hosts with a link of their own, all of one latency, so that all routes have twice that.
class Builder {
 public:
  explicit Builder(random::Stream& dice)
      : dice_(dice), own_latency_(std::chrono::microseconds(from_to(dice, 0, 1000))) {
    platform_.latency = 2 * own_latency_;
  }

  RandomPlatform full() {
    line("<zone id=\"all\" routing=\"Full\">\n");
    const std::vector<NamedLink> own = add_hosts(from_to(dice_, 3, 10), "h");
    std::vector<NamedLink> core;
    const std::uint32_t links = from_to(dice_, 1, 6);
    for (std::uint32_t i = 0; i < links; ++i) core.push_back(add_link(fmt::format("core{}", i)));
    for (std::size_t a = 0; a < own.size(); ++a) {
      for (std::size_t b = a + 1; b < own.size(); ++b) {
        const bool symmetrical = chance(dice_, 70);
        line(route(a, b, own, core, symmetrical));
        if (!symmetrical) line(route(b, a, own, core, false));
      }
    }
    line("</zone>\n");
    return finish();
  }

  RandomPlatform clusters() {
    const bool table = chance(dice_, 50);
    line(fmt::format("<zone id=\"all\" routing=\"{}\">\n",
                     table ? "Full" : (chance(dice_, 50) ? "Floyd" : "Dijkstra")));
    const std::uint32_t count = from_to(dice_, 2, 4);
    for (std::uint32_t i = 0; i < count; ++i) add_cluster(i);
    std::string routes;  // must come last
    for (std::uint32_t i = 0; i < count; ++i) {
      for (std::uint32_t j = i + 1; j < (table ? count : std::min(count, i + 2)); ++j) {
        const NamedLink wan = add_link(fmt::format("wan{}-{}", i, j));
        routes += fmt::format(
            "<zoneRoute src=\"c{0}\" dst=\"c{1}\" gw_src=\"gate{0}\" gw_dst=\"gate{1}\">{2}"
            "</zoneRoute>\n",
            i, j, link_ctn(wan.id, wan.sharing, "UP"));
      }
    }
    line(routes);
    line("</zone>\n");
    return finish();
  }

  RandomPlatform tree() {
    line("<zone id=\"all\" routing=\"Full\">\n");
    add_tree("west");
    add_tree("east");
    const NamedLink wan = add_link("wan");
    line(
        fmt::format("<zoneRoute src=\"west\" dst=\"east\" gw_src=\"west-r0\" gw_dst=\"east-r0\">{}"
                    "</zoneRoute>\n",
                    link_ctn(wan.id, wan.sharing, "DOWN")));
    line("</zone>\n");
    return finish();
  }

  RandomPlatform uncontended() {
    line("<zone id=\"all\" routing=\"Full\">\n");
    const std::uint32_t count = from_to(dice_, 4, 12);
    std::vector<NamedLink> own;
    for (std::uint32_t i = 0; i < count; ++i) {
      add_host(fmt::format("h{}", i));
      own.push_back({fmt::format("own{}", i), "SPLITDUPLEX"});
      line(link(own.back().id, bandwidth(dice_), std::chrono::microseconds(from_to(dice_, 0, 5000)),
                "SPLITDUPLEX"));
    }
    line(link("core", "1TBps", std::chrono::microseconds(from_to(dice_, 0, 5000)), "FATPIPE"));
    for (std::size_t a = 0; a < own.size(); ++a) {
      for (std::size_t b = a + 1; b < own.size(); ++b) {
        line(route(a, b, own, {{"core", "FATPIPE"}}, true));
      }
    }
    line("</zone>\n");
    return finish();
  }

 private:
  void line(std::string_view text) { body_ += text; }

  RandomPlatform finish() {
    platform_.xml = simgrid_document(body_);
    return std::move(platform_);
  }

  void add_host(const std::string& name) {
    line(fmt::format("<host id=\"{}\" speed=\"1Gf\"/>\n", name));
    platform_.hosts.push_back(name);
  }

  std::vector<NamedLink> add_hosts(std::uint32_t count, std::string_view prefix) {
    std::vector<NamedLink> own;
    for (std::uint32_t i = 0; i < count; ++i) {
      add_host(fmt::format("{}{}", prefix, i));
      own.push_back({fmt::format("{}{}-own", prefix, i), policy(dice_)});
      line(link(own.back().id, bandwidth(dice_), own_latency_, own.back().sharing));
    }
    return own;
  }

  // Without latency.
  NamedLink add_link(std::string id) {
    const std::string_view sharing = policy(dice_);
    line(link(id, bandwidth(dice_), {}, sharing));
    return {std::move(id), sharing};
  }

  std::string route(std::size_t a, std::size_t b, const std::vector<NamedLink>& own,
                    const std::vector<NamedLink>& core, bool symmetrical) {
    const auto direction = [this] { return chance(dice_, 50) ? "UP" : "DOWN"; };
    std::string links = link_ctn(own[a].id, own[a].sharing, "UP");
    for (const NamedLink& passed : core) {
      if (core.size() > 1 && chance(dice_, 50)) continue;
      links += link_ctn(passed.id, passed.sharing, direction());
    }
    links += link_ctn(own[b].id, own[b].sharing, "DOWN");
    return fmt::format("<route src=\"{}\" dst=\"{}\" symmetrical=\"{}\">{}</route>\n",
                       platform_.hosts[a], platform_.hosts[b], symmetrical ? "YES" : "NO", links);
  }

  void add_cluster(std::uint32_t number) {
    const std::uint32_t hosts = from_to(dice_, 2, 6);
    std::string backbone;
    if (chance(dice_, 70)) {
      backbone = fmt::format(" bb_bw=\"{}\" bb_lat=\"0\" bb_sharing_policy=\"{}\"",
                             bandwidth(dice_), chance(dice_, 50) ? "SHARED" : "FATPIPE");
    }
    line(fmt::format(
        "<cluster id=\"c{0}\" prefix=\"c{0}-\" suffix=\"\" radical=\"0-{1}\" "
        "speed=\"1Gf\" bw=\"{2}\" lat=\"{3}us\" sharing_policy=\"{4}\" "
        "router_id=\"gate{0}\"{5}/>\n",
        number, hosts - 1, bandwidth(dice_), own_latency_ / std::chrono::microseconds(1),
        chance(dice_, 50) ? "SHARED" : "SPLITDUPLEX", backbone));
    for (std::uint32_t i = 0; i < hosts; ++i) {
      platform_.hosts.push_back(fmt::format("c{}-{}", number, i));
    }
  }

  // Routers in a tree, and hosts at them.
  void add_tree(std::string_view zone) {
    line(fmt::format("<zone id=\"{}\" routing=\"{}\">\n", zone,
                     chance(dice_, 50) ? "Floyd" : "Dijkstra"));
    const std::uint32_t routers = from_to(dice_, 1, 5);
    std::string routes;
    for (std::uint32_t i = 0; i < routers; ++i) {
      line(fmt::format("<router id=\"{}-r{}\"/>\n", zone, i));
      if (i == 0) continue;
      const NamedLink up = add_link(fmt::format("{}-l{}", zone, i));
      routes += fmt::format("<route src=\"{0}-r{1}\" dst=\"{0}-r{2}\">{3}</route>\n", zone, i,
                            from_to(dice_, 0, i - 1), link_ctn(up.id, up.sharing, "UP"));
    }
    const std::size_t first = platform_.hosts.size();
    const std::vector<NamedLink> own = add_hosts(from_to(dice_, 2, 6), fmt::format("{}-h", zone));
    for (std::size_t i = 0; i < own.size(); ++i) {
      routes += fmt::format("<route src=\"{}\" dst=\"{}-r{}\">{}</route>\n",
                            platform_.hosts[first + i], zone, from_to(dice_, 0, routers - 1),
                            link_ctn(own[i].id, own[i].sharing, "UP"));
    }
    line(routes);
    line("</zone>\n");
  }

  random::Stream& dice_;
  Duration own_latency_;
  RandomPlatform platform_;
  std::string body_;
};

}  // namespace

std::string simgrid_document(std::string_view inside) {
  return fmt::format(
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n{}</platform>\n",
      inside);
}

RandomPlatform random_platform(Shape shape, random::Stream& dice) {
  Builder builder(dice);
  switch (shape) {
    case Shape::full:
      return builder.full();
    case Shape::clusters:
      return builder.clusters();
    case Shape::tree:
      return builder.tree();
  }
  return {};
}

RandomPlatform random_uncontended_platform(random::Stream& dice) {
  return Builder(dice).uncontended();
}

std::vector<TransferPlan> random_transfers(const RandomPlatform& platform, std::uint32_t count,
                                           Duration within, random::Stream& dice) {
  std::vector<TransferPlan> plan;
  const auto hosts = static_cast<std::uint32_t>(platform.hosts.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t from = from_to(dice, 0, hosts - 1);
    const std::uint32_t to = (from + from_to(dice, 1, hosts - 1)) % hosts;
    const auto milliseconds = static_cast<std::uint32_t>(within / std::chrono::milliseconds(1));
    constexpr std::uint32_t kLeast = 10'000'000;
    constexpr std::uint32_t kMost = 1'000'000'000;
    plan.push_back({.start = std::chrono::milliseconds(from_to(dice, 0, milliseconds)),
                    .from = platform.hosts[from],
                    .to = platform.hosts[to],
                    .bytes = from_to(dice, kLeast, kMost)});
  }
  return plan;
}

}  // namespace artel::sim::simgrid_check
