#include "artel/sim/model/flow_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/max_min.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

using Path = std::vector<LinkId>;

constexpr Instant at(Duration time) { return Instant{time}; }

std::map<FlowId, Instant> run(FlowSet& flows) {
  std::map<FlowId, Instant> ends;
  while (flows.next_end() != kNever) {
    const Instant now = flows.next_end();
    while (const auto ended = flows.take_ended(now)) ends[*ended] = now;
  }
  return ends;
}

// Link of 10: 50 and 100 at 5/s each; the first ends at 10 s, the second has 50 left at 10/s: 15 s.
TEST(FlowSet, AFlowThatEndsSpeedsUpTheOther) {
  FlowSet flows;
  const Path path{flows.add_link(10)};
  const FlowId a = flows.start(at(0s), path, 50);
  const FlowId b = flows.start(at(0s), path, 100);
  EXPECT_EQ(run(flows), (std::map<FlowId, Instant>{{a, at(10s)}, {b, at(15s)}}));
}

// Links of 6 and 10. a (30) over both, b (30) over the first, c (140) over the second: rates 3,
// 3, 7. a and b end at 10 s, when c has 70 left: at 10/s until 17 s.
TEST(FlowSet, ThreeFlowsOverTwoLinks) {
  FlowSet flows;
  const LinkId narrow = flows.add_link(6);
  const LinkId wide = flows.add_link(10);
  const FlowId a = flows.start(at(0s), Path{narrow, wide}, 30);
  const FlowId b = flows.start(at(0s), Path{narrow}, 30);
  const FlowId c = flows.start(at(0s), Path{wide}, 140);
  EXPECT_EQ(run(flows), (std::map<FlowId, Instant>{{a, at(10s)}, {b, at(10s)}, {c, at(17s)}}));
}

// The same, but b (15) ends at 5 s: a and c then at 5/s each, with a's bottleneck moved. a has 15
// of 30 left: 8 s. c has 140 - 35 - 15 = 90 left at 10/s: 17 s.
TEST(FlowSet, ABottleneckThatMovesKeepsWhatIsDone) {
  FlowSet flows;
  const LinkId narrow = flows.add_link(6);
  const LinkId wide = flows.add_link(10);
  const FlowId a = flows.start(at(0s), Path{narrow, wide}, 30);
  const FlowId b = flows.start(at(0s), Path{narrow}, 15);
  const FlowId c = flows.start(at(0s), Path{wide}, 140);
  EXPECT_EQ(run(flows), (std::map<FlowId, Instant>{{a, at(8s)}, {b, at(5s)}, {c, at(17s)}}));
}

// 100 at 10/s; down from 4 s to 9 s: 60 left then, 6 s more: 15 s.
TEST(FlowSet, ALinkThatGoesDownHoldsItsFlows) {
  FlowSet flows;
  const LinkId link = flows.add_link(10);
  const FlowId a = flows.start(at(0s), Path{link}, 100);
  flows.set_capacity(at(4s), link, 0);
  EXPECT_EQ(flows.next_end(), kNever);
  EXPECT_DOUBLE_EQ(flows.left(at(8s), a), 60);
  flows.set_capacity(at(9s), link, 10);
  EXPECT_EQ(flows.next_end(), at(15s));
}

TEST(FlowSet, RemovingTellsTheVolumeLeft) {
  FlowSet flows;
  const Path path{flows.add_link(10)};
  const FlowId a = flows.start(at(0s), path, 100);
  const FlowId b = flows.start(at(0s), path, 100);
  EXPECT_DOUBLE_EQ(flows.rate(a), 5);
  EXPECT_DOUBLE_EQ(flows.remove(at(4s), a), 80);
  EXPECT_DOUBLE_EQ(flows.rate(b), 10);
  EXPECT_EQ(flows.next_end(), at(12s));
}

TEST(FlowSet, WhatEndsAtTheInstantOfAChangeStillEnds) {
  FlowSet flows;
  const Path path{flows.add_link(10)};
  const FlowId a = flows.start(at(0s), path, 100);
  flows.start(at(10s), path, 100);
  EXPECT_EQ(flows.next_end(), at(10s));
  EXPECT_EQ(flows.take_ended(at(10s)), a);
  EXPECT_EQ(flows.next_end(), at(20s));
}

// Every volume is what its rate, as MaxMin gives it from scratch, adds up to.
RC_GTEST_PROP(FlowSetProperty, VolumesAreTheIntegralsOfFairRates, ()) {
  FlowSet flows;
  std::vector<double> capacities;
  const auto link_count = *rc::gen::inRange<std::uint32_t>(1, 6);
  for (std::uint32_t i = 0; i < link_count; ++i) {
    capacities.push_back(*rc::gen::inRange(1, 20));
    flows.add_link(capacities.back());
  }
  struct Flow {
    Path path;
    double left;
  };
  std::map<FlowId, Flow> going;
  Instant now{};
  const auto progress = [&](Instant to) {
    MaxMin rates;
    for (const double capacity : capacities) rates.add_link(capacity);
    std::map<FlowId, FlowId> same;
    for (const auto& [id, flow] : going) same[id] = rates.add_flow(flow.path);
    rates.solve();
    for (auto& [id, flow] : going) flow.left -= rates.rate(same[id]) * to_seconds(to - now);
    now = to;
  };
  for (int step = *rc::gen::inRange(1, 40); step > 0; --step) {
    const Instant target = later(now, Duration{*rc::gen::inRange(0, 2'000'000'000)});
    while (flows.next_end() <= target) {
      progress(flows.next_end());
      while (const auto ended = flows.take_ended(now)) {
        RC_ASSERT(std::abs(going.at(*ended).left) < 1e-6);
        going.erase(*ended);
      }
    }
    progress(target);
    const int what = *rc::gen::inRange(0, 10);
    if (what < 7 || going.empty()) {
      Path path;
      for (std::uint32_t i = 0; i < link_count; ++i) {
        if (*rc::gen::inRange(0, 3) == 0) path.push_back(LinkId{i});
      }
      if (path.empty()) path.push_back(LinkId{*rc::gen::inRange<std::uint32_t>(0, link_count)});
      const double volume = *rc::gen::inRange(0, 50);
      const FlowId id = flows.start(now, path, volume);
      going[id] = {path, volume};
    } else if (what < 9) {
      auto victim = going.begin();
      std::advance(victim, *rc::gen::inRange<std::size_t>(0, going.size()));
      RC_ASSERT(std::abs(flows.remove(now, victim->first) - victim->second.left) < 1e-6);
      going.erase(victim);
    } else {
      const auto link = *rc::gen::inRange<std::uint32_t>(0, link_count);
      capacities[link] = *rc::gen::inRange(0, 20);
      flows.set_capacity(now, LinkId{link}, capacities[link]);
    }
  }
}

}  // namespace
}  // namespace artel::sim
