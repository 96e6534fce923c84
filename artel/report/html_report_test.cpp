#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/observed_policies.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/growth.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/planned_scenario.hpp"
#include "artel/predict/replay.hpp"
#include "artel/report/detail/significant.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/report/experiment_summary.hpp"
#include "artel/report/html_experiment.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/html_plan.hpp"
#include "artel/report/html_replay.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/study.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::json;

scenario::Study study_of(const std::string& more, const std::string& name = "queue") {
  auto parsed = scenario::parse_study("name = '" + name + R"('
[workload]
arrivals = { kind = "poisson", rate = 3 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 4
[dispatch]
policies = ["least_loaded", "random"]
[run]
tasks        = 4000
replications = 16
)" + more,
                                      "queue.toml");
  EXPECT_TRUE(parsed) << to_string(parsed.error().front());
  return *std::move(parsed);
}

struct Experiment {
  explicit Experiment(const std::string& more, const std::string& name = "queue")
      : study(study_of(more, name)), result(experiment::run_experiment(study, {})) {}
  scenario::Study study;
  experiment::ExperimentResult result;
};

constexpr const char* kSweep = R"(
[slo]
p99_response = "7 s"
[sweep]
pool.workers = [4, 6, 16]
)";

TEST(HtmlReport, HoldsTheSameDocumentAsTheJsonOutput) {
  const Experiment run(kSweep);
  const auto json = Json::parse(report_json(html_experiment(run.study, run.result, {})));
  EXPECT_EQ(json["schema"], "artel.report/1");
  EXPECT_EQ(json["simulate"], Json::parse(experiment_json(run.study, run.result)));
  EXPECT_FALSE(json.contains("observed"));
}

TEST(HtmlReport, TailsFallToOneTaskOfOneReplication) {
  const Experiment run("");
  const auto json = Json::parse(report_json(html_experiment(run.study, run.result, {})));
  for (const auto& tail : json["tails"][0]) {
    const auto seconds = tail["seconds"].get<std::vector<double>>();
    const auto share = tail["share"].get<std::vector<double>>();
    ASSERT_EQ(seconds.size(), share.size());
    ASSERT_GT(seconds.size(), 20U);
    EXPECT_EQ(share.front(), 1);
    EXPECT_NEAR(share.back(), 1.0 / 4000, 1.0 / 4000);
    for (std::size_t i = 1; i < share.size(); ++i) {
      EXPECT_LT(share[i], share[i - 1]);
      EXPECT_GE(seconds[i], seconds[i - 1]);
    }
  }
}

TEST(HtmlReport, ObservationFitsTheScenario) {
  const Experiment run("");
  const auto observed = experiment::observe_policies(run.study.points[0].scenario, {});
  const auto json = Json::parse(report_json(html_experiment(run.study, run.result, observed)));
  const auto& seen = json["observed"];
  EXPECT_EQ(seen["point"], 0);
  EXPECT_EQ(seen["workers"], 4);
  ASSERT_EQ(seen["policies"].size(), 2U);
  for (const auto& policy : seen["policies"]) {
    EXPECT_EQ(policy["in_system"].size(), policy["busy"].size());
    EXPECT_EQ(policy["rows"]["tasks_per_worker"].size(), 4U);
    const auto& tasks = policy["tasks"];
    EXPECT_EQ(tasks["worker"].size(), tasks["end"].size());
    EXPECT_GT(tasks["worker"].size(), 10U);
  }
}

TEST(HtmlSummary, SaysHowManyWorkersEachPolicyNeeds) {
  const Experiment run(kSweep);
  const auto summary = experiment_summary(run.study, run.result);
  ASSERT_FALSE(summary.empty());
  EXPECT_EQ(summary.front(),
            "Least loaded needs 6 workers for p99 response <= 7.00 s; random needs 16 workers.");
  EXPECT_EQ(point_of_interest(run.study, run.result), 1U);
}

TEST(HtmlSummary, SaysWhoNeverMeetsTheObjective) {
  const Experiment run("[slo]\np99_response = '5.5 s'\n[sweep]\npool.workers = [4, 6, 8]\n");
  EXPECT_EQ(experiment_summary(run.study, run.result).front(),
            "Least loaded needs 6 workers for p99 response <= 5.50 s; random misses it even "
            "with 8 workers.");
  const Experiment none("[slo]\np99_response = '1 s'\n[sweep]\npool.workers = [4, 6]\n");
  EXPECT_EQ(experiment_summary(none.study, none.result).front(),
            "No policy meets p99 response <= 1.00 s at any pool.workers that was tried.");
  EXPECT_EQ(point_of_interest(none.study, none.result), 1U);
}

TEST(HtmlSummary, WithoutASweepSaysWhoMeetsTheObjective) {
  const Experiment run("[slo]\np99_response = '10 s'\n");
  EXPECT_EQ(experiment_summary(run.study, run.result).front(),
            "Least loaded meets p99 response <= 10.0 s with 4 workers; random misses it.");
}

TEST(HtmlSummary, WithoutAnObjectiveComparesThePolicies) {
  const Experiment run("");
  const auto summary = experiment_summary(run.study, run.result);
  ASSERT_EQ(summary.size(), 1U);
  EXPECT_TRUE(summary[0].starts_with("Least loaded keeps the 99th percentile")) << summary[0];
  EXPECT_NE(summary[0].find("random at"), std::string::npos) << summary[0];
}

TEST(HtmlSummary, DrawsNoAnswerFromAnInterruptedRun) {
  Experiment run(kSweep);
  run.result.complete = false;
  EXPECT_TRUE(experiment_summary(run.study, run.result).front().starts_with("Stopped early"));
  EXPECT_EQ(point_of_interest(run.study, run.result), 0U);
  run.result.points[0].policies[1].replications.clear();  // now the second one is known best
  EXPECT_EQ(point_of_interest(run.study, run.result), 1U);
}

TEST(HtmlPlan, HasAnswerTrialsAndCurves) {
  auto study = study_of("[slo]\np99_response = '9 s'\n");
  study.points[0].scenario.dispatch.policies.resize(1);
  const auto plan = plan::plan(study.points[0].scenario, {.queue_bounds = {scenario::kUnbounded}});
  ASSERT_TRUE(plan);
  ASSERT_NE(plan->best(), nullptr);
  const auto scenario = plan::planned_scenario(*plan);
  EXPECT_EQ(scenario.pool.speeds.size(), plan->best()->smallest.value_or(0));
  const auto observed = experiment::observe_policies(scenario, {});
  const auto json = Json::parse(report_json(html_plan(*plan, observed)));
  EXPECT_TRUE(json["summary"][0].get<std::string>().starts_with("p99 response <= 9.00 s needs "));
  EXPECT_EQ(json["plan"]["schema"], "artel.plan/1");
  EXPECT_EQ(json["tails"][0][0]["policy"], "least_loaded");
  EXPECT_EQ(json["observed"]["workers"], json["plan"]["rows"][0]["workers"]);
  EXPECT_FALSE(json.contains("growth") || json["plan"].contains("fleet"));
}

TEST(HtmlPlan, HasWhatGrowthDoesAndWhatWasRecorded) {
  auto study = study_of("[slo]\np99_response = '9 s'\n");
  study.points[0].scenario.dispatch.policies.resize(1);
  const auto plan = plan::plan(study.points[0].scenario, {});
  ASSERT_TRUE(plan);
  const auto json = Json::parse(
      report_json(html_plan(*plan, {}, {.fleet = R"({"tasks":7})"}, plan::growth(*plan, {}))));
  EXPECT_EQ(json["plan"]["fleet"]["tasks"], 7);
  ASSERT_EQ(json["growth"].size(), 9U);
  const auto& most = json["growth"][6];
  EXPECT_EQ(most["rate"], 1.5);
  EXPECT_EQ(most["work"], 1);
  EXPECT_EQ(most["verdict"], most["slo"][0]["verdict"]);
  EXPECT_EQ(most["slo"][0]["value"], most["response"]["p99"]["value"]);
}

TEST(HtmlPlan, RowsOfOnePolicyAreToldApartByTheirQueue) {
  const auto scenario = study_of("[slo]\np99_response = '9 s'\n").points[0].scenario;
  const auto plan = plan::plan(scenario, {.queue_bounds = {2, scenario::kUnbounded}});
  ASSERT_TRUE(plan);
  std::vector<std::string> names;
  for (const auto& row : plan->rows) names.push_back(plan::row_name(*plan, row));
  EXPECT_EQ(names, (std::vector<std::string>{"least_loaded (queue 2)", "least_loaded (queue inf)",
                                             "random (queue 2)", "random (queue inf)"}));
}

// Two workers; the second task waits for the first one on worker 0.
std::vector<trace::TaskRecord> some_tasks() {
  const auto at = [](int ms) { return Instant{std::chrono::milliseconds(ms)}; };
  return {{.submitted = at(50),
           .bound = at(50),
           .started = at(50),
           .finished = at(60),
           .worker = WorkerId{0}},
          {.submitted = at(52),
           .bound = at(52),
           .started = at(60),
           .finished = at(70),
           .worker = WorkerId{0}},
          {.submitted = at(90),
           .bound = at(90),
           .started = at(90),
           .finished = at(95),
           .worker = WorkerId{1}}};
}

TEST(HtmlReplay, SaysHowFarOffThePredictionIs) {
  trace::TaskTrace recorded;
  recorded.tasks = some_tasks();
  const auto prediction = predict::replay(
      recorded, {.calibrate = {.workers = 2, .policy = "random"}, .replications = 0});
  ASSERT_TRUE(prediction);
  const auto json = Json::parse(report_json(html_replay(*prediction, recorded.tasks)));
  const auto first = json["summary"][0].get<std::string>();
  EXPECT_TRUE(first.starts_with("The predicted p99 response time ")) << first;
  EXPECT_EQ(json["replay"]["schema"], "artel.replay/1");
  ASSERT_EQ(json["tails"][0].size(), 2U);
  const auto& measured = json["observed"]["policies"][0];
  EXPECT_EQ(measured["policy"], "measured");
  EXPECT_EQ(measured["tasks"]["worker"], Json({0, 0, 1}));
  EXPECT_EQ(measured["tasks"]["start"], Json({0.0, 0.01, 0.04}));
  EXPECT_EQ(json["observed"]["policies"][1]["policy"], "predicted, same work");
}

TEST(HtmlPage, EscapesWhatWouldBeReadAsHtml) {
  EXPECT_EQ(escape_html("<b a=\"x\" b='y'>&"), "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
  const std::string json = R"({"a":"</script><!--&"})";
  const auto escaped = escape_json_for_script(json);
  EXPECT_EQ(escaped.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(Json::parse(escaped), Json::parse(json));
}

TEST(HtmlPage, HasTheDataOnceAndNothingThatLoads) {
  if (!check_html_page()) GTEST_SKIP() << "built without the page";
  const Experiment run("", "</script><script>alert(1)//");
  const auto page = html_page(html_experiment(run.study, run.result, {}));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->find("<script>alert"), std::string::npos);
  EXPECT_NE(page->find("<title>&lt;/script&gt;"), std::string::npos);
  const std::string open = R"(<script type="application/json" id="report">)";
  const auto start = page->find(open);
  ASSERT_NE(start, std::string::npos);
  EXPECT_EQ(page->find(open, start + 1), std::string::npos);
  const auto end = page->find("</script>", start);
  const auto json = Json::parse(page->substr(start + open.size(), end - start - open.size()));
  EXPECT_EQ(json["title"], "</script><script>alert(1)//");
  EXPECT_NE(page->find("default-src 'none'"), std::string::npos);
}

TEST(Significant, KeepsSixDigits) {
  EXPECT_EQ(detail::significant(0), 0);
  EXPECT_EQ(detail::significant(1.23456789), 1.23457);
  EXPECT_EQ(detail::significant(-0.000123456789), -0.000123457);
  EXPECT_EQ(detail::significant(123456789), 123456789);
}

}  // namespace
}  // namespace artel::report
