#include "artel/fleet/batch_series.hpp"

#include <gtest/gtest.h>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::fleet {
namespace {

TEST(BatchSeries, KeepsShortSeriesAsTheyAre) {
  BatchSeries series;
  for (const double value : {3.0, 1.0, 4.0}) series.add(value);
  EXPECT_EQ(series.means(), (std::vector<double>{3, 1, 4}));
  EXPECT_EQ(series.batch_size(), 1U);
}

TEST(BatchSeries, JoinsNeighboursWhenFull) {
  BatchSeries series;
  const std::uint64_t count = 5 * BatchSeries::kBatchesMax;
  for (std::uint64_t i = 0; i < count; ++i) series.add(static_cast<double>(i));
  EXPECT_EQ(series.batch_size(), 8U);
  EXPECT_EQ(series.means().size(), count / 8);
  for (std::size_t i = 0; i < series.means().size(); ++i) {
    EXPECT_EQ(series.means()[i], 8.0 * static_cast<double>(i) + 3.5);
  }
}

}  // namespace
}  // namespace artel::fleet
