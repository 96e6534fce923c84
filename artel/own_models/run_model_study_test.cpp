#include "artel/own_models/run_model_study.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/own_models/model_report.hpp"
#include "artel/own_models/model_state_json.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/random/stream.hpp"

namespace artel::own_models {
namespace {

using namespace std::chrono_literals;

double exponential(random::Stream& stream) { return -std::log(1 - stream.uniform()); }

// M/M/1 by Lindley's recursion; mean response 1 / (speed - load).
ModelReport queue(const ModelRun& run) {
  random::Stream gaps(run.seed, "gaps");
  random::Stream services(run.seed, "services");
  ModelReport report(run);
  auto& response = report.times("response");
  double now = 0;
  double left = 0;  // work when a customer comes
  const auto customers = run.parameters.whole("customers");
  for (std::uint64_t i = 0; i < customers; ++i) {
    const double gap = exponential(gaps) / run.parameters["load"];
    now += gap;
    left = std::max(0.0, left - gap) + exponential(services) / run.parameters["speed"];
    response.add(from_seconds(left), Instant{} + from_seconds(now + left));
  }
  report.set("busy", run.parameters["load"] / run.parameters["speed"]);
  return report;
}

ModelStudy queue_study(double customers = 2000) {
  return {.name = "queue",
          .model = queue,
          .parameters = {{"load", 0.8}, {"speed", 1}, {"customers", customers}},
          .replications = 4};
}

TEST(ModelStudy, FindsWhatTheoryKnowsOfMM1) {
  auto mm1 = queue_study(40'000);
  mm1.warm_up = Duration{500s};
  mm1.replications = 20;
  mm1.sweep = {{.parameter = "load", .values = {0.5, 0.8}}};
  const auto result = run_model_study(mm1, {.jobs = 2});
  ASSERT_TRUE(result.complete);
  EXPECT_TRUE(result.points[0].variants[0].estimate("response.mean").contains(2));
  EXPECT_TRUE(result.points[1].variants[0].estimate("response.mean").contains(5));
  EXPECT_LT(result.points[1].variants[0].estimate("response.mean").relative(), 0.05);
  // The response of M/M/1 is exponential: its median is ln 2 of its mean.
  EXPECT_NEAR(result.points[0].variants[0].estimate("response.p50").center, 2 * std::log(2), 0.05);
}

TEST(ModelStudy, ResultDoesNotDependOnTheNumberOfThreads) {
  auto two = queue_study();
  two.variants = {{"slow", {}}, {"fast", {{"speed", 1.1}}}};
  two.sweep = {{.parameter = "load", .values = {0.5, 0.7}}};
  const auto one = run_model_study(two, {.jobs = 1});
  const auto many = run_model_study(two, {.jobs = 7});
  EXPECT_EQ(model_state_json(two, one), model_state_json(two, many));
}

TEST(ModelStudy, EveryCombinationIsAPointTheLastAxisFastest) {
  auto swept = queue_study(10);
  swept.sweep = {{.parameter = "load", .values = {0.1, 0.2}},
                 {.parameter = "speed", .values = {1, 2, 3}}};
  const auto result = run_model_study(swept, {});
  ASSERT_EQ(result.points.size(), 6U);
  EXPECT_EQ(result.points[1].parameters,
            (ModelParameters{{"load", 0.1}, {"speed", 2}, {"customers", 10}}));
  EXPECT_EQ(result.points[3].parameters,
            (ModelParameters{{"load", 0.2}, {"speed", 1}, {"customers", 10}}));
}

// The same gaps and services: the difference is known far better than either.
TEST(ModelStudy, VariantsMeetTheSameChance) {
  auto compared = queue_study();
  compared.replications = 10;
  compared.variants = {{"slow", {}}, {"same", {}}, {"fast", {{"speed", 1.05}}}};
  const auto result = run_model_study(compared, {.jobs = 2});
  const auto& variants = result.points[0].variants;
  EXPECT_EQ(difference(variants[1], variants[0], "response.mean").center, 0);
  EXPECT_EQ(difference(variants[1], variants[0], "response.mean").half_width, 0);
  const auto gain = difference(variants[2], variants[0], "response.mean");
  EXPECT_LT(gain.high(), 0);
  EXPECT_LT(gain.half_width, 0.7 * variants[0].estimate("response.mean").half_width);
}

TEST(ModelStudy, ReplicationsAreAddedUntilPrecise) {
  auto wanted = queue_study();
  wanted.precision = {{.figure = "response.mean", .relative = 0.1}};
  wanted.replications_max = 400;
  const auto result = run_model_study(wanted, {.jobs = 2});
  const auto& variant = result.points[0].variants[0];
  EXPECT_LE(variant.estimate("response.mean").relative(), 0.1);
  EXPECT_GT(variant.replications.size(), 4U);
  EXPECT_LT(variant.replications.size(), 400U);
  EXPECT_EQ(variant.replications.size() % 4, 0U);
}

TEST(ModelStudy, ThereIsAnEndToAddingReplications) {
  auto wanted = queue_study(10);
  wanted.precision = {{.figure = "response.mean", .relative = 1e-9}};
  EXPECT_EQ(run_model_study(wanted, {}).points[0].variants[0].replications.size(), 40U);
  wanted.replications_max = 6;
  EXPECT_EQ(run_model_study(wanted, {}).points[0].variants[0].replications.size(), 6U);
}

TEST(ModelStudy, TheLongestWarmUpOfAnyVariantHoldsForAll) {
  auto settling = queue_study(0);
  settling.parameters.set("settles", 0);
  settling.model = [](const ModelRun& run) {
    ModelReport report(run);
    for (int i = 0; i < 1000; ++i) {
      const bool settled = i >= run.parameters["settles"];
      report.times("response").add(settled ? Duration{1s} : Duration{100s}, Instant{i * 1s});
    }
    return report;
  };
  settling.variants = {{"at once", {}}, {"late", {{"settles", 200}}}};
  settling.warm_up = FoundWarmUp{.times = "response"};
  const auto result = run_model_study(settling, {.jobs = 2});
  ASSERT_TRUE(result.complete);
  const auto& point = result.points[0];
  EXPECT_GE(point.warm_up, 195s);
  EXPECT_LE(point.warm_up, 205s);
  for (const auto& variant : point.variants) {
    EXPECT_NEAR(variant.estimate("response.mean").center, 1, 1e-9) << variant.name;
    EXPECT_NEAR(variant.estimate("response.count").center, 800, 5) << variant.name;
  }
}

TEST(ModelStudy, APilotIsNoneOfTheReplications) {
  auto settling = queue_study(50);
  std::mutex lock;
  std::map<Seed, int> runs;
  settling.model = [&](const ModelRun& run) {
    const std::lock_guard guard(lock);
    ++runs[run.seed];
    return queue(run);
  };
  settling.warm_up = FoundWarmUp{.times = "response"};
  ASSERT_TRUE(run_model_study(settling, {}).complete);
  EXPECT_EQ(runs.size(), settling.replications + 1U);
  for (const auto& [seed, times] : runs) EXPECT_EQ(times, 1) << static_cast<std::uint64_t>(seed);
}

TEST(ModelStudy, WarmUpByTimesThatThereAreNotIsAnError) {
  auto wrong = queue_study(10);
  wrong.warm_up = FoundWarmUp{.times = "wait"};
  const auto result = run_model_study(wrong, {});
  EXPECT_FALSE(result.complete);
  const auto error = result.error.value_or(Error{});
  EXPECT_EQ(error.code, ErrorCode::not_found);
}

TEST(ModelStudy, AFigureThatThereIsNotCannotBePrecise) {
  auto wrong = queue_study(10);
  wrong.precision = {{.figure = "response", .relative = 0.1}};
  const auto result = run_model_study(wrong, {});
  const auto error = result.error.value_or(Error{});
  EXPECT_NE(error.what.find("response.mean"), std::string::npos) << error.what;
}

TEST(ModelStudy, AnExceptionOfTheModelSaysWhichReplicationThrewIt) {
  auto broken = queue_study(10);
  const auto third = seed_of(broken, 3);
  broken.model = [third](const ModelRun& run) {
    if (run.seed == third) throw std::runtime_error("no fuel");
    return queue(run);
  };
  const auto result = run_model_study(broken, {.jobs = 2});
  EXPECT_FALSE(result.complete);
  const auto error = result.error.value_or(Error{});
  EXPECT_NE(error.what.find("no fuel"), std::string::npos);
  EXPECT_NE(error.where.find("replication 3"), std::string::npos) << error.where;
  EXPECT_LT(result.points[0].variants[0].replications.size(), 4U);
}

TEST(ModelStudy, WhatCannotBeRunIsRefused) {
  const auto error_of = [](const ModelStudy& wrong) {
    const auto result = run_model_study(wrong, {});
    EXPECT_FALSE(result.complete);
    return result.error ? to_string(*result.error) : "no error";
  };
  auto wrong = queue_study(10);
  wrong.sweep = {{.parameter = "laod", .values = {1}}};
  EXPECT_NE(error_of(wrong).find("did you mean 'load'"), std::string::npos);
  wrong.sweep = {{.parameter = "load", .values = {}}};
  EXPECT_NE(error_of(wrong).find("no values"), std::string::npos);
  wrong.sweep = {{.parameter = "load", .values = std::vector<double>(1001, 1.0)}};
  EXPECT_NE(error_of(wrong).find("more than 1000"), std::string::npos);
  wrong.sweep = {{.parameter = "load", .values = {1}}};
  wrong.variants = {{"a", {{"load", 2}}}};
  EXPECT_NE(error_of(wrong).find("which is swept"), std::string::npos);
  wrong.variants = {{"a", {}}, {"a", {}}};
  EXPECT_NE(error_of(wrong).find("twice"), std::string::npos);
  wrong = queue_study(10);
  wrong.replications = 0;
  EXPECT_NE(error_of(wrong).find("no replication"), std::string::npos);
  wrong = queue_study(10);
  wrong.model = nullptr;
  EXPECT_NE(error_of(wrong).find("no model"), std::string::npos);
}

TEST(ModelStudy, StoppedOneIsIncomplete) {
  std::stop_source stop;
  experiment::ExperimentProgress last;
  const auto result = run_model_study(
      queue_study(10), {.stop = stop.get_token(), .progress = [&](const auto& progress) {
                          last = progress;
                          if (progress.done == 2) stop.request_stop();
                        }});
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.error);
  EXPECT_EQ(result.points[0].variants[0].replications.size(), 2U);
  EXPECT_EQ(last.total, 4U);
}

// Wherever it is stopped: what is resumed from the JSON ends as what was never stopped.
RC_GTEST_PROP(ModelStudy, ResumedEndsAsIfNeverStopped, ()) {
  auto whole = queue_study(20);
  whole.replications = 2;
  whole.replications_max = 4;
  whole.variants = {{"slow", {}}, {"fast", {{"speed", 1.5}}}};
  whole.sweep = {{.parameter = "load", .values = {0.3, 0.6}}};
  whole.precision = {{.figure = "response.mean", .relative = 0.2}};
  whole.warm_up = FoundWarmUp{.times = "response"};
  const auto expected = run_model_study(whole, {});
  const auto stop_after = *rc::gen::inRange<std::size_t>(1, 20);
  std::stop_source stop;
  const auto part = run_model_study(
      whole,
      {.stop = stop.get_token(), .progress = [&](const experiment::ExperimentProgress& progress) {
         if (progress.done == stop_after) stop.request_stop();
       }});
  const auto known = read_model_state(whole, model_state_json(whole, part));
  RC_ASSERT(known.has_value());
  const auto resumed = run_model_study(whole, {.jobs = 2, .resume = &*known});
  RC_ASSERT(resumed.complete);
  RC_ASSERT(model_state_json(whole, resumed) == model_state_json(whole, expected));
}

TEST(ModelState, OfAnotherStudyIsRefused) {
  const auto mine = queue_study(10);
  const auto json = model_state_json(mine, run_model_study(mine, {}));
  EXPECT_TRUE(read_model_state(mine, json));
  auto other = mine;
  other.version = 2;
  EXPECT_EQ(read_model_state(other, json).error().code, ErrorCode::invalid);
  other = mine;
  other.seed = Seed{2};
  EXPECT_EQ(read_model_state(other, json).error().code, ErrorCode::invalid);
  other = mine;
  other.parameters.set("load", 0.81);
  EXPECT_EQ(read_model_state(other, json).error().code, ErrorCode::invalid);
}

TEST(ModelState, KeepsWhatIsNoNumber) {
  auto odd = queue_study(0);
  odd.model = [](const ModelRun&) {
    ModelReport report;
    report.set("nothing", NAN);
    report.set("much", INFINITY);
    report.set("little", -std::numeric_limits<double>::infinity());
    return report;
  };
  const auto json = model_state_json(odd, run_model_study(odd, {}));
  const auto read = read_model_state(odd, json);
  ASSERT_TRUE(read) << to_string(read.error());
  const auto& figures = read->points[0].variants[0].replications[0].figures;
  EXPECT_TRUE(std::isnan(figures[0].second));
  EXPECT_EQ(figures[1].second, INFINITY);
  EXPECT_EQ(figures[2].second, -INFINITY);
}

// A byte changed anywhere: read as something, or refused; never a crash.
RC_GTEST_PROP(ModelState, AnyTextWillDo, ()) {
  const auto mine = queue_study(10);
  static const auto json = model_state_json(mine, run_model_study(mine, {}));
  auto text = json;
  text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  static_cast<void>(read_model_state(mine, text));
  text.resize(*rc::gen::inRange<std::size_t>(0, text.size()));
  RC_ASSERT(!read_model_state(mine, text).has_value());
}

}  // namespace
}  // namespace artel::own_models
