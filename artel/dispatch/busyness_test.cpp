#include "artel/dispatch/busyness.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "artel/dispatch/load.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;

constexpr Load kLoad{
    .queued = 3, .capacity = 4, .weight = 2, .work = milliseconds(500), .delay = milliseconds(20)};

TEST(Busyness, EveryMeasureReadsItsPartOfTheLoad) {
  EXPECT_EQ(Busyness()(kLoad), 3);
  EXPECT_EQ(Busyness(Measure::occupancy)(kLoad), 0.75);
  EXPECT_EQ(Busyness(Measure::weighted)(kLoad), 1.5);
  EXPECT_EQ(Busyness(Measure::work)(kLoad), 0.5);
  EXPECT_EQ(Busyness(Measure::delay)(kLoad), 0.02);
  EXPECT_EQ(Busyness([](const Load& load) { return load.queued * 10.0; })(kLoad), 30);
}

TEST(Busyness, EqualOccupanciesAreEqualWhateverTheCapacity) {
  const Busyness occupancy = Measure::occupancy;
  EXPECT_EQ(occupancy({.queued = 2, .capacity = 3}), occupancy({.queued = 4, .capacity = 6}));
}

TEST(Busyness, OccupancyWithoutBoundsOrdersLikeQueued) {
  const Busyness occupancy = Measure::occupancy;
  EXPECT_LT(occupancy({.queued = 1}), occupancy({.queued = 2}));
}

TEST(Busyness, NamesAreFoundAgain) {
  for (const Measure measure :
       {Measure::queued, Measure::occupancy, Measure::weighted, Measure::work, Measure::delay}) {
    EXPECT_EQ(find_measure(name(measure)), measure);
  }
  EXPECT_EQ(measure_names().size(), 5U);
  EXPECT_FALSE(find_measure("custom"));
}

TEST(BusynessDeathTest, CustomMustBeANumber) {
  const Busyness broken([](const Load&) { return std::nan(""); });
  EXPECT_DEATH((void)broken(kLoad), "busyness must be a number");
}

}  // namespace
}  // namespace artel::dispatch
