#include "artel/sim/model/max_min.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <vector>

namespace artel::sim {
namespace {

using Path = std::vector<LinkId>;

// Link of 10, two flows: 10/2 each.
TEST(MaxMin, TwoFlowsShareALinkEqually) {
  MaxMin rates;
  const Path path{rates.add_link(10)};
  const FlowId a = rates.add_flow(path);
  const FlowId b = rates.add_flow(path);
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 5);
  EXPECT_DOUBLE_EQ(rates.rate(b), 5);
}

// a over both links, b over the first (6), c over the second (10). The first fills at 6/2 = 3:
// a = b = 3. The second then has 10 - 3 = 7 for c.
TEST(MaxMin, ThreeFlowsOverTwoLinks) {
  MaxMin rates;
  const LinkId narrow = rates.add_link(6);
  const LinkId wide = rates.add_link(10);
  const FlowId a = rates.add_flow(Path{narrow, wide});
  const FlowId b = rates.add_flow(Path{narrow});
  const FlowId c = rates.add_flow(Path{wide});
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 3);
  EXPECT_DOUBLE_EQ(rates.rate(b), 3);
  EXPECT_DOUBLE_EQ(rates.rate(c), 7);
  EXPECT_EQ(rates.bottleneck(a), narrow);
  EXPECT_EQ(rates.bottleneck(c), wide);
}

// As before; b leaves: the first link has room for 6, the second fills at 10/2 = 5: a = c = 5.
TEST(MaxMin, AFlowThatLeavesMovesABottleneck) {
  MaxMin rates;
  const LinkId narrow = rates.add_link(6);
  const LinkId wide = rates.add_link(10);
  const FlowId a = rates.add_flow(Path{narrow, wide});
  const FlowId b = rates.add_flow(Path{narrow});
  const FlowId c = rates.add_flow(Path{wide});
  rates.solve();
  rates.remove_flow(b);
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 5);
  EXPECT_DOUBLE_EQ(rates.rate(c), 5);
  EXPECT_EQ(rates.level(narrow), MaxMin::kNoLevel);
  ASSERT_EQ(rates.flows_moved().size(), 1U);
  EXPECT_EQ(rates.flows_moved()[0], a);
}

TEST(MaxMin, AFatPipeGivesEachItsWholeCapacity) {
  MaxMin rates;
  const LinkId backbone = rates.add_link(4, Sharing::fat_pipe);
  const LinkId access = rates.add_link(6);
  const FlowId a = rates.add_flow(Path{access, backbone});
  const FlowId b = rates.add_flow(Path{backbone});
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 4);
  EXPECT_DOUBLE_EQ(rates.rate(b), 4);
}

TEST(MaxMin, ALinkThatIsDownStopsItsFlowsAndLeavesTheRestToOthers) {
  MaxMin rates;
  const LinkId up = rates.add_link(6);
  const LinkId down = rates.add_link(6);
  const FlowId a = rates.add_flow(Path{up, down});
  const FlowId b = rates.add_flow(Path{up});
  rates.set_capacity(down, 0);
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 0);
  EXPECT_DOUBLE_EQ(rates.rate(b), 6);
  rates.set_capacity(down, 6);
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(a), 3);
  EXPECT_DOUBLE_EQ(rates.rate(b), 3);
}

TEST(MaxMin, AChangeReachesOnlyTheLinksItDisturbs) {
  MaxMin rates;
  const LinkId here = rates.add_link(10);
  const LinkId between = rates.add_link(1000);  // never full
  const LinkId there = rates.add_link(10);
  rates.add_flow(Path{here, between});
  const FlowId far = rates.add_flow(Path{there, between});
  rates.solve();
  rates.add_flow(Path{here, between});
  rates.solve();
  ASSERT_EQ(rates.links_changed().size(), 1U);
  EXPECT_EQ(rates.links_changed()[0], here);
  EXPECT_DOUBLE_EQ(rates.rate(far), 10);
}

TEST(MaxMinDeathTest, RefusesWhatMakesNoSense) {
  MaxMin rates;
  EXPECT_DEATH(rates.add_link(-1), "capacity is finite and not negative");
  EXPECT_DEATH(rates.add_flow(Path{}), "a path has 1 to 65535 links");
}

// Progressive filling from scratch, in the plainest way.
struct Reference {
  std::vector<double> capacities;
  std::vector<Sharing> sharings;
  std::map<FlowId, Path> flows;

  [[nodiscard]] std::map<FlowId, double> rates() const {
    std::vector<double> left = capacities;
    std::map<FlowId, double> settled;
    while (settled.size() < flows.size()) {
      std::size_t tightest = left.size();
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < left.size(); ++i) {
        const double open = count(settled, i);
        const double level = sharings[i] == Sharing::shared ? left[i] / open : left[i];
        if (open > 0 && level < least) {
          least = level;
          tightest = i;
        }
      }
      const auto before = settled;
      for (const auto& [flow, path] : flows) {
        if (before.contains(flow) || !crosses(path, tightest)) continue;
        settled[flow] = least;
        for (const LinkId link : path) {
          const auto i = static_cast<std::size_t>(link);
          if (sharings[i] == Sharing::shared) left[i] -= least;
        }
      }
    }
    return settled;
  }

 private:
  static bool crosses(const Path& path, std::size_t i) {
    return std::any_of(path.begin(), path.end(),
                       [i](LinkId link) { return static_cast<std::size_t>(link) == i; });
  }
  [[nodiscard]] double count(const std::map<FlowId, double>& settled, std::size_t i) const {
    double open = 0;
    for (const auto& [flow, path] : flows) {
      open += !settled.contains(flow) && crosses(path, i) ? 1 : 0;
    }
    return open;
  }
};

RC_GTEST_PROP(MaxMinProperty, IncrementalEqualsFromScratch, ()) {
  MaxMin rates;
  Reference reference;
  const auto link_count = *rc::gen::inRange<std::uint32_t>(1, 9);
  for (std::uint32_t i = 0; i < link_count; ++i) {
    const double capacity = *rc::gen::inRange(1, 100);
    const Sharing sharing =
        *rc::gen::weightedElement<Sharing>({{6, Sharing::shared}, {1, Sharing::fat_pipe}});
    rates.add_link(capacity, sharing);
    reference.capacities.push_back(capacity);
    reference.sharings.push_back(sharing);
  }
  for (int step = *rc::gen::inRange(1, 60); step > 0; --step) {
    for (int change = *rc::gen::inRange(1, 4); change > 0; --change) {
      const int what = *rc::gen::inRange(0, 10);
      if (what < 6 || reference.flows.empty()) {
        Path path;
        for (std::uint32_t i = 0; i < link_count; ++i) {
          if (*rc::gen::inRange(0, 3) == 0) path.push_back(LinkId{i});
        }
        if (path.empty()) path.push_back(LinkId{*rc::gen::inRange<std::uint32_t>(0, link_count)});
        reference.flows[rates.add_flow(path)] = path;
      } else if (what < 9) {
        auto victim = reference.flows.begin();
        std::advance(victim, *rc::gen::inRange<std::size_t>(0, reference.flows.size()));
        rates.remove_flow(victim->first);
        reference.flows.erase(victim);
      } else {
        const auto link = *rc::gen::inRange<std::uint32_t>(0, link_count);
        reference.capacities[link] = *rc::gen::inRange(0, 100);
        rates.set_capacity(LinkId{link}, reference.capacities[link]);
      }
    }
    rates.solve();
    for (const auto& [flow, rate] : reference.rates()) {
      RC_ASSERT(std::abs(rates.rate(flow) - rate) <= 1e-9 * std::max(1.0, rate));
    }
  }
}

}  // namespace
}  // namespace artel::sim
