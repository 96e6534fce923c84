#include "artel/dispatch/detail/water_level.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace artel::dispatch::detail {
namespace {

constexpr double kOutOfReach = std::numeric_limits<double>::infinity();

/// What each vessel takes.
std::vector<double> water_fill(const std::vector<Vessel>& vessels, double amount) {
  std::vector<Vessel> wet(3, Vessel{.height = 0, .width = 9});  // of another time
  double volume = amount;
  double width = 0;
  for (const Vessel& vessel : vessels) {
    volume += vessel.height * vessel.width;
    width += vessel.width;
  }
  const double level = water_level(vessels, amount, kOutOfReach, wet);
  EXPECT_EQ(level, water_level(vessels, amount, volume / width, wet));  // where all hold water
  std::vector<double> parts;
  parts.reserve(vessels.size());
  for (const Vessel& vessel : vessels)
    parts.push_back(std::max(0.0, level - vessel.height) * vessel.width);
  return parts;
}

TEST(WaterLevel, LevelsWhatIsLow) {
  const std::vector<Vessel> vessels{{.height = 0}, {.height = 2}, {.height = 5}};
  EXPECT_EQ(water_fill(vessels, 4), (std::vector<double>{3, 1, 0}));
  EXPECT_EQ(water_fill(vessels, 1), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(water_fill(vessels, 11), (std::vector<double>{6, 4, 1}));
}

TEST(WaterLevel, WideVesselsTakeMore) {
  EXPECT_EQ(water_fill(std::vector<Vessel>{{.width = 1}, {.width = 3}}, 8),
            (std::vector<double>{2, 6}));
}

TEST(WaterLevel, AVesselWithoutABottomInReachTakesNone) {
  std::vector<Vessel> wet;
  const std::vector<Vessel> vessels{{.height = 0}, {.height = kOutOfReach}, {.height = 1}};
  EXPECT_EQ(water_level(vessels, 3, kOutOfReach, wet), 2);
  EXPECT_EQ(water_level(vessels, 3, 9, wet), 2);
}

// Rounded, the level is not above the lower bottom alone, and above both together.
TEST(WaterLevel, EndsWhereRoundingDecides) {
  const std::vector<Vessel> vessels{{.height = 1.0000000000000004, .width = 9},
                                    {.height = 1.0000000000000002, .width = 7}};
  for (const double part : water_fill(vessels, 2.4e-15)) EXPECT_LT(part, 1e-14);
}

RC_GTEST_PROP(WaterLevel, FillsToOneLevelAndLosesNothing, ()) {
  const auto numbers = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 30), rc::gen::inRange(1, 5))));
  std::vector<Vessel> vessels;
  vessels.reserve(numbers.size());
  for (const auto& [height, width] : numbers) {
    vessels.push_back({.height = height * 0.5, .width = width * 0.5});
  }
  const double amount = *rc::gen::inRange(1, 500) * 0.25;
  const auto parts = water_fill(vessels, amount);
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  RC_ASSERT(std::abs(sum - amount) < 1e-9 * amount);
  double level = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] > 0) level = vessels[i].height + parts[i] / vessels[i].width;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    RC_ASSERT(parts[i] >= 0);
    const double surface = vessels[i].height + parts[i] / vessels[i].width;
    RC_ASSERT((parts[i] > 0 ? std::abs(surface - level) < 1e-9 : surface >= level - 1e-9));
  }
}

}  // namespace
}  // namespace artel::dispatch::detail
