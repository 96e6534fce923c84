#include "artel/report/replay_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/report/calibration_text.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

// One task of 3 ms every 4 ms.
trace::TaskTrace even_tasks(std::size_t count) {
  trace::TaskTrace trace;
  trace.header.loop = trace::Loop::open;
  trace.header.settings = {{"policy", "random"}, {"pool.workers", "1"}, {"source", "artel pool"}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = Instant{4ms * static_cast<int>(i)};
    trace.tasks.push_back(
        {.submitted = at, .bound = at, .started = at, .finished = at + 3ms, .worker = WorkerId{0}});
  }
  return trace;
}

TEST(ReplayReport, TheTableHasMeasuredBesidePredicted) {
  const auto prediction = *predict::replay(even_tasks(100), {.replications = 3});
  const auto table = replay_table(prediction);
  EXPECT_THAT(table, HasSubstr("100 tasks, 1 worker, random\n"));
  EXPECT_THAT(table, HasSubstr("mean response   3.00 ms    3.00 ms  +0.0%"));
  EXPECT_THAT(table, HasSubstr("50% of such runs"));  // three of them
  EXPECT_THAT(table, HasSubstr("equal gaps, 250 per second"));
}

TEST(ReplayReport, AnotherPoolThanTheRecordedOneIsAChangeAndNoError) {
  const auto prediction = *predict::replay(
      even_tasks(100), {.calibrate = {.workers = 2, .policy = "round_robin"}, .replications = 3});
  const auto table = replay_table(prediction);
  EXPECT_THAT(table, HasSubstr("change"));
  EXPECT_THAT(table, Not(HasSubstr("error")));
  EXPECT_THAT(table, HasSubstr("2 workers instead of 1, round_robin instead of random."));
  const auto json = nlohmann::json::parse(replay_json(prediction));
  EXPECT_EQ(json["changes"].size(), 2U);
  for (const auto* const kind : {"same_work", "fitted"}) {
    EXPECT_TRUE(json["figures"]["p99_response"][kind]["error"].is_null());
    EXPECT_TRUE(json["figures"]["p99_response"][kind]["change"].is_number());
  }
  const auto same = *predict::replay(
      even_tasks(100), {.calibrate = {.workers = 1, .policy = "random"}, .replications = 0});
  EXPECT_TRUE(same.changes.empty());
}

TEST(ReplayReport, WithoutFittedRunsThereAreNoColumnsForThem) {
  const auto table = replay_table(*predict::replay(even_tasks(100), {.replications = 0}));
  EXPECT_THAT(table, Not(HasSubstr("itted")));
  auto closed = even_tasks(100);
  closed.header.loop = trace::Loop::closed;
  EXPECT_THAT(replay_table(*predict::replay(closed)), HasSubstr("No fitted work"));
}

TEST(ReplayReport, TheJsonHasThePredictionsFigures) {
  const auto prediction = *predict::replay(even_tasks(50), {.replications = 3});
  const auto json = nlohmann::json::parse(replay_json(prediction));
  EXPECT_EQ(json["schema"], "artel.replay/1");
  EXPECT_EQ(json["tasks"], 50);
  for (std::size_t f = 0; f < predict::kFigures; ++f) {
    const auto figure = static_cast<predict::Figure>(f);
    const auto& row = json["figures"][std::string(predict::name(figure))];
    EXPECT_EQ(row["measured"], prediction.measured[figure]);
    EXPECT_EQ(row["same_work"]["predicted"], prediction.same_work[figure]);
    EXPECT_EQ(row["fitted"]["low"], prediction.fitted_at(figure).low);
  }
  EXPECT_EQ(json["figures"]["mean_response"]["same_work"]["error"], 0);
  EXPECT_EQ(json["figures"]["mean_wait"]["same_work"]["error"], 0);
}

TEST(CalibrateReport, SaysWhatWasFoundAndHowWellItFits) {
  const auto text = calibration_text(*predict::calibrate(even_tasks(200)));
  EXPECT_THAT(text, HasSubstr("200 done"));
  EXPECT_THAT(text, HasSubstr("equal gaps, 250 per second"));
  EXPECT_THAT(text, HasSubstr("mean 3.00 ms, scv 0, 3.00 ms to 3.00 ms"));
  EXPECT_THAT(text, HasSubstr("1 worker, random"));
}

TEST(CalibrateReport, EvenArrivalsHaveTheLawOfTheirGaps) {
  auto trace = even_tasks(201);
  for (std::size_t i = 1; i < trace.tasks.size(); i += 2) {  // gaps of 6 and 2 ms
    auto& task = trace.tasks[i];
    for (Instant* at : {&task.submitted, &task.bound, &task.started, &task.finished}) *at += 2ms;
  }
  const auto made = *predict::calibrate(trace);
  EXPECT_THAT(calibration_text(made),
              HasSubstr("more even than Poisson: gaps gamma with scv 0.251, 250 per second"));
  const auto gap = nlohmann::json::parse(calibration_json(made))["arrivals"]["fitted"]["gap"];
  EXPECT_EQ(gap["distribution"], "gamma");
  EXPECT_NEAR(gap["shape"], 4, 0.05);
  EXPECT_NEAR(gap["scale"].get<double>() * gap["shape"].get<double>(), 0.004, 1e-9);
}

TEST(CalibrateReport, TheJsonHasTheFit) {
  const auto made = *predict::calibrate(even_tasks(200));
  const auto json = nlohmann::json::parse(calibration_json(made));
  EXPECT_EQ(json["schema"], "artel.calibrate/1");
  EXPECT_EQ(json["arrivals"]["fitted"]["kind"], "constant");
  EXPECT_EQ(json["arrivals"]["rate"], made.arrivals.rate);
  EXPECT_EQ(json["service"]["mean"], made.service.mean_s);
  EXPECT_EQ(json["workers"]["count"], 1);
  EXPECT_EQ(json["outcomes"]["done"], 200);
}

}  // namespace
}  // namespace artel::report
