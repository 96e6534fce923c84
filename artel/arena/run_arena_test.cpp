#include "artel/arena/run_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/arena/load_match.hpp"
#include "artel/arena/standings.hpp"
#include "artel/core/error.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<scenario::PolicySpec> policies(const std::vector<std::string>& names) {
  std::vector<scenario::PolicySpec> all;
  for (const auto& name : names) all.push_back(*scenario::parse_policy_spec(name));
  return all;
}

class Arena : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& more, const std::string& workers = "workers = 8") {
    const auto path = folder_ / "queue.toml";
    std::ofstream(path) << R"(
[workload]
arrivals = { kind = "poisson", load = 0.8 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
)" << workers << R"(
[dispatch]
policies = ["random"]
[run]
tasks = 4000
warm_up = "20%"
)" << more;
    return path;
  }

  std::vector<Match> matches(const std::vector<std::string>& names) {
    auto match = load_match(write(""), policies(names));
    EXPECT_TRUE(match) << to_string(match.error().front());
    return {*std::move(match)};
  }

  TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path();
};

std::vector<std::size_t> order(const ArenaResult& result) {
  std::vector<std::size_t> order;
  for (const auto& one : result.standings) order.push_back(one.policy);
  return order;
}

std::vector<double> regrets(const ArenaResult& result) {
  std::vector<double> all;
  for (const auto& one : result.standings) {
    all.push_back(one.outcomes.at(0).regret.center);
    all.push_back(one.outcomes.at(0).regret.half_width);
  }
  return all;
}

// M/M/8 at load 0.8: mean responses 1.29, 1.46, 2.22, 2.98, 5.01 (./dev verify).
TEST_F(Arena, RanksAsTheoryDoes) {
  const auto result =
      run_arena(matches({"random", "round_robin", "jsq(d=2)", "least_loaded", "central"}),
                {.replications = 5, .jobs = 2});
  EXPECT_THAT(order(result), ElementsAre(4, 3, 2, 1, 0));
  for (const auto& one : result.standings) EXPECT_EQ(one.rank_low, one.rank_high);
  const auto& random = result.standings.back().outcomes.at(0).regret;
  EXPECT_NEAR(random.center, 5.0 / 1.286 - 1, random.half_width + 0.2);
}

TEST_F(Arena, OnePolicyUnderTwoNamesTies) {
  const auto result = run_arena(matches({"jsq(d=2)", "jsq"}), {.replications = 3});
  EXPECT_THAT(regrets(result), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(result.standings[1].rank, 1U);
}

TEST_F(Arena, EndedEarlyItSaysWhatFewerReplicationsSay) {
  const auto met = matches({"random", "jsq(d=2)"});
  const auto early = run_arena(met, {.replications = 50, .enough = [] { return true; }, .jobs = 2});
  EXPECT_TRUE(early.complete);
  EXPECT_EQ(early.replications, kRoundsMin);
  EXPECT_EQ(regrets(early), regrets(run_arena(met, {.replications = kRoundsMin})));
}

TEST_F(Arena, StoppedItHasTheRoundsThatAreOver) {
  std::stop_source stop;
  const auto met = matches({"random", "jsq(d=2)"});
  const auto partial = run_arena(met, {.replications = 9,
                                       .stop = stop.get_token(),
                                       .progress = [&](std::size_t done, std::size_t total) {
                                         EXPECT_EQ(total, 18U);
                                         if (done == 5) stop.request_stop();
                                       }});
  EXPECT_FALSE(partial.complete);
  EXPECT_EQ(partial.replications, 2U);
  EXPECT_EQ(regrets(partial), regrets(run_arena(met, {.replications = 2})));
  const auto none = run_arena(met, {.stop = stop.get_token()});
  EXPECT_FALSE(none.complete);
  EXPECT_TRUE(none.standings.empty());
}

TEST_F(Arena, WhatNothingIsDrawnForIsRunOnce) {
  const auto path = write("", "workers = 2");
  const std::vector<scenario::Override> constant{
      {"workload.arrivals.kind", "constant", ""},
      {"workload.service", "{ distribution = \"constant\", value = \"1 s\" }", ""}};
  const auto match = load_match(path, policies({"round_robin", "random"}), constant);
  ASSERT_TRUE(match) << to_string(match.error().front());
  const std::vector<Match> met{*match};
  const auto result = run_arena(met, {.replications = 3});
  EXPECT_EQ(result.standings.at(0).policy, 0U);
  EXPECT_EQ(result.standings.at(0).outcomes.at(0).cost.half_width, 0);
  EXPECT_GT(result.standings.at(1).outcomes.at(0).cost.half_width, 0);
}

TEST_F(Arena, APolicyMayNotBeAbleToRunThere) {
  const auto path = write("", "workers = 4\nslots = 2");
  const auto match = load_match(path, policies({"closed_loop", "jsq(d=3; busyness=queued)"}));
  ASSERT_TRUE(match) << to_string(match.error().front());
  EXPECT_EQ(match->name, "queue");
  EXPECT_THAT(match->cannot, ElementsAre(HasSubstr("closed_loop does not go with pool.slots"), ""));
  ASSERT_EQ(match->scenario.dispatch.policies.size(), 1U);
  EXPECT_EQ(match->scenario.dispatch.policies.front().label, "jsq(d=3; busyness=queued)");
  const auto none = load_match(path, policies({"closed_loop"}));
  ASSERT_FALSE(none);
  EXPECT_THAT(to_string(none.error().front()), HasSubstr("closed_loop does not go with"));
}

TEST_F(Arena, OfALimitOfNothingThereAreNoParts) {
  const auto match = load_match(write("[slo]\nrejected = 0\n"), policies({"random"}));
  ASSERT_FALSE(match);
  EXPECT_THAT(to_string(match.error().front()),
              HasSubstr("slo.rejected: found 0; allowed here: above 0"));
}

TEST_F(Arena, AFileWithMistakesIsRefused) {
  const auto match = load_match(write("[slo]\np98_response = 1\n"), policies({"random"}));
  ASSERT_FALSE(match);
  EXPECT_THAT(to_string(match.error().front()), HasSubstr("p98_response"));
}

}  // namespace
}  // namespace artel::arena
