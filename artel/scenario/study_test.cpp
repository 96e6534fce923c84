#include "artel/scenario/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <chrono>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "artel/core/error.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kSwept = R"(
[workload]
arrivals = { kind = "poisson", load = 0.5 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 8
[dispatch]
policies = ["random"]
[sweep]
pool.workers = "4..8:4"
"workload.arrivals.load" = [0.25, 0.4]
)";

std::string error_of(std::string_view text, std::span<const SweepAxis> sweep = {}) {
  const auto study = parse_study(text, "s.toml", {}, sweep);
  return study ? "no error" : to_string(study.error().front());
}

TEST(Study, HasAPointForEveryCombination) {
  const auto study = parse_study(kSwept, "s.toml");
  ASSERT_TRUE(study) << to_string(study.error().front());
  ASSERT_THAT(study->axes, SizeIs(2));
  ASSERT_THAT(study->points, SizeIs(4));
  EXPECT_THAT(study->points[0].values, ElementsAre("4", "0.25"));
  EXPECT_THAT(study->points[1].values, ElementsAre("4", "0.4"));
  EXPECT_THAT(study->points[2].values, ElementsAre("8", "0.25"));
  EXPECT_THAT(study->points[2].scenario.pool.speeds, SizeIs(8));
  EXPECT_DOUBLE_EQ(study->points[1].scenario.workload.rate, 3.2) << "of the file's eight workers";
}

TEST(Study, ALoadIsThatOfTheFilesPoolHoweverThePoolIsSwept) {
  const auto rates = [](std::string_view sweep) {
    std::vector<double> found;
    const auto study = parse_study(kSwept, "s.toml", {}, {{*parse_sweep(sweep)}});
    for (const auto& point : study.value().points) found.push_back(point.scenario.workload.rate);
    return found;
  };
  EXPECT_THAT(rates("pool.workers=5,8,16"), ElementsAre(4, 4, 4));
  EXPECT_THAT(rates("pool.speeds=0.6,1,2"), ElementsAre(4, 4, 4));
  EXPECT_THAT(rates("pool.slots=1,4"), ElementsAre(4, 4));
  EXPECT_THAT(rates("workload.service.mean=1s,2s"), ElementsAre(4, 2)) << "the load of the tasks";
  EXPECT_THAT(rates("workload.fork=1,2"), ElementsAre(4, 2));
  const Override larger{.key = "pool.workers", .value = "16", .where = "--set"};
  const auto study = parse_study(kSwept, "s.toml", {{larger}}, {{*parse_sweep("pool.slots=1,2")}});
  ASSERT_TRUE(study);
  EXPECT_DOUBLE_EQ(study->points[1].scenario.workload.rate, 8) << "--set changes the file";
}

TEST(Study, WithoutASweepHasOnePoint) {
  const auto text = kSwept.substr(0, kSwept.find("[sweep]"));
  const auto study = parse_study(text, "s.toml");
  ASSERT_TRUE(study);
  EXPECT_THAT(study->axes, IsEmpty());
  ASSERT_THAT(study->points, SizeIs(1));
  EXPECT_THAT(study->points[0].scenario.pool.speeds, SizeIs(8));
}

TEST(Study, ArgumentsReplaceTheFilesSweep) {
  const auto axis = *parse_sweep("dispatch.staleness=0s,1s,2s");
  const auto study = parse_study(kSwept, "s.toml", {}, {{axis}});
  ASSERT_TRUE(study);
  ASSERT_THAT(study->points, SizeIs(3));
  EXPECT_EQ(study->points[2].scenario.dispatch.staleness, std::chrono::seconds(2));
}

TEST(Study, MistakesInAPointNameTheSweep) {
  const auto axis = *parse_sweep("pool.workers=0..4");
  EXPECT_EQ(
      error_of(kSwept, {{axis}}),
      "--sweep pool.workers=0..4: with pool.workers = 0: pool.workers: found 0, allowed: a whole "
      "number from 1 to 100000");
  auto text = std::string(kSwept) + "pool.wrokers = [1, 2]\n";
  EXPECT_EQ(error_of(text),
            "s.toml:12:16: with pool.wrokers = 1: pool: unknown key 'wrokers' (did you mean "
            "'workers'?); allowed: workers, speeds, queue_bound, groups, common_bound, when_full, "
            "take_over, stealing, wake_up, task_overhead, "
            "slots, discipline, preemptive, total_speed, batch, cache, failures, speed_states, "
            "speed_timetable, "
            "admission, start_up, keep_warm, slow_start, "
            "scaling");
}

TEST(Study, MustFitIntoMemory) {
  const auto axis = *parse_sweep("run.seed=1..101");
  const Override many{"pool.workers", "100000", "--set"};
  const auto study = parse_study(kSwept, "s.toml", {{many}}, {{axis}});
  ASSERT_FALSE(study);
  EXPECT_EQ(
      to_string(study.error().front()),
      "--sweep run.seed=1..101: the sweep has 101 points; with so many workers that is too much, "
      "allowed: 10000000");
  const auto text = std::string(kSwept) + "#" + std::string(700'000, 'x') + "\n";
  EXPECT_EQ(
      error_of(text, {{axis}}),
      "--sweep run.seed=1..101: the sweep has 101 points; times the bytes of the scenario that is "
      "too much, allowed: 67108864");
}

TEST(Study, ItsFingerprintIsOfAllThatTheTraceSays) {
  const TemporaryFolder folder;
  const auto of_trace = [&](const std::string& rows) {
    std::ofstream(folder.path() / "t.csv") << "at,size,prompt\n" << rows;
    const auto study = parse_study(R"(
[workload]
arrivals = { kind = "trace" }
service  = { expression = "size" }
trace    = { file = "t.csv", time = "at" }
[pool]
workers = 1
batch   = { most = 2, per_join = { expression = "prompt" } }
[dispatch]
policies = ["random"]
)",
                                   (folder.path() / "s.toml").string());
    return study ? fingerprint(*study) : to_string(study.error().front());
  };
  const std::set<std::string> all{of_trace("1,5,2\n2,7,3\n"), of_trace("1,5,2\n3,7,3\n"),
                                  of_trace("1,5,2\n2,8,3\n"), of_trace("1,5,2\n2,7,4\n")};
  EXPECT_THAT(all, SizeIs(4));
  for (const auto& one : all) EXPECT_EQ(one.size(), 16U) << one;
}

}  // namespace
}  // namespace artel::scenario
