// Every mistake in the tables besides [workload] that a user is likely to make, and the exact words
// that answer it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

TEST(SettingsErrors, Pool) {
  EXPECT_EQ(pool_errors("workers = 8\nqueue_bound = 0\n"),
            "s.toml:6:15: pool.queue_bound: found 0, allowed: a whole number of at least 1, "
            "\"inf\", or a "
            "list of them\n");
  EXPECT_EQ(pool_errors("workers = 2\nspeeds = [1, 2, 3]\nqueue_bound = [1]\n"),
            "s.toml:6:10: pool.speeds: found a list of 3, allowed: one per worker, 2\n"
            "s.toml:7:15: pool.queue_bound: found a list of 1, allowed: one per worker, 2\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nspeeds = [1, 0]\n"),
      "s.toml:6:14: pool.speeds: found 0, allowed: a number above 0 up to 1000000, or a list of "
      "them\n");
  EXPECT_EQ(pool_errors("workers = 2\ncommon_bound = -1\n"),
            "s.toml:6:16: pool.common_bound: found -1, allowed: a whole number of at least 0, or "
            "\"inf\"\n");
  EXPECT_EQ(pool_errors("workers = 2\nwhen_full = \"drop\"\n"),
            "s.toml:6:13: pool: unknown when_full 'drop'; allowed: reject, block\n");
  EXPECT_EQ(
      pool_errors("groups = [{ speed = 2 }]\nworkers = 2\n"),
      "s.toml:5:11: pool.groups.workers is missing; expected a whole number from 1 to 100000 (how "
      "many of this kind)\n"
      "s.toml:6:11: pool.workers: does not go with groups; each group has its own\n");
}

// ---- Dispatch

TEST(SettingsErrors, Policies) {
  EXPECT_EQ(dispatch_errors("policies = []\n"),
            "s.toml:7:12: dispatch.policies: found an empty list, allowed: at least one item\n");
  EXPECT_EQ(dispatch_errors("policies = \"random\"\n"),
            "s.toml:7:12: dispatch.policies: found 'random', allowed: a list [ … ]\n");
  EXPECT_EQ(
      dispatch_errors("policies = [\"jsp\", 3]\n"),
      "s.toml:7:13: dispatch.policies: unknown policy 'jsp' (did you mean 'jsq'?); allowed: "
      "central, random, round_robin, weighted_round_robin, least_loaded, jsq, jiq, "
      "least_work_left, sita, closed_loop, peak_ewma, rendezvous, maglev, jbt, c3, affinity, "
      "cache_aware, prequal, weighted_least_request, plugin\n"
      "s.toml:7:20: dispatch.policies: found 3, allowed: a name, or a table { name = …, … }\n");
  EXPECT_EQ(
      dispatch_errors("policies = [{ name = \"jsq\", dd = 3 }]\n"),
      "s.toml:7:29: dispatch.policies: unknown key of jsq 'dd' (did you mean 'd'?); allowed: d, "
      "busyness, draws, name, label, queue_bound, take_over\n");
  EXPECT_THAT(dispatch_errors("policies = [{ name = \"jsq\", d = 0 }]\n"),
              HasSubstr("s.toml:7:33: dispatch.policies: d of jsq: found 0"));
  EXPECT_EQ(
      dispatch_errors("policies = [{ d = 0 }]\n"),
      "s.toml:7:13: dispatch.policies.name is missing; expected text in quotes (see the list of "
      "policies below)\n"
      "s.toml:7:15: dispatch.policies: unknown key 'd'; allowed: name, label, queue_bound, "
      "take_over\n");
  EXPECT_EQ(
      dispatch_errors("policies = [\"random\", \"jiq\", \"random\"]\n"),
      "s.toml:7:30: dispatch.policies: 'random' is there twice; give one of them another label\n");
}

TEST(SettingsErrors, Dispatchers) {
  EXPECT_EQ(dispatch_errors("policies = [\"random\"]\ndispatchers = 0\nstaleness = \"soon\"\n"),
            "s.toml:8:15: dispatch.dispatchers: found 0, allowed: a whole number from 1 to 1000\n"
            "s.toml:9:13: dispatch.staleness: found 'soon', allowed: a duration of at least 0 "
            "(\"250ms\", "
            "or a number of seconds)\n");
  EXPECT_EQ(dispatch_errors("policies = [\"random\"]\nview = \"own\"\nstaleness = \"1 s\"\n"),
            "s.toml:9:13: dispatch.staleness: found with view = \"own\", which is never stale; "
            "allowed: one of the two\n");
  EXPECT_EQ(dispatch_errors("policies = [\"random\"]\nview = \"reported\"\n"),
            "s.toml:6:1: dispatch.staleness is missing; expected how often loads are reported, for "
            "view = \"reported\"\n");
  const std::string delay =
      "policies = [\"jiq\", { name = \"jsq\", d = 2, busyness = \"delay\" }]\n";
  EXPECT_EQ(dispatch_errors(delay), "no error\n");
  EXPECT_EQ(dispatch_errors(delay + "view = \"own\"\n"),
            "s.toml:7:12: dispatch.policies: policy jsq(2)(delay) reads delay, which a dispatcher "
            "with its "
            "own view does not know\n");
}

// ---- Run, objectives, sweep

TEST(SettingsErrors, Run) {
  const std::string warm_up =
      ", allowed: \"auto\", a share from \"0%\" to \"90%\", or a duration with its unit "
      "(\"10s\")\n";
  EXPECT_EQ(rest_errors("[run]\nwarm_up = 0.2\n"), "s.toml:9:11: run.warm_up: found 0.2" + warm_up);
  EXPECT_EQ(rest_errors("[run]\nwarm_up = \"100%\"\n"),
            "s.toml:9:11: run.warm_up: found '100%'" + warm_up);
  EXPECT_EQ(rest_errors("[run]\nwarm_up = \"-1s\"\n"),
            "s.toml:9:11: run.warm_up: found '-1s'" + warm_up);
  EXPECT_EQ(
      rest_errors("[run]\nduration = \"10s\"\nwarm_up = \"10s\"\n"),
      "s.toml:10:11: run.warm_up: found 10.0 s, allowed: less than the run's duration, 10.0 s\n");
  EXPECT_EQ(
      rest_errors("[run]\nreplications_max = 5\n"),
      "s.toml:9:20: run.replications_max: needs a precision to aim at; without one, the number is "
      "replications\n");
  EXPECT_EQ(rest_errors("[run]\nprecision = 0.01\nreplications = 9\nreplications_max = 5\n"),
            "s.toml:11:20: run.replications_max: found 5, allowed: at least replications, 9\n");
  EXPECT_EQ(rest_errors("[run]\nseed = -1\nprecision = 0\n"),
            "s.toml:9:8: run.seed: found -1, allowed: a whole number of at least 0\n"
            "s.toml:10:13: run.precision: found 0, allowed: a number above 0 up to 1\n");
  EXPECT_EQ(rest_errors("[run]\nseed = 9000000000000001\ntasks = 2e12\nduration = '60000 d'\n"),
            "s.toml:9:8: run.seed: found 9000000000000001, allowed: a whole number from 0 to "
            "9000000000000000\n"
            "s.toml:10:9: run.tasks: found 2000000000000, allowed: a whole number from 1 to "
            "1000000000000\n"
            "s.toml:11:12: run.duration: found '60000 d', allowed: a duration above 0 up to "
            "1000000000 (\"250ms\", or a number of seconds)\n");
}

TEST(SettingsErrors, Objectives) {
  EXPECT_EQ(
      rest_errors("[slo]\np99_response = 0\nrejected = 2\n"),
      "s.toml:9:16: slo.p99_response: found 0, allowed: a duration above 0 (\"250ms\", or a number "
      "of seconds)\n"
      "s.toml:10:12: slo.rejected: found 2, allowed: a number from 0 to 1\n");
  EXPECT_EQ(rest_errors("[slo]\np99_respons = 1\n"),
            "s.toml:9:1: slo: unknown key 'p99_respons' (did you mean 'p99_response'?); allowed: "
            "mean_response, p50_response, p90_response, p95_response, p99_response, p999_response, "
            "max_response, mean_wait, p50_wait, p90_wait, p95_wait, p99_wait, p999_wait, max_wait, "
            "rejected, abandoned, failed\n");
}

TEST(SettingsErrors, Sweep) {
  EXPECT_EQ(rest_errors("sweep = 3\n"),
            "s.toml:8:1: dispatch: unknown key 'sweep'; allowed: policies, "
            "dispatchers, view, staleness, network_delay, ejection\n");
  EXPECT_EQ(
      rest_errors("[sweep]\n\"pool.workers\" = \"8..4\"\n\"run.seed\" = []\nx = [[1]]\n"),
      "s.toml:9:18: sweep of pool.workers: found '8..4': the first value is beyond the last; "
      "expected first..last, first..last:step, or a list a,b,c (8..32:4 is 8, 12, … 32)\n"
      "s.toml:10:14: sweep of run.seed: found a list of 0, allowed: \"16..48:4\", or a list of "
      "numbers or texts\n"
      "s.toml:11:6: sweep of x: found a list of 1, allowed: \"16..48:4\", or a list of numbers or "
      "texts\n");
}

}  // namespace
}  // namespace artel::scenario
