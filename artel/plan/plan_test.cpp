#include "artel/plan/plan.hpp"
#include "artel/plan/change_rate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/pool_code.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/parse_slo.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::plan {
namespace {

using ::testing::HasSubstr;

// Exponential service of mean 1 s.
scenario::Scenario queue(const std::string& arrivals, const std::string& policies,
                         const std::string& more = "") {
  const auto text = fmt::format(R"(
[workload]
arrivals = {}
service  = {{ distribution = "exponential", mean = "1 s" }}
[dispatch]
policies = [{}]
[run]
tasks = 8000
[pool]
workers = 4
{})",
                                arrivals, policies, more);
  auto scenario = scenario::parse_scenario(text, "queue.toml", {}, scenario::Overload::allow);
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return *std::move(scenario);
}

PlanResult planned(const scenario::Scenario& scenario, const std::string& slo,
                   PlanOptions options = {}) {
  options.slo = *scenario::parse_slo(slo);
  options.jobs = 2;
  auto result = plan(scenario, options);
  EXPECT_TRUE(result) << to_string(result.error());
  return *std::move(result);
}

// Mean wait in M/M/c with service of mean 1 (Erlang C).
double erlang_wait(double rate, std::uint32_t workers) {
  double blocking = 1;  // Erlang B, by its recursion
  for (std::uint32_t c = 1; c <= workers; ++c) blocking = rate * blocking / (c + rate * blocking);
  const double load = rate / workers;
  const double waiting = blocking / (1 - load * (1 - blocking));
  return waiting / (workers - rate);
}

// What the closed form calls the smallest: value(c) decreases.
std::uint32_t smallest(double limit, std::uint32_t first,
                       const std::function<double(std::uint32_t)>& value) {
  while (value(first) > limit) ++first;
  return first;
}

TEST(Plan, CentralQueueNeedsWhatErlangCSays) {
  struct Case {
    double rate;
    std::uint32_t expected;
  };
  for (const auto& [rate, expected] : {Case{0.5, 2}, Case{3.2, 5}, Case{24, 29}}) {
    const auto scenario =
        queue(fmt::format("{{ kind = \"poisson\", rate = {} }}", rate), "\"central\"");
    // Between what that many workers have and what one less has.
    const double limit = std::sqrt(erlang_wait(rate, expected) * erlang_wait(rate, expected - 1));
    const auto result = planned(scenario, fmt::format("mean_wait<{:.3f}ms", 1000 * limit));
    const auto& row = result.rows.at(0);
    EXPECT_EQ(row.smallest, expected) << rate;
    EXPECT_TRUE(row.complete && row.holes.empty());
    for (const auto& trial : row.trials) {
      if (trial.load < 0.6) continue;  // waits are too rare there for a normal distribution
      const auto wait =
          trial.result.estimate(scenario::Quantity::wait, scenario::Statistic::mean, 0.9999);
      EXPECT_TRUE(wait.contains(erlang_wait(rate, trial.workers))) << rate << " " << trial.workers;
      EXPECT_DOUBLE_EQ(trial.load, rate / trial.workers);
    }
  }
}

TEST(Plan, RandomSplitNeedsWhatIndependentQueuesDo) {
  // Each worker is an M/M/1: p99 of the response is ln(100) / (1 - rate / c).
  const double rate = 5;
  const double limit = 8;
  const auto scenario = queue("{ kind = \"poisson\", rate = 5 }", "\"random\", \"central\"");
  const auto result = planned(scenario, "p99<8s");
  const auto expected =
      smallest(limit, 6, [&](std::uint32_t c) { return std::log(100.0) / (1 - rate / c); });
  EXPECT_EQ(result.rows.at(0).smallest, expected);
  EXPECT_EQ(result.best(), &result.rows.at(1)) << "the central queue needs fewer";
}

TEST(Plan, EveryTrialSeesTheSameArrivals) {
  auto scenario = queue("{ kind = \"poisson\", load = 0.8 }", "\"central\", \"random\"",
                        "[slo]\nmean_wait = \"100 ms\"");
  scenario.run.warm_up = {.kind = scenario::WarmUp::Kind::share, .share = 0.1};
  const auto result = *plan(scenario, {});
  EXPECT_DOUBLE_EQ(result.scenario.workload.rate, 3.2) << "as in the scenario's own pool";
  const auto& reference = result.rows.at(0).trials.at(0).result.replications;
  for (const auto& row : result.rows) {
    ASSERT_GE(row.trials.size(), 3U);
    for (const auto& trial : row.trials) {
      for (std::size_t i = 0; i < reference.size(); ++i)
        EXPECT_EQ(trial.result.replications.at(i).window_s, reference.at(i).window_s);
    }
  }
}

TEST(Plan, AnswersAreTheSameWithAnyNumberOfThreads) {
  const auto scenario = queue("{ kind = \"poisson\", rate = 3 }", "\"central\", \"jiq\"",
                              "[slo]\np99_response = \"6 s\"");
  const auto one = *plan(scenario, {.jobs = 1});
  const auto many = *plan(scenario, {.jobs = 5});
  for (std::size_t r = 0; r < 2; ++r) {
    ASSERT_EQ(one.rows[r].trials.size(), many.rows[r].trials.size());
    for (std::size_t t = 0; t < one.rows[r].trials.size(); ++t) {
      EXPECT_TRUE(one.rows[r].trials[t].result.replications ==
                  many.rows[r].trials[t].result.replications);
    }
  }
}

TEST(Plan, UnclearVerdictsGetMoreReplications) {
  const auto scenario = queue("{ kind = \"poisson\", rate = 3.2 }", "\"central\"");
  // The limit is what six workers have, so that these are too close to call.
  const auto limit = erlang_wait(3.2, 6);
  const auto result = planned(scenario, fmt::format("mean_wait<{}us", std::round(1e6 * limit)));
  const auto* six = result.rows.at(0).trial(6);
  ASSERT_NE(six, nullptr);
  EXPECT_EQ(six->verdict, experiment::Verdict::unclear);
  EXPECT_EQ(six->result.replications.size(), 10U << kPlanDoublings);
  EXPECT_EQ(result.rows[0].smallest, 7U);
  EXPECT_EQ(result.rows[0].trial(7)->result.replications.size(), 10U);
}

TEST(Plan, LoadOfOneIsNeverTriedWhereAllTasksAreTaken) {
  const auto result =
      planned(queue("{ kind = \"poisson\", rate = 3.2 }", "\"central\""), "mean_wait<1h");
  EXPECT_EQ(result.rows.at(0).workers_min, 4U);
  EXPECT_EQ(result.rows.at(0).smallest, 4U);
}

TEST(Plan, TurningTasksAwayIsNoWayToMeetAnObjective) {
  const auto scenario =
      queue("{ kind = \"poisson\", rate = 3.2 }", "\"central\"", "common_bound = 1");
  const auto implied = planned(scenario, "p99<20s");
  ASSERT_TRUE(implied.rejected_implied);
  EXPECT_EQ(implied.slo.back().name, "rejected");
  EXPECT_DOUBLE_EQ(implied.slo.back().limit, kPlanRejected);
  const auto asked = planned(scenario, "p99<20s,rejected<20%");
  EXPECT_FALSE(asked.rejected_implied);
  EXPECT_LT(asked.rows.at(0).smallest, implied.rows.at(0).smallest);
  EXPECT_EQ(asked.rows.at(0).workers_min, 1U);
}

TEST(Plan, TriesEveryQueueBoundForEveryPolicy) {
  const auto scenario = queue("{ kind = \"poisson\", rate = 3 }", "\"central\", \"random\"");
  const auto result = planned(scenario, "p99<10s", {.queue_bounds = {1, dispatch::kUnbounded}});
  ASSERT_EQ(result.rows.size(), 3U) << "a central queue has its own bound";
  EXPECT_EQ(result.rows[0].queue_bound, 1U);
  EXPECT_EQ(result.rows[1].queue_bound, 1U);
  EXPECT_EQ(result.rows[2].queue_bound, dispatch::kUnbounded);
  EXPECT_EQ(result.rows[1].smallest, result.rows[0].smallest);
  EXPECT_GT(result.rows[2].smallest, result.rows[1].smallest);
}

TEST(Plan, ServiceAloneBeyondTheLimitHasNoAnswer) {
  const auto result = planned(queue("{ kind = \"poisson\", rate = 3 }", "\"central\""), "p99<1s",
                              {.workers_max = 64});
  const auto& row = result.rows.at(0);
  EXPECT_EQ(row.smallest, std::nullopt);
  EXPECT_TRUE(row.complete);
  EXPECT_LT(row.trials.back().workers, 64U) << "no task waited there: more change nothing";
  EXPECT_FALSE(result.more_may_help(row.trials.back()));
  EXPECT_EQ(result.best(), nullptr);
}

TEST(Plan, MoreThanTheMostWorkersHasNoAnswer) {
  const auto result = planned(queue("{ kind = \"poisson\", rate = 30 }", "\"central\""), "p99<8s",
                              {.workers_max = 20});
  EXPECT_EQ(result.rows.at(0).smallest, std::nullopt);
  EXPECT_TRUE(result.rows.at(0).trials.empty());
  EXPECT_TRUE(result.complete);
}

TEST(Plan, PriceMakesACost) {
  const auto scenario =
      queue("{ kind = \"poisson\", rate = 3 }", "\"central\"", "[plan]\nprice = 0.5");
  const auto result = planned(scenario, "p99<10s");
  EXPECT_DOUBLE_EQ(result.cost_per_hour(6).value_or(0), 3);
  EXPECT_EQ(PlanResult{}.cost_per_hour(6), std::nullopt);
}

TEST(Plan, StoppedItKeepsWhatIsKnown) {
  std::stop_source stop;
  auto scenario =
      queue("{ kind = \"poisson\", rate = 3 }", "\"central\"", "[slo]\np99_response = \"8 s\"");
  const auto result =
      *plan(scenario,
            {.jobs = 2, .stop = stop.get_token(), .progress = [&](const PlanProgress& progress) {
               if (progress.replications == 15) stop.request_stop();
             }});
  EXPECT_FALSE(result.complete);
  ASSERT_EQ(result.rows.at(0).trials.size(), 1U);
  EXPECT_FALSE(result.rows[0].complete);
  EXPECT_EQ(result.rows[0].trials[0].result.replications.size(), 10U);
}

TEST(Plan, IsStoppedFromWithinAReplication) {
  std::stop_source stop;
  auto scenario = queue("{ kind = \"poisson\", rate = 3 }", "\"central\"");
  scenario.run.tasks = 100'000'000;
  double under_way = 0;
  const auto result = planned(scenario, "p99<8s",
                              {.stop = stop.get_token(), .progress = [&](const PlanProgress& p) {
                                 under_way = p.under_way;
                                 stop.request_stop();
                               }});
  EXPECT_FALSE(result.complete);
  EXPECT_GT(under_way, 0);
}

TEST(Plan, RefusesWhatMakesNoSense) {
  const auto scenario = queue("{ kind = \"poisson\", rate = 3 }", "\"central\"");
  const auto error_of = [&](const PlanOptions& options) {
    const auto result = plan(scenario, options);
    return result ? "no error" : result.error().what;
  };
  EXPECT_THAT(error_of({}), HasSubstr("no objective to meet"));
  const auto slo = *scenario::parse_slo("p99<8s");
  EXPECT_THAT(error_of({.slo = slo, .confidence = 1}), HasSubstr("found 1, allowed: from 0.5"));
  EXPECT_THAT(error_of({.slo = slo, .confidence = NAN}), HasSubstr("allowed"));
  EXPECT_THAT(error_of({.slo = slo, .workers_max = 0}), HasSubstr("found 0, allowed: from 1"));
}

TEST(ChangeRate, MultipliesOrSets) {
  auto scenario = queue("{ kind = \"poisson\", rate = 3 }", "\"central\"");
  ASSERT_TRUE(change_rate(scenario, "x1.5"));
  EXPECT_DOUBLE_EQ(scenario.workload.rate, 4.5);
  EXPECT_DOUBLE_EQ(std::get<scenario::PoissonArrivals>(scenario.workload.arrivals).rate, 4.5);
  ASSERT_TRUE(change_rate(scenario, "9/s"));
  EXPECT_DOUBLE_EQ(std::get<scenario::PoissonArrivals>(scenario.workload.arrivals).rate, 9);
}

TEST(ChangeRate, ScalesBurstsAndReplays) {
  auto bursts = queue(
      "{ kind = \"mmpp\", states = [{ rate = 1, mean_duration = \"9 s\" }, "
      "{ rate = 11, mean_duration = \"1 s\" }] }",
      "\"central\"");
  ASSERT_TRUE(change_rate(bursts, "4/s"));
  EXPECT_DOUBLE_EQ(std::get<scenario::MmppArrivals>(bursts.workload.arrivals).states[1].rate, 22);
  scenario::Scenario replay;
  replay.workload.arrivals = scenario::TraceArrivals{.scale = 2};
  replay.workload.rate = 10;
  ASSERT_TRUE(change_rate(replay, "x0.5"));
  EXPECT_DOUBLE_EQ(std::get<scenario::TraceArrivals>(replay.workload.arrivals).scale, 1);
  EXPECT_DOUBLE_EQ(replay.workload.rate, 5);
}

TEST(ChangeRate, RefusalSaysWhatIsAllowed) {
  auto scenario = queue("{ kind = \"poisson\", rate = 3 }", "\"central\"");
  for (const auto* text : {"", "x", "1.5", "x0", "x-1", "xnan", "xinf", "0/s", "x1e30", "3/h"}) {
    const auto changed = change_rate(scenario, text);
    ASSERT_FALSE(changed) << text;
    EXPECT_THAT(changed.error().what, HasSubstr("allowed: a factor like x1.5")) << text;
  }
  EXPECT_DOUBLE_EQ(scenario.workload.rate, 3);
}

TEST(Plan, CountsWorkersWithSlotsAndGivesNoCodeForThem) {
  const auto one = queue("{ kind = \"poisson\", rate = 6.4 }", "\"central\"");
  const auto slots = queue("{ kind = \"poisson\", rate = 6.4 }", "\"central\"", "slots = 4");
  EXPECT_EQ(planned(one, "mean<1.5s").best()->smallest, 8U);
  const auto plan = planned(slots, "mean<1.5s");
  EXPECT_EQ(plan.best()->smallest, 2U);
  EXPECT_FALSE(pool_options(plan, *plan.best()));
}

TEST(Plan, ImpatientCallersCanBeTooMany) {
  const auto scenario = queue("{ kind = \"poisson\", rate = 6.4 }", "\"central\"",
                              "[workload.patience]\ndistribution = \"exponential\"\nmean = \"2s\"");
  const auto plan = planned(scenario, "abandoned<10%");
  EXPECT_EQ(plan.rows[0].workers_min, 1U);
  ASSERT_TRUE(plan.best());
  EXPECT_THAT(plan.best()->smallest.value_or(0),
              ::testing::AllOf(::testing::Ge(6U), ::testing::Le(8U)));
}

}  // namespace
}  // namespace artel::plan
