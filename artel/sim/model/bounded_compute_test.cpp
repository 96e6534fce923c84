// Weights and bounds of computations: equations first, as everywhere in the models.

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "tests/sim/computation_watcher.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

/// When each of these computations ends, those with `after` begin later.
struct Given {
  Computation computation;
  Duration after{};
};

struct BoundedCompute : testing::Test {
  std::vector<Duration> ends(const ComputeOptions& options, const std::vector<Given>& all) {
    Simulation simulation;
    auto& compute = simulation.add<Compute>("compute", options);
    auto& watcher = simulation.add<ComputationWatcher>("watcher");
    std::vector<OperationId> ids;
    for (const Given& one : all) {
      simulation.run_until(Instant{one.after});
      ids.push_back(compute.start_run(one.computation, watcher.id()));
    }
    simulation.run();
    joules = compute.energy();
    std::vector<Duration> ends;
    for (const OperationId id : ids) {
      for (const auto& entry : watcher.entries) {
        if (entry.what == "finished" && entry.operation == id) ends.push_back(entry.at);
      }
    }
    return ends;
  }
  double joules = 0;
};
using Ends = std::vector<Duration>;

// One core of 12 flops/s, weights 1 and 2: 4 and 8. The second ends at 40/8 = 5 s; the first has
// 40 - 20 = 20 left, now at 12: 5 + 20/12 s.
TEST_F(BoundedCompute, ACoreIsSharedInProportionToTheWeights) {
  EXPECT_EQ(ends({.speed = 12, .use = Cores::time_shared},
                 {{{.flops = 40}}, {{.flops = 40, .weight = 2}}}),
            (Ends{5s + from_seconds(20.0 / 12), 5s}));
}

// One core of 10 flops/s, one bounded by 2: 2 and 8. 40/8 = 5 s; the bounded one goes on at 2,
// though the core is its own: 20/2 = 10 s.
TEST_F(BoundedCompute, WhatABoundedOneLeavesOverGoesToTheOthers) {
  EXPECT_EQ(ends({.speed = 10, .use = Cores::time_shared},
                 {{{.flops = 20, .bound = 2}}, {{.flops = 40}}}),
            (Ends{10s, 5s}));
}

// Two cores of 10: weights 3, 1, 1 would give 12, 4, 4, but nobody has more than one core: 10, and
// the others share the other core, 5 each.
TEST_F(BoundedCompute, NoWeightGivesMoreThanOneCore) {
  EXPECT_EQ(ends({.speed = 10, .cores = 2, .use = Cores::time_shared},
                 {{{.flops = 100, .weight = 3}}, {{.flops = 50}}, {{.flops = 50}}}),
            (Ends{10s, 10s, 10s}));
}

// One core of 12. λ rises: the second is at its bound of 1 first (λ = 1/2, weight 2), then the
// third at 3 (λ = 3), the first gets the rest, 12 - 1 - 3 = 8. 80/8 = 10 s; 10/1; 30/3.
TEST_F(BoundedCompute, BoundsAreReachedOneAfterTheOther) {
  EXPECT_EQ(
      ends({.speed = 12, .use = Cores::time_shared}, {{{.flops = 80}},
                                                      {{.flops = 10, .weight = 2, .bound = 1}},
                                                      {{.flops = 30, .weight = 1, .bound = 3}}}),
      (Ends{10s, 10s, 10s}));
}

// 100 flops alone at 10: 50 left at 5 s. Then 8 beside one bounded by 2: 50/8 = 6.25 s; the bounded
// one has 20 - 12.5 = 7.5 left, at 2: it takes 10 s in all.
TEST_F(BoundedCompute, OneThatComesLaterChangesThoseThatRun) {
  EXPECT_EQ(ends({.speed = 10, .use = Cores::time_shared},
                 {{{.flops = 100}}, {{.flops = 20, .bound = 2}, 5s}, {{.flops = 10}, 20s}}),
            (Ends{11250ms, 15s, 21s}));
}

// Dedicated cores: 4 of 10 would do 40, the bound lets it do 16: 160/16 = 10 s.
TEST_F(BoundedCompute, ABoundHoldsOnDedicatedCoresToo) {
  EXPECT_EQ(ends({.speed = 10, .cores = 4}, {{{.flops = 160, .cores_max = 4, .bound = 16}}}),
            (Ends{10s}));
}

// Half the core for 10 s, of 100 W idle and 200 W full: 150 W.
TEST_F(BoundedCompute, DrawsPowerByTheFlopsThatItDoes) {
  EXPECT_EQ(ends({.speed = 10, .use = Cores::time_shared, .power = {.idle = 100, .full = 200}},
                 {{{.flops = 50, .bound = 5}}}),
            (Ends{10s}));
  EXPECT_DOUBLE_EQ(joules, 1500);
}

// Speed 10, bound 8, halved at 5 s (40 done, 40 left): one core is 5 now, below the bound: 5 + 8 s.
TEST_F(BoundedCompute, TheSpeedMayChangeBesideABound) {
  Simulation simulation;
  auto& compute =
      simulation.add<Compute>("compute", ComputeOptions{.speed = 10, .use = Cores::time_shared});
  auto& watcher = simulation.add<ComputationWatcher>("watcher");
  const OperationId id = compute.start_run({.flops = 80, .bound = 8}, watcher.id());
  simulation.run_until(Instant{5s});
  EXPECT_EQ(compute.fraction_done(id), 0.5);
  compute.set_speed(5);
  simulation.run();
  ASSERT_FALSE(watcher.entries.empty());
  EXPECT_EQ(watcher.entries.back().at, 13s);
}

// Preempted at 5 s with 30 left of 40; goes on at 7 s: 7 + 15 s.
TEST_F(BoundedCompute, APreemptedOneKeepsItsTerms) {
  Simulation simulation;
  auto& compute =
      simulation.add<Compute>("compute", ComputeOptions{.speed = 10, .use = Cores::time_shared});
  auto& watcher = simulation.add<ComputationWatcher>("watcher");
  const OperationId id = compute.start_run({.flops = 40, .bound = 2}, watcher.id());
  simulation.run_until(Instant{5s});
  EXPECT_TRUE(compute.preempt(id));
  simulation.run_until(Instant{7s});
  EXPECT_TRUE(compute.resume(id));
  EXPECT_EQ(compute.cancel(compute.start_run({.flops = 1}, watcher.id())), 1.0);
  simulation.run();
  ASSERT_FALSE(watcher.entries.empty());
  EXPECT_EQ(watcher.entries.back().at, 22s);
}

TEST(BoundedComputeDeathTest, RefusesWhatMakesNoSense) {
  Simulation simulation;
  auto& compute = simulation.add<Compute>("compute", ComputeOptions{});
  EXPECT_DEATH(compute.start_run({.weight = 0}, compute.id()), "weight");
  EXPECT_DEATH(compute.start_run({.weight = std::numeric_limits<double>::infinity()}, compute.id()),
               "weight");
  EXPECT_DEATH(compute.start_run({.bound = 0}, compute.id()), "bound");
}

// Two of four time-shared cores are set aside: what runs draws as much as two, however many there
// are, and from the moment on at which they are.
TEST(ComputeUtilisation, CoresSetAsideDoNotComputeNorDrawPower) {
  Simulation simulation;
  auto& watcher = simulation.add<ComputationWatcher>("watcher");
  auto& compute = simulation.add<Compute>(
      "compute",
      ComputeOptions{
          .speed = 1, .cores = 4, .use = Cores::time_shared, .power = {.idle = 0, .full = 100}});
  Statistics statistics(watcher);
  statistics.watch("host", compute);
  for (int i = 0; i < 4; ++i) compute.start_run({.flops = 1e6}, watcher.id());
  simulation.run_until(Instant{1s});
  EXPECT_DOUBLE_EQ(statistics.level("host.utilisation").value(), 1);
  EXPECT_DOUBLE_EQ(compute.energy(), 100);
  EXPECT_TRUE(compute.allocate({.cores = 2}));
  EXPECT_DOUBLE_EQ(statistics.level("host.utilisation").value(), 0.5);
  simulation.run_until(Instant{2s});
  EXPECT_DOUBLE_EQ(compute.energy(), 150);
  compute.deallocate({.cores = 2});
  simulation.run_until(Instant{3s});
  EXPECT_DOUBLE_EQ(compute.energy(), 250);
}

// A host that comes later has drawn nothing before.
TEST(ComputeUtilisation, PowerIsDrawnFromTheBeginningOfTheHostOn) {
  Simulation simulation;
  simulation.run_until(Instant{10s});
  const auto& compute = simulation.add<Compute>(
      "compute", ComputeOptions{.use = Cores::time_shared, .power = {.idle = 5, .full = 10}});
  simulation.run_until(Instant{12s});
  EXPECT_DOUBLE_EQ(compute.energy(), 10);
}

}  // namespace
}  // namespace artel::sim
