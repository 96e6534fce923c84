#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/report/experiment_csv.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/report/experiment_table.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/stage_settings.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::report {
namespace {

// Two policies, two sizes, known figures.
struct Sample {
  Sample() {
    study.axes = result.axes = {{.key = "pool.workers", .values = {"4", "8"}}};
    for (const auto* workers : {"4", "8"}) {
      auto& point = study.points.emplace_back();
      point.values = {workers};
      point.scenario.name = "sample";
      point.scenario.pool.speeds.assign(std::stoul(workers), 1.0);
      point.scenario.slo = {
          {.name = "mean_response", .statistic = scenario::Statistic::mean, .limit = 2.5}};
      auto& measured = result.points.emplace_back();
      measured.values = point.values;
      measured.warm_up_tasks = 10;
      for (const auto* label : {"quick, \"good\"", "slow"}) {
        auto& policy = measured.policies.emplace_back();
        policy.label = label;
        const double scale = (*workers == '4' ? 2 : 1) * (*label == 's' ? 2 : 1);
        for (const double jitter : {0.99, 1.0, 1.01}) {
          auto& r = policy.replications.emplace_back();
          r.tasks = 100;
          r.arrived = r.completed = 90;
          r.response = {.mean = scale * jitter,
                        .p50 = scale,
                        .p90 = scale,
                        .p95 = scale,
                        .p99 = 1.5 * scale * jitter,
                        .p999 = scale,
                        .max = 3 * scale};
          r.utilisation = 0.25;
        }
      }
    }
  }
  scenario::Study study;
  experiment::ExperimentResult result;
};

TEST(ExperimentTable, ShowsFiguresVerdictsAndWhatTheyAreBasedOn) {
  const Sample sample;
  const auto text = experiment_table(sample.study, sample.result);
  EXPECT_NE(text.find("sample, pool.workers = 4: response time in s"), std::string::npos) << text;
  EXPECT_NE(text.find("3 replications of 100 tasks per policy, the first 10 left out as warm-up"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("4.000  0.229"), std::string::npos) << text;  // t(99%, 2) · 0.04 / √3
  EXPECT_NE(text.find("SLO: mean response <= 2.50 s"), std::string::npos) << text;
}

TEST(ExperimentTable, AnswersInWords) {
  const Sample sample;
  const auto answer = experiment_answer(sample.study, sample.result);
  EXPECT_NE(
      answer.find(
          "mean response <= 2.50 s needs pool.workers = 4 with quick, \"good\", but 8 with slow."),
      std::string::npos)
      << answer;
}

TEST(ExperimentTable, ShowsWhoWasLostInALaterStage) {
  Sample sample;
  for (auto& point : sample.study.points) {
    auto& stage = point.scenario.stages.emplace_back();
    stage.pool.worker.failures.emplace().task = scenario::FailureSettings::TaskFate::lose;
  }
  for (auto& point : sample.result.points) {
    for (auto& policy : point.policies) {
      for (auto& replication : policy.replications) replication.classes.resize(2);
    }
  }
  const auto text = experiment_table(sample.study, sample.result);
  EXPECT_NE(text.find("rejected  abandoned  SLO met"), std::string::npos) << text;
}

TEST(ExperimentTable, ShowsClassesBelowTheirPolicyAndWhoWentAway) {
  Sample sample;
  sample.study.points.resize(1);
  sample.result.points.resize(1);
  auto& workload = sample.study.points[0].scenario.workload;
  workload.classes = {{.name = "gold", .share = 0.5}, {.name = "tin", .share = 0.5}};
  workload.patience.emplace();
  for (auto& policy : sample.result.points[0].policies) {
    for (auto& r : policy.replications) {
      r.abandoned = 9;
      r.abandoned_share = 0.09;
      r.classes.resize(2);
      r.classes[1] = {.response = {.mean = 7.5}, .arrived = 50, .completed = 40, .abandoned = 10};
    }
  }
  const auto text = experiment_table(sample.study, sample.result);
  EXPECT_NE(text.find("rejected  abandoned  SLO met"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  gold "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  tin          7.500"), std::string::npos) << text;
  EXPECT_NE(text.find("20.00%"), std::string::npos) << text;
  EXPECT_NE(text.find("9.00%"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(experiment_json(sample.study, sample.result));
  const auto& policy = json["points"][0]["policies"][0];
  EXPECT_DOUBLE_EQ(policy["abandoned"]["value"], 0.09);
  EXPECT_EQ(policy["classes"][1]["class"], "tin");
  EXPECT_DOUBLE_EQ(policy["classes"][1]["response"]["mean"]["value"], 7.5);
  EXPECT_DOUBLE_EQ(policy["classes"][1]["abandoned"]["value"], 0.2);
  std::istringstream csv(experiment_csv(sample.study, sample.result));
  std::string header;
  std::getline(csv, header);
  EXPECT_TRUE(header.find(",slo,abandoned,workers") != std::string::npos) << header;
}

TEST(ExperimentTable, ShowsWhatCallersGotAndWhetherEachClassHasItsObjectives) {
  Sample sample;
  sample.study.points.resize(1);
  sample.result.points.resize(1);
  auto& scenario = sample.study.points[0].scenario;
  scenario.workload.classes = {{.name = "gold", .share = 0.5}, {.name = "tin", .share = 0.5}};
  scenario.workload.callers.copies = 2;
  scenario.slo.push_back({.name = "failed",
                          .quantity = scenario::Quantity::failed,
                          .statistic = scenario::Statistic::mean,
                          .limit = 0.3,
                          .of_class = {{.number = 1, .name = "tin"}}});
  for (auto& policy : sample.result.points[0].policies) {
    for (auto& r : policy.replications) {
      r.rejected = 9;
      r.completed = 81;
      r.late = 9;
      r.attempts = 180;
      r.window_s = 3;
      r.classes.resize(2);
      r.classes[1] = {.arrived = 50, .completed = 30, .rejected = 10, .abandoned = 10, .late = 5};
    }
  }
  const auto text = experiment_table(sample.study, sample.result);
  EXPECT_NE(text.find("rejected  failed  goodput/s  attempts  SLO met"), std::string::npos) << text;
  EXPECT_NE(text.find("20.00%      24.00     2.000  no"), std::string::npos) << text;
  EXPECT_NE(text.find("50.00%      8.333            no"), std::string::npos) << text;
  EXPECT_NE(text.find("SLO: mean response <= 2.50 s and failed of tin <= 30%"), std::string::npos)
      << text;
  const auto json = nlohmann::json::parse(experiment_json(sample.study, sample.result));
  const auto& policy = json["points"][0]["policies"][0];
  EXPECT_DOUBLE_EQ(policy["failed"]["value"], 0.2);
  EXPECT_DOUBLE_EQ(policy["goodput"]["value"], 24);
  EXPECT_DOUBLE_EQ(policy["attempts"]["value"], 2);
  EXPECT_DOUBLE_EQ(policy["classes"][1]["failed"]["value"], 0.5);
  EXPECT_EQ(policy["slo"][1]["class"], "tin");
  EXPECT_EQ(policy["slo"][1]["verdict"], "missed");
  std::istringstream csv(experiment_csv(sample.study, sample.result));
  std::string header;
  std::getline(csv, header);
  EXPECT_TRUE(header.ends_with(",abandoned,workers,failed,goodput,attempts")) << header;
}

TEST(ExperimentTable, ShowsHowMuchWasInCaches) {
  Sample sample;
  sample.study.points.resize(1);
  sample.result.points.resize(1);
  sample.study.points[0].scenario.pool.worker.cache.emplace();
  for (auto& policy : sample.result.points[0].policies) {
    for (auto& r : policy.replications) {
      r.prefix_all = 400;
      r.prefix_held = 150;
    }
  }
  const auto text = experiment_table(sample.study, sample.result);
  EXPECT_NE(text.find("rejected  hit ratio"), std::string::npos) << text;
  EXPECT_NE(text.find("37.50%"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(experiment_json(sample.study, sample.result));
  EXPECT_DOUBLE_EQ(json["points"][0]["policies"][0]["hit_ratio"]["value"], 0.375);
  std::istringstream csv(experiment_csv(sample.study, sample.result));
  std::string line;
  std::getline(csv, line);
  EXPECT_TRUE(line.ends_with(",abandoned,workers,hit_ratio")) << line;
  std::getline(csv, line);
  EXPECT_TRUE(line.ends_with(",0.375")) << line;
}

TEST(ExperimentTable, SaysWhenItIsIncomplete) {
  Sample sample;
  sample.result.complete = false;
  sample.result.points[1].policies[1].replications.clear();
  const auto text = experiment_table(sample.study, sample.result);
  EXPECT_NE(text.find("INCOMPLETE"), std::string::npos);
  EXPECT_EQ(experiment_answer(sample.study, sample.result), "");
}

TEST(ExperimentJson, HoldsTheFiguresUnderItsSchema) {
  const Sample sample;
  const auto json = nlohmann::json::parse(experiment_json(sample.study, sample.result));
  EXPECT_EQ(json["schema"], "artel.simulate/1");
  EXPECT_EQ(json["complete"], true);
  const auto& policy = json["points"][0]["policies"][1];
  EXPECT_EQ(policy["policy"], "slow");
  EXPECT_DOUBLE_EQ(policy["response"]["mean"]["value"], 4);
  EXPECT_NEAR(policy["response"]["mean"]["half_width"].get<double>(), 0.2292, 1e-3);
  EXPECT_EQ(policy["slo"][0]["verdict"], "missed");
  EXPECT_EQ(json["smallest"][0]["value"], "4");
}

TEST(ExperimentJson, OneReplicationHasNoInterval) {
  Sample sample;
  sample.result.points[0].policies[0].replications.resize(1);
  const auto json = nlohmann::json::parse(experiment_json(sample.study, sample.result));
  EXPECT_TRUE(json["points"][0]["policies"][0]["response"]["mean"]["half_width"].is_null());
}

TEST(ExperimentJson, OfAStoppedOneIsGoneOnFrom) {
  const auto study = *scenario::parse_study(R"(
[workload]
arrivals = { kind = "poisson", load = 0.5 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 2
[dispatch]
policies = ["central"]
[run]
tasks = 100
replications = 5
)",
                                            "s.toml");
  std::string stopped;
  const auto whole = experiment::run_experiment(
      study, {.checkpoint = [&](const experiment::ExperimentResult& known) {
        if (known.points[0].policies[0].replications.size() == 3)
          stopped = experiment_json(study, known);
      }});
  EXPECT_EQ(nlohmann::json::parse(stopped)["complete"], false);
  const auto known = resumed_experiment(study, stopped);
  ASSERT_TRUE(known);
  const auto part = known->value_or(experiment::ExperimentResult{});
  ASSERT_EQ(part.points.size(), 1U);
  EXPECT_EQ(part.points[0].policies[0].replications.size(), 3U);
  const auto rest = experiment::run_experiment(study, {.resume = &part});
  EXPECT_EQ(experiment_json(study, rest), experiment_json(study, whole));
}

TEST(ExperimentJson, OfACompleteOneHasNothingToResume) {
  const Sample sample;
  for (const auto& text : {experiment_json(sample.study, sample.result), std::string("{}"),
                           std::string("policy,mean\n"), std::string("{\"schema\": 3}")}) {
    const auto known = resumed_experiment(sample.study, text);
    EXPECT_TRUE(known && !known->has_value()) << text;
  }
}

TEST(ExperimentJson, OfAnotherStudyIsRefused) {
  const Sample sample;
  const auto known = resumed_experiment(
      sample.study, R"({"schema": "artel.simulate/1", "resume": {"version": "0", "study": "x"}})");
  ASSERT_FALSE(known);
  EXPECT_NE(known.error().what.find("begun by artel 0"), std::string::npos);
}

TEST(ExperimentCsv, ReadsBackWithQuotedLabels) {
  const Sample sample;
  std::istringstream in(experiment_csv(sample.study, sample.result));
  file::CsvReader csv(in, "out.csv");
  ASSERT_TRUE(csv.next());
  const auto columns = csv.size();
  EXPECT_EQ(csv[0], "pool.workers");
  EXPECT_EQ(csv[4], "response_mean_s");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.size(), columns);
  EXPECT_EQ(csv[1], "quick, \"good\"");
  EXPECT_EQ(csv[4], "2");
}

}  // namespace
}  // namespace artel::report
