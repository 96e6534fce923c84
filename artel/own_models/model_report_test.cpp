#include "artel/own_models/model_report.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/statistics.hpp"

namespace artel::own_models {
namespace {

using namespace std::chrono_literals;

double figure(const ModelReport& report, std::string_view name) {
  for (const auto& [each, value] : report.figures()) {
    if (each == name) return value;
  }
  ADD_FAILURE() << "no figure " << name;
  return NAN;
}

TEST(ModelReport, TimesGiveTheirFiguresInSeconds) {
  ModelReport report;
  auto& response = report.times("response");
  for (int i = 1; i <= 100; ++i) response.add(Duration{i * 10ms}, Instant{1s});
  EXPECT_NEAR(figure(report, "response.mean"), 0.505, 1e-9);
  EXPECT_NEAR(figure(report, "response.p50"), 0.5, 0.001);
  EXPECT_NEAR(figure(report, "response.p99"), 0.99, 0.001);
  EXPECT_NEAR(figure(report, "response.max"), 1, 0.001);
  EXPECT_EQ(figure(report, "response.count"), 100);
}

TEST(ModelReport, WhatEndsWithinTheWarmUpDoesNotCount) {
  ModelReport report(ModelRun{.parameters = {}, .warm_up = 10s});
  report.times("response").add(1s, Instant{9999ms});
  EXPECT_TRUE(std::isnan(figure(report, "response.mean")));
  report.times("response").add(2s, Instant{10s});
  EXPECT_NEAR(figure(report, "response.mean"), 2, 1e-9);
}

TEST(ModelReport, TheLastNumberOfANameCounts) {
  ModelReport report;
  report.set("lost", 1);
  report.set("lost", 2);
  EXPECT_EQ(figure(report, "lost"), 2);
  EXPECT_EQ(report.figures().size(), 1U);
}

TEST(ModelReport, TakesTheFiguresOfASimulation) {
  sim::Simulation simulation;
  sim::Context& world = simulation.add_context("world");
  sim::Statistics statistics(world);
  statistics.tally("latency").add(1s);
  statistics.tally("latency").add(3s);
  statistics.level("backlog").set(2);
  simulation.run_until(Instant{10s});
  ModelReport report;
  report.add(statistics);
  EXPECT_EQ(figure(report, "latency"), 2);
  EXPECT_EQ(figure(report, "latency.count"), 2);
  EXPECT_EQ(figure(report, "backlog"), 2);
}

// The first 500 of 5 000 take ten times as long.
TEST(ObservedTimes, SettleWhenTheTransientIsOver) {
  ObservedTimes times;
  for (int i = 0; i < 5000; ++i)
    times.add(i < 500 ? Duration{10s} : Duration{900ms + (i % 7) * 30ms}, Instant{i * 1s});
  EXPECT_GE(times.settled_after(), 490s);
  EXPECT_LE(times.settled_after(), 600s);
}

TEST(ObservedTimes, WhatIsSettledFromTheBeginningNeedsNoWarmUp) {
  ObservedTimes times;
  for (int i = 0; i < 1000; ++i) times.add(1s, Instant{i * 1s});
  EXPECT_EQ(times.settled_after(), Duration{});
}

}  // namespace
}  // namespace artel::own_models
