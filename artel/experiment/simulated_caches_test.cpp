// Workers that keep what their tasks begin with, with times worked out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include "artel/core/error.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::experiment {
namespace {

struct Parts {
  std::string rows = "0,1-4\n10,1-4\n20,1 2 9 8\n30,7\n";
  std::string pool = "workers = 1\ncache = { saves = { expression = \"4\" } }\n";
  std::string dispatch = "policies = [\"affinity\"]\n";
  std::string workload = "service = { expression = \"5\" }\n";
};

fleet::Replication run(const Parts& parts) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "t.csv") << "at,blocks\n" << parts.rows;
  const auto scenario = scenario::parse_scenario(
      "[workload]\narrivals = { kind = \"trace\" }\ntrace = { file = \"t.csv\", time = \"at\", "
      "prefix = \"blocks\" }\n" +
          parts.workload + "[pool]\n" + parts.pool + "[dispatch]\n" + parts.dispatch +
          "[run]\nwarm_up = \"0%\"\n",
      (folder.path() / "s.toml").string());
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  if (!scenario) return {};
  return fleet::run_replication(*scenario, scenario->dispatch.policies.front(), {})
      .value_or(fleet::Replication{});
}

TEST(SimulatedCaches, WhatIsThereNeedNotBeDone) {
  // 5, 5 - 4, 5 - 4 / 2 and 5 seconds.
  const auto found = run({});
  EXPECT_EQ(found.completed, 4U);
  EXPECT_NEAR(found.response.mean, 3.5, 1e-6);
  EXPECT_EQ(found.prefix_all, 13U);
  EXPECT_EQ(found.prefix_held, 6U);
}

TEST(SimulatedCaches, WithoutSavingHitsAreOnlyCounted) {
  const auto found = run({.pool = "workers = 1\ncache = {}\n"});
  EXPECT_NEAR(found.response.mean, 5, 1e-6);
  EXPECT_EQ(found.prefix_held, 6U);
}

TEST(SimulatedCaches, WhatWasUsedLeastRecentlyGoesFirst) {
  const Parts parts{.rows = "0,1-4\n10,5\n20,1-4\n30,5\n40,1 2\n"};
  EXPECT_EQ(run(parts).prefix_held, 7U);
  auto small = parts;
  small.pool = "workers = 1\ncache = { blocks = 4 }\n";
  // The fifth block takes the first one's place, so that nothing counts; and so on.
  EXPECT_EQ(run(small).prefix_held, 0U);
}

TEST(SimulatedCaches, WhoComesWhileItIsComputedFindsIt) {
  // All at once at one worker: 5 s, then 1 s each.
  const auto found = run({.rows = "0,1\n0,1\n0,1\n"});
  EXPECT_NEAR(found.response.mean, (5 + 6 + 7) / 3.0, 1e-6);
}

TEST(SimulatedCaches, EachWorkerHasItsOwn) {
  const Parts parts{.rows = "0,1-4\n10,1-4\n20,1-4\n30,1-4\n",
                    .pool = "workers = 2\ncache = {}\n",
                    .dispatch = "policies = [\"round_robin\"]\n"};
  EXPECT_EQ(run(parts).prefix_held, 8U);
  for (const auto* dispatch :
       {"policies = [\"affinity\"]\n", "policies = [\"cache_aware\"]\n",
        "policies = [\"rendezvous\"]\n", "policies = [\"affinity\"]\ndispatchers = 3\n",
        "policies = [\"affinity\"]\nstaleness = \"1s\"\n",
        "policies = [\"affinity\"]\nnetwork_delay = \"1s\"\n"}) {
    auto others = parts;
    others.dispatch = dispatch;
    EXPECT_EQ(run(others).prefix_held, 12U) << dispatch;
  }
}

TEST(SimulatedCaches, CopiesFillTheCachesOfBoth) {
  const auto found =
      run({.rows = "0,1-4\n10,1-4\n",
           .pool = "workers = 2\ncache = {}\n",
           .workload = "service = { expression = \"5\" }\ncallers = { copies = 2 }\n"});
  EXPECT_EQ(found.prefix_all, 16U);
  EXPECT_EQ(found.prefix_held, 8U);
}

TEST(SimulatedCaches, WhoLosesItsTasksLosesItsCache) {
  const auto held = [](const std::string& more) {
    return run({.rows = "0,1-4\n20,1-4\n", .pool = "workers = 1\ncache = {}\n" + more}).prefix_held;
  };
  const std::string outage = "failures = { outages = [{ at = 10, lasts = 1 }], task = ";
  EXPECT_EQ(held(outage + "\"resume\" }\n"), 4U);
  EXPECT_EQ(held(outage + "\"restart\" }\n"), 0U);
  EXPECT_EQ(held(outage + "\"lose\" }\n"), 0U);
  EXPECT_EQ(held("start_up = \"1s\"\n"), 0U);
  EXPECT_EQ(held("start_up = \"1s\"\nkeep_warm = \"1h\"\n"), 4U);
}

TEST(SimulatedCaches, InABatchItIsTheJoiningThatIsShorter) {
  // A second, and 5 or 1 for joining.
  const auto found =
      run({.rows = "0,1-4\n10,1-4\n",
           .pool = "workers = 1\ncache = { saves = { expression = \"4\" } }\nbatch = { most = 2, "
                   "fixed = \"1s\", per_work = 0, per_join = { expression = \"5\" } }\n"});
  EXPECT_NEAR(found.response.mean, (6 + 2) / 2.0, 1e-6);
}

TEST(SimulatedCaches, WhoComesLaterHasAnEmptyOne) {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += std::to_string(10 * i) + ",1-4\n";
  const auto found =
      run({.rows = rows,
           .pool = "workers = 1\ncache = {}\nscaling = { policy = \"hpa\", target = 0.2, max = 3, "
                   "period = \"15s\" }\n",
           .dispatch = "policies = [\"round_robin\"]\n"});
  EXPECT_GT(found.workers, 1.5);
  EXPECT_LE(found.prefix_held, 4U * 58);
  EXPECT_GE(found.prefix_held, 4U * 50);
}

// The trace's hit ratios as computed apart; the paper says 66% without a bound (Mooncake, FAST
// 2025, table 2).
TEST(SimulatedCaches, HitRatiosOfTheMooncakeTrace) {
  const auto study = scenario::load_study(std::filesystem::path(ARTEL_SOURCE_DIR) /
                                          "scenarios/papers/mooncake.toml");
  ASSERT_TRUE(study) << to_string(study.error().front());
  const auto found = run_experiment(*study, {});
  constexpr std::array kRatios{0.6512444360312151, 0.6512444360312151, 0.6355965755686921,
                               0.4313041987933974};
  ASSERT_EQ(found.points.size(), kRatios.size());
  for (std::size_t i = 0; i < kRatios.size(); ++i)
    EXPECT_NEAR(found.points[i].policies.front().hit_ratio().center, kRatios[i], 1e-12) << i;
}

}  // namespace
}  // namespace artel::experiment
