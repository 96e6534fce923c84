#include "artel/scaling/fleet_meter.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/instant.hpp"

namespace artel::scaling {
namespace {

using namespace std::chrono_literals;

constexpr Instant after(Duration time) { return Instant{100s + time}; }

TEST(FleetMeter, CountsAreOfTheTimeBetweenTwoSamples) {
  FleetMeter meter({.at = after(0s), .arrived = 7, .busy_s = 3, .measured = 5, .service_s = 2});
  meter.look({.at = after(4s), .arrived = 9});
  meter.look({.at = after(10s), .arrived = 27, .busy_s = 18, .measured = 15, .service_s = 7});
  const auto first = meter.sample();
  EXPECT_EQ(first.at, Instant{10s});
  EXPECT_DOUBLE_EQ(first.arrivals, 2);
  EXPECT_DOUBLE_EQ(first.in_service, 1.5);
  EXPECT_DOUBLE_EQ(first.service_s, 0.5);
  meter.look({.at = after(12s), .arrived = 28, .busy_s = 19, .measured = 15, .service_s = 7});
  const auto second = meter.sample();
  EXPECT_EQ(second.at, Instant{12s});
  EXPECT_DOUBLE_EQ(second.arrivals, 0.5);
  EXPECT_DOUBLE_EQ(second.in_service, 0.5);
  EXPECT_EQ(second.service_s, 0) << "none has ended";
}

TEST(FleetMeter, TasksInTheSystemAreAveragedOverTheLooksThatWaitAreTheLast) {
  FleetMeter meter({.at = after(0s), .in_system = 100, .waiting = 100});
  meter.look({.at = after(1s), .in_system = 4, .waiting = 3});
  meter.look({.at = after(2s), .in_system = 2, .waiting = 1});
  EXPECT_EQ(meter.looks(), 2);
  const auto sample = meter.sample();
  EXPECT_DOUBLE_EQ(sample.in_system, 3);
  EXPECT_DOUBLE_EQ(sample.waiting, 1);
  EXPECT_EQ(meter.looks(), 0);
}

TEST(FleetMeter, WorkersThatWentTakeTheirCountsAlong) {
  FleetMeter meter({.at = after(0s), .arrived = 9, .busy_s = 50, .measured = 20, .service_s = 9});
  meter.look({.at = after(1s), .arrived = 1, .busy_s = 10, .measured = 4, .service_s = 1});
  const auto sample = meter.sample();
  EXPECT_EQ(sample.arrivals, 0);
  EXPECT_EQ(sample.in_service, 0);
  EXPECT_EQ(sample.service_s, 0);
}

}  // namespace
}  // namespace artel::scaling
