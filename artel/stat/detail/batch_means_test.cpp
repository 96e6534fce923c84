#include "artel/stat/detail/batch_means.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace artel::stat::detail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(BatchMeans, LeavesOutAnIncompleteBatch) {
  EXPECT_THAT(batch_means(std::vector<double>{1, 3, 5, 9, 100}, 2), ElementsAre(2, 7));
}

TEST(BatchMeans, BatchesOfOneAreTheValues) {
  EXPECT_THAT(batch_means(std::vector<double>{1, 3}, 1), ElementsAre(1, 3));
}

TEST(BatchMeans, FewerValuesThanABatchGiveNone) {
  EXPECT_THAT(batch_means(std::vector<double>{1, 3}, 3), IsEmpty());
}

TEST(BatchMeansDeathTest, RefusesEmptyBatches) {
  EXPECT_DEATH(static_cast<void>(batch_means(std::vector<double>{1}, 0)), "at least one");
}

}  // namespace
}  // namespace artel::stat::detail
