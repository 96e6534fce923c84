#include "artel/predict/load_recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "artel/core/error.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/scenario_to_plan.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::predict {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
  return path.string();
}

TEST(LogOptions, ReadColumnsAndService) {
  const auto options = log_options(
      {.columns = {"submitted=arrival", "response=ms:ms"}, .service = "0.01 + 0.1*tokens"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->columns,
              UnorderedElementsAre(Pair("submitted", "arrival"), Pair("response", "ms:ms")));
  ASSERT_TRUE(options->service);
  const auto formula = options->service.value_or(logs::ServiceFormula{});
  const double tokens = 2;
  EXPECT_NEAR(formula.seconds({&tokens, 1}), 0.21, 1e-12);
}

TEST(LogOptions, ErrorsNameTheWord) {
  EXPECT_EQ(log_options({.columns = {"submitted"}}).error().where, "column");
  EXPECT_EQ(log_options({.service = "1 +"}).error().where, "service");
}

TEST(LoadRecording, OfATraceHasNoNotes) {
  const TemporaryFolder folder;
  const auto path =
      write(folder.path() / "tasks.csv", "submitted,started,finished\n0,1,2\n1,2,3\n");
  const auto recording = load_recording({.file = path});
  ASSERT_TRUE(recording) << to_string(recording.error());
  EXPECT_EQ(recording->trace.tasks.size(), 2U);
  EXPECT_THAT(recording->notes, IsEmpty());
}

TEST(ScenarioToPlan, HasItsPolicyAndOneCommonQueue) {
  const TemporaryFolder folder;
  const auto path = write(folder.path() / "tasks.csv",
                          "submitted,started,finished,worker\n0,0,2,0\n1,1,3,1\n2,2,4,0\n");
  const auto recording = load_recording({.file = path});
  ASSERT_TRUE(recording);
  const auto calibration = calibrate(recording->trace, {.policy = "jsq(d=2)"});
  ASSERT_TRUE(calibration) << to_string(calibration.error());
  const auto scenario = scenario_to_plan(*calibration, WorkloadSource::recorded);
  ASSERT_TRUE(scenario);
  ASSERT_EQ(scenario->dispatch.policies.size(), 2U);
  EXPECT_EQ(scenario->dispatch.policies[0].label, "jsq(d=2)");
  EXPECT_EQ(scenario->dispatch.policies[1].label, "central");
  EXPECT_EQ(scenario->run.replications, 10U);
}

}  // namespace
}  // namespace artel::predict
