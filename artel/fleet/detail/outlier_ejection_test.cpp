#include "artel/fleet/detail/outlier_ejection.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "artel/core/id.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

TEST(OutlierEjection, IsForFailuresInARowAndLongerEachTime) {
  OutlierEjection ejection({.failures = 2, .time = 30s, .share = 1});
  const WorkerId worker{3};
  EXPECT_FALSE(ejection.failed(worker, 4));
  ejection.succeeded(worker);
  EXPECT_FALSE(ejection.failed(worker, 4));
  EXPECT_EQ(ejection.failed(worker, 4), 30s);
  EXPECT_FALSE(ejection.failed(worker, 4));  // what was on its way still fails
  ejection.returned(worker);
  EXPECT_FALSE(ejection.failed(worker, 4));
  EXPECT_EQ(ejection.failed(worker, 4), 60s);
}

TEST(OutlierEjection, LeavesOutAShareAtMost) {
  OutlierEjection ejection({.failures = 1, .time = 30s, .share = 0.25});
  EXPECT_FALSE(ejection.failed(WorkerId{0}, 3));
  EXPECT_TRUE(ejection.failed(WorkerId{0}, 4));
  EXPECT_FALSE(ejection.failed(WorkerId{1}, 7));
  EXPECT_TRUE(ejection.failed(WorkerId{1}, 8));
}

TEST(OutlierEjection, NoFewerThanTheShareByARoundedDigit) {
  OutlierEjection ejection({.failures = 1, .time = 30s, .share = 0.29});
  for (std::uint32_t w = 0; w < 29; ++w) EXPECT_TRUE(ejection.failed(WorkerId{w}, 100));
  EXPECT_FALSE(ejection.failed(WorkerId{29}, 100));
}

}  // namespace
}  // namespace artel::fleet::detail
