// [workload.callers], deadlines, closed users and objectives of classes: what they say, and the
// exact words for what is wrong with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "artel/random/distribution.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::Property;

std::string with_workload(const std::string& more) {
  return ScenarioParts{.workload = ScenarioParts{}.workload + more}.text();
}
Scenario scenario_with(const std::string& keys) {
  const auto parsed = parse_scenario(with_workload("callers = { " + keys + " }\n"), "s.toml");
  return parsed ? *parsed : Scenario{};
}
std::string callers_errors(const std::string& keys) {
  return errors_of(with_workload("callers = { " + keys + " }\n"));
}

TEST(Callers, AreReadAsWritten) {
  const auto read =
      scenario_with(
          "timeout = \"2s\", cancel = \"waiting\", retries = 3, backoff = \"100ms\", "
          "backoff_factor = 1.5, backoff_most = \"1s\", jitter = \"equal\", budget = 0.2, "
          "budget_burst = 7, hedge = \"p95\", hedges = 2, copies = 2, tied = true, redraw = "
          "true")
          .workload.callers;
  EXPECT_THAT(read.timeout, Optional(Property(&random::Distribution::mean, 2)));
  EXPECT_EQ(read.cancel, Spared::waiting);
  EXPECT_EQ(read.retry.most, 3U);
  EXPECT_EQ(read.retry.backoff, 100ms);
  EXPECT_EQ(read.retry.factor, 1.5);
  EXPECT_EQ(read.retry.longest, 1s);
  EXPECT_EQ(read.retry.jitter, Jitter::equal);
  EXPECT_EQ(read.budget, 0.2);
  EXPECT_EQ(read.burst, 7);
  EXPECT_THAT(read.hedge, Optional(AllOf(Field(&HedgeSettings::quantile, 0.95),
                                         Field(&HedgeSettings::most, 2U))));
  EXPECT_EQ(read.copies, 2U);
  EXPECT_TRUE(read.tied && read.redraw && !read.plain());
}

TEST(Callers, MayBeSweptDownToNoRetries) {
  EXPECT_EQ(callers_errors("timeout = 1, retries = 0, backoff = 1, jitter = \"full\", budget = 1"),
            "no error\n");
}

TEST(Callers, WithoutKeysAreThoseThatAlwaysWere) {
  const auto parsed = parse_scenario(ScenarioParts{}.text(), "s.toml");
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->workload.callers.plain());
  EXPECT_TRUE(is_plain(*parsed));
  EXPECT_FALSE(parsed->workload.has_goodput());
  EXPECT_FALSE(is_plain(scenario_with("hedge = \"20ms\"")));
}

TEST(CallerErrors, WhatIsAllowed) {
  EXPECT_EQ(callers_errors("hedge = \"p0\""),
            "s.toml:4:21: workload.callers.hedge: found 'p0', allowed: a duration above 0 "
            "(\"20ms\"), or a percentile of the answers so far from \"p1\" to \"p99.99\"\n");
  EXPECT_EQ(callers_errors("timeout = \"1s\", cancel = \"some\""),
            "s.toml:4:38: workload.callers: unknown cancel 'some'; allowed: nothing, waiting, "
            "all\n");
  EXPECT_EQ(callers_errors("copies = 9"),
            "s.toml:4:11: workload.callers: copies: found 9, allowed: at most the number of "
            "workers, 8\n");
}

TEST(CallerErrors, WhatSaysNothingAlone) {
  EXPECT_EQ(callers_errors("timeout = 1, backoff = 1"),
            "s.toml:4:36: workload.callers.backoff: needs retries\n");
  EXPECT_EQ(callers_errors("timeout = 1, hedges = 2"),
            "s.toml:4:35: workload.callers.hedges: needs a hedge\n");
  EXPECT_EQ(callers_errors("timeout = 1, budget = 2"),
            "s.toml:4:35: workload.callers.budget: needs retries or a hedge\n");
  EXPECT_EQ(callers_errors("copies = 2, budget_burst = 2"),
            "s.toml:4:40: workload.callers.budget_burst: needs a budget\n");
  EXPECT_EQ(callers_errors("cancel = \"all\""),
            "s.toml:4:22: workload.callers.cancel: needs a timeout, copies or a hedge\n");
  EXPECT_EQ(callers_errors("retries = 1, timeout = 1, cancel = \"all\""), "no error\n");
  EXPECT_EQ(callers_errors("copies = 2, cancel = \"waiting\""), "no error\n");
  EXPECT_EQ(callers_errors("cancel = \"nothing\""), "no error\n");
  EXPECT_EQ(callers_errors("timeout = 1, tied = true"),
            "s.toml:4:33: workload.callers.tied: needs copies or a hedge\n");
  EXPECT_EQ(callers_errors("redraw = true"),
            "s.toml:4:22: workload.callers.redraw: needs retries, copies or a hedge\n");
  EXPECT_EQ(callers_errors("retries = 2"),
            "s.toml:4:11: workload.callers.retries: nothing can fail here; give a timeout, "
            "patience, bounded queues that reject, or failures that lose tasks\n");
}

TEST(CallerErrors, WhatOnlyPlainPoolsDo) {
  EXPECT_THAT(errors_of(ScenarioParts{.workload = ScenarioParts{}.workload + "deadline = 1\n",
                                      .pool = "workers = 8\ntake_over = true\n"}
                            .text()),
              HasSubstr("pool.take_over: does not go with workload.deadline"));
  EXPECT_THAT(
      errors_of(ScenarioParts{.workload = ScenarioParts{}.workload + "callers = { copies = 2 }\n",
                              .dispatch = "policies = [\"closed_loop\"]\n"}
                    .text()),
      HasSubstr("closed_loop does not go with workload.callers"));
}

TEST(CallerErrors, ClosedUsers) {
  const auto users = [](const std::string& arrivals) {
    return workload_errors("arrivals = " + arrivals +
                           "\nservice = { distribution = \"exponential\", mean = \"1 s\" }\n");
  };
  EXPECT_EQ(users("{ kind = \"closed\", users = 4 }"),
            "s.toml:2:12: workload.arrivals.think is missing; expected a duration, or a "
            "distribution as in workload.service (how long each time)\n");
  EXPECT_EQ(users("{ kind = \"closed\", users = 0, think = 1 }"),
            "s.toml:2:39: workload.arrivals.users: found 0, allowed: a whole number "
            "from 1 to 1000000\n");
  EXPECT_THAT(users("{ kind = \"closed\", users = 4, think = 1, load = 0.5 }"),
              HasSubstr("unknown key of closed 'load'"));
  const auto parsed = parse_scenario(
      ScenarioParts{.workload = "arrivals = { kind = \"closed\", users = 4, think = \"3s\" }\n"
                                "service = { distribution = \"exponential\", mean = \"1 s\" }\n"}
          .text(),
      "s.toml");
  ASSERT_TRUE(parsed);
  EXPECT_DOUBLE_EQ(parsed->workload.rate, 1);
  EXPECT_EQ(std::get<ClosedArrivals>(parsed->workload.arrivals).users, 4U);
}

TEST(CallerErrors, ClassesHaveObjectivesAndDeadlinesOfTheirOwn) {
  const std::string classes =
      "classes = [{ name = \"a\", share = 0.5, slo = { p99_response = \"2s\", failed = 0.1 } }, "
      "{ name = \"b\", share = 0.5, deadline = \"4s\" }]\ndeadline = \"9s\"\n";
  const auto parsed = parse_scenario(with_workload(classes) + "[slo]\nmean_wait = 1\n", "s.toml");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->slo.size(), 3U);
  EXPECT_FALSE(parsed->slo[0].of_class);
  EXPECT_EQ(parsed->slo[1].name, "p99_response");
  EXPECT_THAT(parsed->slo[1].of_class, Optional(AllOf(Field(&Objective::OfClass::name, "a"),
                                                      Field(&Objective::OfClass::number, 0U))));
  EXPECT_EQ(parsed->slo[2].quantity, Quantity::failed);
  EXPECT_EQ(parsed->workload.deadline_of(0), 9s);
  EXPECT_EQ(parsed->workload.deadline_of(1), 4s);
  EXPECT_EQ(errors_of(with_workload("classes = [{ name = \"a\", share = 1, key = 0 }]\n")),
            "s.toml:4:43: workload.classes.key: found 0, allowed: a whole number of at least 1\n");
  EXPECT_EQ(
      errors_of(with_workload("classes = [{ name = \"a\", share = 1, slo = { p99 = 1 } }]\n")),
      "s.toml:4:45: workload.classes.slo: unknown key 'p99'; "
      "allowed: mean_response, p50_response, p90_response, p95_response, p99_response, "
      "p999_response, max_response, mean_wait, p50_wait, p90_wait, p95_wait, p99_wait, "
      "p999_wait, max_wait, rejected, abandoned, failed\n");
}

}  // namespace
}  // namespace artel::scenario
