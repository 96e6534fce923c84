// What --class-by told apart: in scenarios, and in predictions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/predict/recorded_task.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr int kClassedTasks = 3000;

// Every third task takes ten times as long; one worker, none waits long.
trace::TaskTrace two_classes() {
  trace::TaskTrace trace;
  trace.header.classes = {"GET \"a\", b", "POST"};
  trace.header.loop = trace::Loop::open;
  auto free = 0ns;
  for (int i = 0; i < kClassedTasks; ++i) {
    const bool post = i % 3 == 0;
    const auto submitted = i * Duration{20ms};
    const auto start = std::max(Duration{free}, submitted);
    const Duration service = (post ? Duration{20ms} : Duration{2ms}) + Duration{1000 * (i % 7)};
    trace.tasks.push_back(task(0, submitted, start, start + service));
    trace.tasks.back().task_class = post ? 1 : 0;
    free = start + service;
  }
  return trace;
}

TEST(CalibrateClasses, ScenariosHaveTheClassesOfTheTrace) {
  const auto made = calibrate(two_classes());
  ASSERT_TRUE(made);
  const auto& classes = made->recorded.workload.classes;
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].name, "GET \"a\", b");
  EXPECT_NEAR(classes[1].share, 1.0 / 3, 1e-3);
  EXPECT_EQ(classes[0].priority, 0);
  EXPECT_EQ(classes[1].priority, 0);
  EXPECT_FALSE(classes[1].service) << "each has the service that was recorded";
  EXPECT_EQ(made->recorded.workload.trace->classes.size(), std::size_t{kClassedTasks});
  // What is drawn has the law of its class: POST takes ten times as long.
  ASSERT_TRUE(made->fitted.workload.classes[1].service);
  ASSERT_EQ(made->class_service.size(), 2U);
  EXPECT_NEAR(made->class_service[0].value_or(ServiceFit{}).mean_s, 0.002, 1e-4);
  EXPECT_NEAR(made->class_service[1].value_or(ServiceFit{}).mean_s, 0.020, 1e-4);
}

TEST(CalibrateClasses, PrioritiesDivideAClass) {
  auto trace = two_classes();
  for (int i = 0; i < kClassedTasks; i += 2) trace.tasks[static_cast<std::size_t>(i)].priority = 0;
  const auto made = calibrate(trace);
  ASSERT_TRUE(made);
  std::vector<std::string> names;
  for (const auto& one : made->recorded.workload.classes) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("GET \"a\", b, high", "GET \"a\", b, normal", "POST, high",
                                 "POST, normal"));
  EXPECT_THAT(made->classes, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(made->recorded.workload.classes[0].priority, 1);
}

TEST(CalibrateClasses, BothScenariosRunTheSameFromTheirFiles) {
  const TemporaryFolder folder;
  const auto made = calibrate(two_classes());
  ASSERT_TRUE(made);
  for (const auto source : {WorkloadSource::recorded, WorkloadSource::fitted}) {
    const auto path = folder.path() / "s.toml";
    ASSERT_TRUE(write_calibration(path, *made, source));
    const auto read = scenario::load_scenario(path);
    ASSERT_TRUE(read) << to_string(read.error().front());
    const auto& meant = source == WorkloadSource::recorded ? made->recorded : made->fitted;
    const auto tasks = fleet::replay_tasks(*read, read->dispatch.policies.at(0));
    EXPECT_EQ(tasks, fleet::replay_tasks(meant, meant.dispatch.policies.at(0)));
  }
}

TEST(CalibrateClasses, AReplayTellsThemApart) {
  const auto trace = two_classes();
  const auto prediction = replay(trace, {.replications = 3});
  ASSERT_TRUE(prediction);
  ASSERT_EQ(prediction->classes.size(), 2U);
  const auto& get = prediction->classes[0];
  const auto& post = prediction->classes[1];
  EXPECT_EQ(get.tasks + post.tasks, prediction->tasks);
  EXPECT_EQ(post.name, "POST");
  EXPECT_EQ(post.tasks, std::uint64_t{kClassedTasks / 3});
  for (const auto* one : {&get, &post}) {
    for (const auto figure : {Figure::mean_response, Figure::p50_response, Figure::p99_response})
      EXPECT_NEAR(one->same_work[figure], one->measured[figure], 0.01 * one->measured[figure]);
  }
  EXPECT_NEAR(post.measured[Figure::p50_response], 0.020, 1e-3);
  EXPECT_NEAR(get.measured[Figure::p50_response], 0.002, 1e-3);
}

TEST(CalibrateClasses, WhatWasNotMeasuredOfAllIsNotOfAClass) {
  auto trace = two_classes();
  trace.header.settings["starts"] = "inferred";
  const auto prediction = replay(trace, {.replications = 0});
  ASSERT_TRUE(prediction);
  EXPECT_TRUE(std::isnan(prediction->classes.at(0).measured[Figure::mean_wait]));
  EXPECT_FALSE(std::isnan(prediction->classes.at(0).measured[Figure::mean_response]));
}

}  // namespace
}  // namespace artel::predict
