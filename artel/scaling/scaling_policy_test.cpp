#include "artel/scaling/scaling_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"

namespace artel::scaling {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Instant at(double seconds) { return Instant{from_seconds(seconds)}; }

// Asks the policy once in its period; the workers that it wants are there at the next time.
class Fleet {
 public:
  Fleet(ScalingPolicy policy, dispatch::SizeLimits limits, std::uint32_t workers)
      : scaler_(std::move(policy), limits), workers_(workers) {}

  std::uint32_t sees(FleetSample sample) {
    sample.at = now_;
    sample.workers = sample.ready = workers_;
    now_ += period(scaler_.policy());
    return workers_ = scaler_.size_for(sample);
  }
  std::vector<std::uint32_t> sees_all(const std::vector<FleetSample>& samples) {
    std::vector<std::uint32_t> sizes;
    for (const auto& sample : samples) sizes.push_back(sees(sample));
    return sizes;
  }

 private:
  Scaler scaler_;
  std::uint32_t workers_;
  Instant now_{};
};

// ---- Hpa

struct Step {
  std::uint32_t sequence = 0, target = 0, min = 0, max = 0, start = 0;
  double at_s = 0, load = 0;
  std::uint32_t after = 0;
};

std::vector<Step> steps_of(const char* file) {
  std::ifstream in(file);
  std::vector<Step> steps;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<double> cells;
    for (const char* p = line.data(); p < line.data() + line.size(); ++p) {
      double cell = 0;
      p = std::from_chars(p, line.data() + line.size(), cell).ptr;
      cells.push_back(cell);
    }
    EXPECT_EQ(cells.size(), 9U) << line;
    const auto whole = [&](std::size_t i) { return static_cast<std::uint32_t>(cells[i]); };
    steps.push_back(
        {whole(0), whole(1), whole(2), whole(3), whole(4), cells[5], cells[6], whole(8)});
  }
  return steps;
}

TEST(Hpa, DoesWhatKubernetesDoesStepByStep) {
  const auto steps = steps_of(ARTEL_SOURCE_DIR "/tests/scaling/hpa.csv");
  ASSERT_EQ(steps.size(), 880U);
  std::unique_ptr<Fleet> fleet;
  const Step* before = nullptr;
  for (const auto& step : steps) {
    if (before == nullptr || step.sequence != before->sequence) {
      fleet = std::make_unique<Fleet>(
          Hpa{.metric = ScalingMetric::in_service, .target = static_cast<double>(step.target)},
          dispatch::SizeLimits{step.min, step.max}, step.start);
    }
    ASSERT_EQ(fleet->sees({.in_service = step.load}), step.after)
        << "sequence " << step.sequence << " at " << step.at_s << " s";
    before = &step;
  }
}

TEST(Hpa, CountsWorkersOnTheirWayAsIdleWhenItGrows) {
  const Hpa hpa{.target = 0.5};
  const auto size = [&](double in_service, std::uint32_t ready) {
    Hpa::State state;
    return hpa.size_for({.workers = 8, .ready = ready, .in_service = in_service}, {1, 100}, state);
  };
  EXPECT_EQ(size(8, 8), 16U);
  EXPECT_EQ(size(8, 6), 16U) << "8 / 8 / 0.5";
  EXPECT_EQ(size(4, 4), 8U) << "twice too much for 4, just enough for 8";
  EXPECT_EQ(size(3, 4), 8U) << "too much for 4, too little for 8: stays";
  EXPECT_EQ(size(0, 0), 8U) << "nothing is known";
}

TEST(Hpa, OtherMetricsAreOfTheWholeFleet) {
  const Hpa hpa{.metric = ScalingMetric::arrivals, .target = 10};
  Hpa::State state;
  EXPECT_EQ(hpa.size_for({.workers = 4, .ready = 1, .arrivals = 75}, {1, 100}, state), 8U);
}

TEST(Hpa, ComesBackWithinItsLimits) {
  Fleet fleet(Hpa{}, {2, 5}, 9);
  EXPECT_EQ(fleet.sees({.in_service = 9}), 5U);
}

TEST(Hpa, OfNobodyStaysSo) {
  const Hpa hpa;
  Hpa::State state;
  for (const double in_service : {0.0, 5.0})
    EXPECT_EQ(hpa.size_for({.workers = 0, .in_service = in_service}, {0, 9}, state), 0U);
}

// ---- Keda

TEST(Keda, GoesToNothingAfterTheCooldownAndComesBackWithTheFirstTask) {
  Fleet fleet(Keda{.hpa = {.metric = ScalingMetric::in_system, .target = 5}, .cooldown = 60s},
              {0, 10}, 1);
  EXPECT_EQ(fleet.sees({.in_system = 1}), 1U);
  EXPECT_THAT(fleet.sees_all(std::vector<FleetSample>(5)), ElementsAre(1, 1, 1, 0, 0));
  EXPECT_EQ(fleet.sees({.in_system = 20}), 1U) << "KEDA wakes it, the autoscaler goes on";
  EXPECT_EQ(fleet.sees({.in_system = 20}), 4U);
}

TEST(Keda, LooksForTheFirstTaskEveryHalfMinuteAndAtTheRestEveryQuarter) {
  Fleet fleet(Keda{.hpa = {.metric = ScalingMetric::in_system, .target = 1}}, {0, 10}, 0);
  // At 0 s there is nobody; at 15 s there are, but that is seen at 30 s. From then on the
  // autoscaler.
  EXPECT_THAT(fleet.sees_all({{}, {.in_system = 8}, {.in_system = 8}, {.in_system = 8}}),
              ElementsAre(0, 0, 1, 5));
}

TEST(Keda, WithAMinimumStaysThere) {
  Fleet fleet(Keda{.cooldown = 15s}, {2, 10}, 2);
  EXPECT_THAT(fleet.sees_all(std::vector<FleetSample>(4)), ElementsAre(2, 2, 2, 2));
}

// ---- Knative: worked out by hand with windows of 3 and 1 readings

Knative quick() {
  return {.period = 2s,
          .target = 10,
          .stable_window = 6s,
          .panic_window_percent = 33,
          .zero_grace = 4s};
}

TEST(Knative, FollowsTheMeanOfTheStableWindow) {
  Fleet fleet(quick(), {1, 100}, 4);
  // Means 40, 40, 45, 55: ceil of a tenth.
  EXPECT_THAT(
      fleet.sees_all({{.in_system = 40}, {.in_system = 40}, {.in_system = 55}, {.in_system = 70}}),
      ElementsAre(4, 4, 5, 6));
}

TEST(Knative, PanicsWhenTheShortWindowWantsTwiceTheReadyWorkers) {
  Fleet fleet(quick(), {1, 100}, 4);
  EXPECT_EQ(fleet.sees({.in_system = 30}), 3U);
  EXPECT_EQ(fleet.sees({.in_system = 100}), 10U) << "the stable window alone: ceil(65 / 10)";
  // Nothing shrinks for the 6 s after the last time, then by half at most.
  EXPECT_THAT(fleet.sees_all(std::vector<FleetSample>(5)), ElementsAre(10, 10, 10, 5, 2));
}

TEST(Knative, GoesToNothingAfterAStableWindowAndTheGrace) {
  Fleet fleet(quick(), {0, 100}, 1);
  EXPECT_EQ(fleet.sees({.in_system = 1}), 1U);
  // Two readings more until the window is empty, then 4 s of grace.
  EXPECT_THAT(fleet.sees_all(std::vector<FleetSample>(6)), ElementsAre(1, 1, 1, 1, 0, 0));
  EXPECT_EQ(fleet.sees({.in_system = 7}), 1U);
}

// ---- The others

TEST(Timetable, GoesByTheClockAroundMidnight) {
  const Timetable table{.day = 100s, .entries = {{20s, 3}, {60s, 8}}};
  Timetable::State state;
  const auto size = [&](double seconds) {
    return table.size_for({.at = at(seconds)}, {1, 6}, state);
  };
  EXPECT_EQ(size(0), 6U) << "8, brought within the limits";
  EXPECT_EQ(size(20), 3U);
  EXPECT_EQ(size(59.9), 3U);
  EXPECT_EQ(size(60), 6U);
  EXPECT_EQ(size(125), 3U);
}

// Known values: offered 2 and 3 servers: 4/9; 8 of 10 servers: 0.409180…
TEST(ErlangC, KnownValues) {
  EXPECT_NEAR(erlang_c(3, 2), 4.0 / 9, 1e-12);
  EXPECT_NEAR(erlang_c(1, 0.7), 0.7, 1e-12) << "M/M/1 waits with probability load";
  EXPECT_NEAR(erlang_c(10, 8), 0.409180, 1e-6);
  EXPECT_EQ(erlang_c(4, 4), 1);
  EXPECT_EQ(erlang_c(4, 0), 0);
}

TEST(Predictive, SizesForTheRateThatTheLineLeadsTo) {
  const Predictive policy{.period = 10s, .window = 60s, .lead = 60s, .hold = 30s, .waiting = 0.45};
  Fleet fleet(policy, {1, 100}, 1);
  std::vector<FleetSample> samples;
  for (int i = 0; i < 4; ++i) samples.push_back({.arrivals = 1.0 + i, .service_s = 0.2});
  const auto sizes = fleet.sees_all(samples);
  // Four points on a line of 1 per 10 s, at 4/s: 10/s in a minute, 2 busy, 3 servers (4/9).
  EXPECT_EQ(sizes.back(), 3U);
  // Down only when 30 s wanted less.
  std::vector<FleetSample> quiet(12);
  EXPECT_EQ(fleet.sees_all(quiet).back(), 1U);
}

TEST(Predictive, WithoutAServiceTimeNothingChanges) {
  Fleet fleet(Predictive{}, {1, 100}, 7);
  EXPECT_EQ(fleet.sees({.arrivals = 1000}), 7U);
}

TEST(Predictive, SomebodyIsThereAsLongAsATaskIs) {
  Fleet fleet(Predictive{.period = 10s, .window = 60s, .hold = 10s}, {0, 9}, 1);
  EXPECT_EQ(fleet.sees({.arrivals = 1, .service_s = 0.1}), 1U);
  EXPECT_EQ(fleet.sees_all(std::vector<FleetSample>(9)).back(), 0U);
  EXPECT_EQ(fleet.sees({.waiting = 1}), 1U) << "the line through the rates is at 0";
}

TEST(ScalingPolicy, OfTheUsersOwnIsBroughtWithinTheLimits) {
  Fleet fleet(CustomScaling{.rule =
                                [](const FleetSample& sample) {
                                  return static_cast<std::uint32_t>(sample.waiting);
                                }},
              {2, 6}, 2);
  EXPECT_EQ(fleet.sees({.waiting = 4}), 4U);
  EXPECT_EQ(fleet.sees({.waiting = 400}), 6U);
  EXPECT_EQ(fleet.sees(FleetSample{}), 2U);
}

TEST(ScalingPolicy, WhatIsWrongIsNamed) {
  const auto what = [](const ScalingPolicy& policy, dispatch::SizeLimits limits = {1, 10}) {
    const auto good = check(policy, limits);
    return good ? std::string("nothing") : good.error().what;
  };
  EXPECT_EQ(what(Hpa{}), "nothing");
  EXPECT_EQ(what(Keda{}), "nothing");
  EXPECT_EQ(what(Knative{}), "nothing");
  EXPECT_EQ(what(Predictive{}), "nothing");
  EXPECT_EQ(what(Hpa{}, {5, 4}), "hpa: limits: found 5 to 4, allowed: min <= max, max > 0");
  EXPECT_EQ(what(Hpa{.period = 0s}), "hpa: period: found 0 s, allowed: a duration above 0");
  EXPECT_EQ(what(Hpa{.target = 0}), "hpa: target: found 0, allowed: a number above 0");
  EXPECT_EQ(
      what(Hpa{}, {0, 4}),
      "hpa: limits: found a minimum of 0, allowed: 1 or more; keda goes down to none and comes "
      "back");
  EXPECT_EQ(what(Keda{}, {0, 4}), "nothing");
  EXPECT_THAT(what(Keda{.hpa = {.metric = ScalingMetric::in_service}}, {0, 4}),
              HasSubstr("nobody serves where there is no worker"));
  EXPECT_THAT(what(Keda{.polling = 0s}), HasSubstr("polling: found 0 s"));
  EXPECT_THAT(what(Hpa{.target = std::nan("")}), HasSubstr("target: found nan"));
  EXPECT_THAT(what(Hpa{.down = {.percent = 0}}), HasSubstr("a step above 0"));
  EXPECT_THAT(what(Knative{.max_down_rate = 1}), HasSubstr("max_down_rate: found 1"));
  EXPECT_THAT(what(Timetable{}), HasSubstr("entries: found none"));
  EXPECT_THAT(what(Timetable{.entries = {{5s, 1}, {5s, 2}}}), HasSubstr("later and later"));
  EXPECT_THAT(what(Predictive{.waiting = 1}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(what(CustomScaling{.name = "mine"}), HasSubstr("mine: rule: found none"));
}

}  // namespace
}  // namespace artel::scaling
