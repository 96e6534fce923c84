#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/plan/next_workers.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/predict/replay.hpp"
#include "artel/report/backtest_text.hpp"
#include "artel/report/plan_json.hpp"
#include "artel/report/plan_table.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/replicated_histogram.hpp"

namespace artel::report {
namespace {

using experiment::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

struct Figures {
  std::uint32_t workers;
  double mean;
  Verdict verdict;
};

stat::Histogram waits_of(std::uint64_t nanoseconds) {
  stat::Histogram waits(fleet::kHistogramBits);
  waits.record(nanoseconds, 100);
  return waits;
}

// Mean <= 4 s; rows with made-up trials.
struct PlannedSample {
  PlannedSample() {
    plan.scenario.name = "sample";
    plan.scenario.workload.rate = 12.5;
    plan.scenario.pool.speeds = {1, 1};
    plan.scenario.pool.queue_bounds = {scenario::kUnbounded, scenario::kUnbounded};
    plan.slo = {{.name = "mean_response", .statistic = scenario::Statistic::mean, .limit = 4}};
    plan.confidence = 0.99;
    plan.level = 0.9975;
    plan.workers_max = 4096;
  }

  plan::PlanRow& add(const std::string& label, std::initializer_list<Figures> trials) {
    auto& row = plan.rows.emplace_back();
    row.policy = *scenario::parse_policy_spec("jsq(d=3)");
    row.policy.label = label;
    row.queue_bound = scenario::kUnbounded;
    row.complete = true;
    for (const auto& [workers, mean, verdict] : trials) {
      auto& trial = row.trials.emplace_back();
      trial.workers = workers;
      trial.verdict = verdict;
      for (const double jitter : {0.999, 1.0, 1.001}) {
        auto& r = trial.result.replications.emplace_back();
        r.tasks = r.arrived = r.completed = 100;
        r.response.mean = mean * jitter;
        r.utilisation = 0.25;
        trial.result.times.waits.add(0, waits_of(100'000'000));
      }
    }
    row.smallest = plan::smallest_met(row.trials);
    row.holes = plan::holes(row.trials);
    return row;
  }

  plan::PlanResult plan;
};

TEST(PlanTable, ShowsTheAnswerAndOneWorkerLess) {
  PlannedSample sample;
  sample.add("central", {{5, 6, Verdict::missed}, {6, 3.5, Verdict::met}, {7, 3, Verdict::met}});
  const auto text = plan_table(sample.plan);
  EXPECT_THAT(text, HasSubstr("sample: 12.5 tasks per second, mean response <= 4.00 s\n"));
  EXPECT_THAT(text, HasSubstr("policy   queue  workers  mean response"));
  EXPECT_THAT(text, HasSubstr("central    inf        6         3.50 s"));
  EXPECT_THAT(text, HasSubstr("6.00 s: no"));
  EXPECT_THAT(text, HasSubstr("3 trials of 3 replications of 100 tasks; verdicts hold with 99%"));
  EXPECT_THAT(text, HasSubstr("99.75% interval, since a verdict is looked at up to 4 times"));
  EXPECT_THAT(text, Not(HasSubstr("cost/h")));
}

TEST(PlanTable, SaysUpToWhichLoadRetriesGoWell) {
  PlannedSample sample;
  auto& row = sample.add("central", {{5, 6, Verdict::missed}, {6, 3.5, Verdict::met}});
  row.trials[0].load = 0.6;
  row.trials[1].load = 0.5;
  EXPECT_THAT(plan_table(sample.plan), Not(HasSubstr("load")));
  sample.plan.scenario.workload.callers.retry.most = 2;
  EXPECT_THAT(plan_table(sample.plan), HasSubstr("workers   load  mean response"));
  EXPECT_THAT(plan_table(sample.plan), HasSubstr("6  0.500         3.50 s"));
  EXPECT_THAT(plan_answer(sample.plan),
              HasSubstr("central: met up to a load of 0.500, with 6 workers; not at 0.600, with "
                        "5.\n"));
}

TEST(PlanTable, HasACostWhereThereIsAPrice) {
  PlannedSample sample;
  sample.plan.scenario.price_per_hour = 0.12;
  sample.add("central", {{5, 6, Verdict::missed}, {6, 3.5, Verdict::met}});
  sample.add("random", {{19, 6, Verdict::missed}, {20, 3.5, Verdict::met}});
  EXPECT_THAT(plan_table(sample.plan), HasSubstr("cost/h"));
  EXPECT_THAT(plan_answer(sample.plan),
              HasSubstr("mean response <= 4.00 s needs 6 workers with central, but 20 with random: "
                        "0.72 per hour instead of 2.40.\n"));
}

// Beside 6 workers a fleet of 5.5 on average that meets the objective, and one of 4 that does not.
PlannedSample scaled_sample() {
  PlannedSample sample;
  sample.plan.scenario.price_per_hour = 0.5;
  sample.add("central", {{5, 6, Verdict::missed}, {6, 3.5, Verdict::met}});
  const auto fleet = [&](const std::string& name, double workers, double mean) {
    auto& scaled = sample.plan.scaled.emplace_back();
    scaled.name = name;
    scaled.scaling.limits = {.min = 2, .max = 9};
    auto& policy = scaled.policies.emplace_back(sample.plan.rows[0].trials[1].result);
    policy.label = "central";
    for (auto& r : policy.replications) {
      r.workers = workers;
      r.response.mean = mean;
    }
    stat::Histogram responses(fleet::kHistogramBits);
    responses.record(1'000'000'000, 100);
    for (const std::uint32_t i : {0U, 1U, 2U}) policy.times.responses.add(i, responses);
  };
  fleet("hpa", 5.5, 3.5);
  fleet("keda(target=3)", 4, 9);
  return sample;
}

TEST(PlanTable, ComparesFleetsOfOneSizeWithThoseThatAreScaled) {
  const auto sample = scaled_sample();
  const auto text = plan_table(sample.plan);
  std::vector<std::string> rows;
  std::istringstream lines(text.substr(text.find("the same tasks with")));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    rows.push_back(
        join(std::vector<std::string>{std::istream_iterator<std::string>(words), {}}, " "));
  }
  ASSERT_THAT(rows, ::testing::SizeIs(4));
  EXPECT_EQ(rows[0],
            "the same tasks with fleet mean response ± p99 response ± SLO workers worker-hours/day "
            "cost/h");
  EXPECT_THAT(rows[1], ::testing::StartsWith("central 6 workers 3.50 s"));
  EXPECT_THAT(rows[1], ::testing::EndsWith("met 6.0 144.0 3.00"));
  EXPECT_THAT(rows[2], ::testing::StartsWith("central 2 to 9 workers (hpa) 3.50 s"));
  EXPECT_THAT(rows[2], HasSubstr(" 1.00 s 0 s met 5.5 132.0 2.75"));
  EXPECT_THAT(rows[3], ::testing::StartsWith("central 2 to 9 workers (keda(target=3)) 9.00 s"));
  EXPECT_THAT(rows[3], ::testing::EndsWith("missed 4.0 96.0 2.00"));
  EXPECT_THAT(plan_table(PlannedSample().plan), Not(HasSubstr("worker-hours")));
}

TEST(PlanJson, ComparesFleetsOfOneSizeWithThoseThatAreScaled) {
  const auto sample = scaled_sample();
  const auto json = nlohmann::json::parse(plan_json(sample.plan));
  const auto& fleets = json["fleets"];
  ASSERT_EQ(fleets.size(), 3U);
  EXPECT_TRUE(fleets[0]["scaling"].is_null());
  EXPECT_EQ(fleets[0]["worker_hours_per_day"], 144);
  EXPECT_EQ(fleets[0]["cost_per_hour"], 3);
  EXPECT_EQ(fleets[1]["scaling"], "hpa");
  EXPECT_EQ(fleets[1]["fleet"], "2 to 9 workers (hpa)");
  EXPECT_EQ(fleets[1]["worker_hours_per_day"], 132);
  EXPECT_EQ(fleets[1]["verdict"], "met");
  EXPECT_NEAR(fleets[1]["response"]["p99"]["value"].get<double>(), 1, 1e-3);
  EXPECT_EQ(fleets[2]["verdict"], "missed");
  EXPECT_EQ(fleets[2]["cost_per_hour"], 2);
  EXPECT_EQ(json["scaled"].size(), 2U);
  EXPECT_FALSE(nlohmann::json::parse(plan_json(PlannedSample().plan)).contains("fleets"));
}

TEST(PlanTable, WhatIsNotLeftToChanceIsExact) {
  auto sample = scaled_sample();
  EXPECT_THAT(plan_table(sample.plan), Not(HasSubstr("exact")));
  EXPECT_EQ(nlohmann::json::parse(plan_json(sample.plan))["rows"][0]["trials"][0]["exact"], false);
  for (auto& trial : sample.plan.rows[0].trials) trial.result.exact = true;
  const auto text = plan_table(sample.plan);
  EXPECT_THAT(text, HasSubstr("; nothing is left to chance: verdicts are exact\n"));
  EXPECT_THAT(text, Not(HasSubstr("confidence")));
  EXPECT_THAT(text, HasSubstr("met, exact"));
  EXPECT_EQ(nlohmann::json::parse(plan_json(sample.plan))["rows"][0]["trials"][0]["exact"], true);
}

TEST(PlanAnswer, SaysWhatIsTooCloseOrNotMonotone) {
  PlannedSample sample;
  sample.add("central", {{5, 4, Verdict::unclear}, {6, 3.5, Verdict::met}});
  sample.add("odd", {{4, 3, Verdict::met}, {6, 5, Verdict::missed}, {7, 3.5, Verdict::met}});
  const auto text = plan_answer(sample.plan);
  EXPECT_THAT(text, HasSubstr("central: 5 workers are too close to call; 6 are sure.\n"));
  EXPECT_THAT(text, HasSubstr("odd: the sizes that do have holes: 4 met it too, 6 did not. Smaller "
                              "ones were not all tried; the answer is where the holes that were "
                              "found end.\n"));
}

TEST(PlanAnswer, WhatIsTooCloseIsNoHole) {
  PlannedSample sample;
  sample.add("chance", {{4, 3, Verdict::met}, {5, 4, Verdict::unclear}, {6, 3.5, Verdict::met}});
  sample.add("most", {{4, 3, Verdict::met}, {8, 3, Verdict::met}, {4096, 4, Verdict::unclear}});
  const auto text = plan_answer(sample.plan);
  EXPECT_THAT(text,
              HasSubstr("chance: 5 workers are too close to call, though 4 met it; 6 are sure.\n"));
  EXPECT_THAT(
      text,
      HasSubstr("most: too close to call with 4096 workers, though 4 and 8 met it: mean response "
                "is 4.00 s ± "));
  EXPECT_THAT(text, Not(HasSubstr("holes")));
}

TEST(PlanAnswer, SaysThatSizesHaveHolesAlsoWithoutAnAnswer) {
  PlannedSample sample;
  sample.add("odd", {{4, 3, Verdict::met}, {4096, 5, Verdict::missed}});
  EXPECT_THAT(plan_answer(sample.plan),
              HasSubstr("odd: the sizes that do have holes: 4 met it too, 4096 did not."));
  const auto row = nlohmann::json::parse(plan_json(sample.plan))["rows"][0];
  EXPECT_EQ(row["holes"], std::vector<int>{4096});
  EXPECT_FALSE(row["monotone"].get<bool>());
}

TEST(PlanAnswer, SaysWhyThereIsNone) {
  PlannedSample sample;
  sample.plan.scenario.workload.mean_service_s = 1000;
  sample.add("busy", {});
  sample.add("slow", {{4096, 5, Verdict::missed}});
  auto& long_tasks = sample.add("long", {{4096, 5, Verdict::missed}});
  auto& waits = long_tasks.trials[0].result.times.waits;
  waits = stat::ReplicatedHistogram(fleet::kHistogramBits);
  waits.add(0, waits_of(0));
  EXPECT_THAT(plan_answer(sample.plan), HasSubstr("No policy meets mean response <= 4.00 s.\n"));
  sample.add("narrow", {{4096, 4, Verdict::unclear}});
  const auto text = plan_answer(sample.plan);
  EXPECT_THAT(text, HasSubstr("Whether mean response <= 4.00 s can be met is not known.\n"));
  EXPECT_THAT(text, HasSubstr("busy: 4096 workers, the most allowed, cannot keep up"));
  EXPECT_THAT(text, HasSubstr("slow: not met with 4096 workers, the most allowed: mean response is "
                              "5.00 s.\n"));
  EXPECT_THAT(text,
              HasSubstr("long: not met with 4096 workers, with which no task waits for one: mean "
                        "response is 5.00 s, and the work alone takes longer, however many "
                        "workers.\n"));
  EXPECT_THAT(text,
              HasSubstr("narrow: too close to call with 4096 workers: mean response is 4.00 s ± "));
  EXPECT_EQ(plan_code(sample.plan), "");
}

// A window too short to tell in which nobody waited.
TEST(PlanAnswer, BlamesTheWorkOnlyWhereItIsSurelyTooLong) {
  PlannedSample sample;
  auto& waits = sample.add("few", {{1, 4, Verdict::unclear}}).trials[0].result.times.waits;
  waits = stat::ReplicatedHistogram(fleet::kHistogramBits);
  waits.add(0, waits_of(0));
  EXPECT_THAT(plan_answer(sample.plan),
              HasSubstr("few: too close to call with 1 worker: mean response is 4.00 s ± "));
}

TEST(PlanAnswer, OfAStoppedPlanIsABound) {
  PlannedSample sample;
  sample.plan.complete = false;
  sample.add("central", {{6, 3.5, Verdict::met}}).complete = false;
  sample.add("random", {}).complete = false;
  EXPECT_THAT(plan_table(sample.plan), HasSubstr("<= 6"));
  EXPECT_THAT(plan_table(sample.plan), HasSubstr("INCOMPLETE"));
  EXPECT_THAT(plan_answer(sample.plan), HasSubstr("needs at most 6 workers with central"));
}

TEST(PlanCode, IsThePoolOfTheBestRow) {
  PlannedSample sample;
  sample.add("random", {{20, 3.5, Verdict::met}});
  sample.add("jsq", {{6, 3.5, Verdict::met}});
  EXPECT_THAT(plan_code(sample.plan), HasSubstr(".workers = 6,\n"));
  EXPECT_THAT(plan_code(sample.plan), HasSubstr(".dispatch = dispatch::Jsq{.d = 3},\n"));
}

TEST(PlanJson, HoldsEveryTrial) {
  PlannedSample sample;
  sample.plan.scenario.price_per_hour = 0.5;
  sample.add("random", {});
  sample.add("central", {{5, 6, Verdict::missed}, {6, 3.5, Verdict::met}}).queue_bound = 1;
  const auto json = nlohmann::json::parse(plan_json(sample.plan));
  EXPECT_EQ(json["schema"], "artel.plan/1");
  EXPECT_EQ(json["slo"][0]["limit"], 4);
  EXPECT_EQ(json["best"], 1);
  const auto& none = json["rows"][0];
  EXPECT_TRUE(none["workers"].is_null() && none["cost_per_hour"].is_null() &&
              none["code"].is_null());
  EXPECT_EQ(none["queue_bound"], "inf");
  EXPECT_THAT(none["reason"].get<std::string>(), HasSubstr("4096 workers, the most allowed, "));
  const auto& row = json["rows"][1];
  EXPECT_EQ(row["workers"], 6);
  EXPECT_TRUE(row["reason"].is_null());
  EXPECT_EQ(row["queue_bound"], 1);
  EXPECT_EQ(row["cost_per_hour"], 3);
  EXPECT_EQ(row["trials"][0]["verdict"], "missed");
  EXPECT_NEAR(row["trials"][1]["slo"][0]["value"].get<double>(), 3.5, 1e-9);
  EXPECT_GT(row["trials"][1]["slo"][0]["half_width"].get<double>(), 0);
  EXPECT_THAT(row["code"].get<std::string>(), HasSubstr(".workers = 6,"));
  EXPECT_FALSE(json.contains("settings"));
}

TEST(PlanJson, HoldsTheBacktestOrWhyThereIsNone) {
  PlannedSample sample;
  sample.add("central", {{6, 3.5, Verdict::met}});
  EXPECT_FALSE(nlohmann::json::parse(plan_json(sample.plan)).contains("backtest"));
  predict::Backtest test{.fitted_tasks = 200, .predicted_tasks = 300, .workers = 4};
  const auto p99 = static_cast<std::size_t>(predict::Figure::p99_response);
  test.measured.values[p99] = 2;
  test.predicted.values[p99] = test.low.values[p99] = test.high.values[p99] = 3;
  test.measured.values[static_cast<std::size_t>(predict::Figure::utilisation)] =
      std::numeric_limits<double>::quiet_NaN();
  auto json = nlohmann::json::parse(
      plan_json(sample.plan, {}, {.backtest = backtest_json(test)}))["backtest"];
  EXPECT_TRUE(json["no_answer"].is_null());
  EXPECT_EQ(json["predicted_tasks"], 300);
  EXPECT_EQ(json["figures"]["p99_response"]["error"], 0.5);
  EXPECT_TRUE(json["figures"]["utilisation"]["measured"].is_null());
  EXPECT_EQ(json["reasons"].size(), test.reasons().size());
  EXPECT_FALSE(json["reasons"].empty());

  const auto none = fail(ErrorCode::invalid, "too few tasks");
  json = nlohmann::json::parse(
      plan_json(sample.plan, {}, {.backtest = backtest_json(none)}))["backtest"];
  EXPECT_EQ(json["no_answer"], "too few tasks");
}

TEST(PlanJson, HoldsTheSettingsThatAreAskedFor) {
  PlannedSample sample;
  sample.add("central", {{6, 3.5, Verdict::met}});
  const auto json = nlohmann::json::parse(plan_json(sample.plan, {"haproxy", "pool"}));
  EXPECT_EQ(json["settings"].size(), 2U);
  EXPECT_THAT(json["settings"]["haproxy"].get<std::string>(), HasSubstr("balance random(3)\n"));
  PlannedSample none;
  none.add("random", {});
  EXPECT_TRUE(
      nlohmann::json::parse(plan_json(none.plan, {"celery"}))["settings"]["celery"].is_null());
}

}  // namespace
}  // namespace artel::report
