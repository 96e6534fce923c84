#include "artel/parallel/progress.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::parallel {
namespace {

using namespace std::chrono_literals;

TEST(ProgressMeter, ReportsAtMostOncePerInterval) {
  ProgressMeter meter(100, 1s, Instant{10s});
  EXPECT_FALSE(meter.update(1, Instant{10'999ms}));
  EXPECT_TRUE(meter.update(2, Instant{11s}));
  EXPECT_FALSE(meter.update(3, Instant{11'500ms}));
  EXPECT_TRUE(meter.update(4, Instant{12s}));
}

TEST(ProgressMeter, RateAndEtaAreAveragesSinceTheStart) {
  ProgressMeter meter(100, 1s, Instant{10s});
  const auto told = meter.update(20, Instant{14s});
  ASSERT_TRUE(told);
  const Progress progress = told.value_or(Progress{});
  EXPECT_EQ(progress.done, 20);
  EXPECT_EQ(progress.total, 100);
  EXPECT_EQ(progress.elapsed, 4s);
  EXPECT_DOUBLE_EQ(progress.rate, 5);
  EXPECT_EQ(progress.eta, 16s);
}

TEST(ProgressMeter, NoEtaWithoutTotalOrRate) {
  EXPECT_FALSE(ProgressMeter(std::nullopt, 1s, Instant{}).at(5, Instant{1s}).eta);
  EXPECT_FALSE(ProgressMeter(10, 1s, Instant{}).at(0, Instant{1s}).eta);
  EXPECT_FALSE(ProgressMeter(10, 1s, Instant{}).at(5, Instant{}).eta);
}

TEST(ProgressMeter, EtaIsZeroAtTheEnd) {
  EXPECT_EQ(ProgressMeter(10, 1s, Instant{}).at(10, Instant{1s}).eta, 0s);
}

}  // namespace
}  // namespace artel::parallel
