#include "artel/sim/model/profile.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/compute.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

TEST(Profile, IsReadWithItsPeriodAndComments) {
  const auto profile =
      parse_profile("# speed\nPERIODICITY 12\n\n0 1.0\n 11.5\t0.5 # slow\r\n", "p");
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->changes.size(), 2U);
  EXPECT_EQ(profile->changes[1].at, Duration{11500ms});
  EXPECT_EQ(profile->changes[1].value, 0.5);
  EXPECT_EQ(profile->period, Duration{12s});
}

TEST(Profile, WhatIsWrongIsNamedWithItsLine) {
  for (const auto& [text, where] :
       std::vector<std::pair<std::string, std::string>>{{"0 1\n0 2\n", "p:2"},
                                                        {"0 1\n\n5\n", "p:3"},
                                                        {"-1 1\n", "p:1"},
                                                        {"0 nan\n", "p:1"},
                                                        {"PERIODICITY 0\n", "p:1"},
                                                        {"0 1 2\n", "p:1"},
                                                        {"0 1\n5 2\nPERIODICITY 5\n", "p"}}) {
    const auto profile = parse_profile(text, "p");
    ASSERT_FALSE(profile) << text;
    EXPECT_EQ(profile.error().where, where) << text;
  }
}

TEST(Profile, IsFollowedPeriodAfterPeriod) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  std::vector<std::pair<Duration, double>> seen;
  context
      .spawn(
          follow(context, {.changes = {{1s, 10}, {3s, 20}}, .period = 5s},
                 [&](double value) { seen.emplace_back(context.now().time_since_epoch(), value); }))
      .set_daemon();
  simulation.run_until(Instant{8s});
  EXPECT_EQ(seen,
            (std::vector<std::pair<Duration, double>>{{1s, 10}, {3s, 20}, {6s, 10}, {8s, 20}}));
}

// 10 flops at 1, from 2 s at 4, from 3 s at 0, from 5 s at 1: 2 + 4 + 0, the last 4 by 9 s.
TEST(Profile, OfASpeedMovesTheEndsOfWhatRuns) {
  for (const auto use : {Cores::dedicated, Cores::time_shared}) {
    Simulation simulation;
    auto& host = simulation.add<Compute>("host", ComputeOptions{.speed = 1, .use = use});
    host.spawn(follow(host, {.changes = {{2s, 4}, {3s, 0}, {5s, 1}}},
                      [&](double speed) { host.set_speed(speed); }));
    ComputationOutcome outcome{};
    host.spawn([](Compute& on, ComputationOutcome& ended) -> Task<> {
      ended = co_await on.run({.flops = 10});
    }(host, outcome));
    simulation.run();
    EXPECT_EQ(outcome, ComputationOutcome::finished);
    EXPECT_EQ(simulation.now(), Instant{9s});
  }
}

// Available but for 2 s to 5 s: what was hosted ends at 2 s, what comes at 4 s ends at once, what
// comes at 6 s runs to its end.
TEST(Profile, OfAnAvailabilityTurnsAHostOffAndOn) {
  Simulation simulation;
  auto& host = simulation.add<Compute>("host", ComputeOptions{.speed = 1});
  Context& world = simulation.add_context("world");
  world.spawn(follow(world, {.changes = {{2s, 0}, {5s, 1}}},
                     [&](double available) { host.set_up(available > 0); }));
  std::vector<std::pair<ComputationOutcome, Duration>> ends;
  const auto works = [&](Context& self, Compute& on, Duration at) -> Task<> {
    co_await self.sleep(at);
    const ComputationOutcome outcome = co_await on.run({.flops = 3});
    ends.emplace_back(outcome, self.now().time_since_epoch());
  };
  const auto sleeps = [](Context& self) -> Task<> { co_await self.sleep(1h); };
  const Process<> hosted = world.spawn(sleeps(world));
  host.host(hosted);
  for (const Duration at : {0s, 4s, 6s}) world.spawn(works(world, host, at));
  simulation.run();
  EXPECT_EQ(hosted.status(), ProcessStatus::cancelled);
  EXPECT_EQ(ends, (std::vector<std::pair<ComputationOutcome, Duration>>{
                      {ComputationOutcome::host_down, 2s},
                      {ComputationOutcome::host_down, 4s},
                      {ComputationOutcome::finished, 9s}}));
  EXPECT_EQ(simulation.now(), Instant{9s});
}

TEST(ProfileDeathTest, RefusesTimesThatDoNotAscend) {
  Simulation simulation;
  auto& world = simulation.add_context("world");
  const auto apply = [&](Profile profile) {
    world.spawn(follow(world, std::move(profile), [](double) {}));
    simulation.run_until(Instant{1h});
  };
  EXPECT_DEATH(apply({.changes = {{.at = 2s}, {.at = 1s}}}), "changes of a profile ascend");
  EXPECT_DEATH(apply({.changes = {{.at = -1s}}}), "changes of a profile ascend");
  EXPECT_DEATH(apply({.changes = {{.at = 0s}}, .period = 0s}), "a period ends after");
  EXPECT_DEATH(apply({.changes = {{.at = 2s}}, .period = 1s}), "a period ends after");
}

}  // namespace
}  // namespace artel::sim
