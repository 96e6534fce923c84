#include "artel/dispatch/shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {
namespace {

TEST(Shares, SamplesByCumulativeSums) {
  const Shares shares(std::vector<double>{1, 0, 3});
  EXPECT_EQ(shares.sample(0), WorkerId{0});
  EXPECT_EQ(shares.sample(0.2499), WorkerId{0});
  EXPECT_EQ(shares.sample(0.25), WorkerId{2});
  EXPECT_EQ(shares.sample(0.9999), WorkerId{2});
  EXPECT_DOUBLE_EQ(shares.share(WorkerId{2}), 0.75);
  EXPECT_EQ(shares.share(WorkerId{9}), 0);
}

TEST(Shares, WithoutWeightsNobodyIsSampled) {
  EXPECT_FALSE(Shares().sample(0.5));
  EXPECT_FALSE(Shares(std::vector<double>{0, 0}).sample(0.5));
}

RC_GTEST_PROP(Shares, NeverSamplesAWorkerWithoutWeight, ()) {
  auto weights = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(0, 1000), [](int w) { return w < 300 ? 0.0 : w * 1e-3; }));
  weights.push_back(1e-9);
  const Shares shares(weights);
  const auto weight_of = [&](const std::optional<WorkerId>& id) {
    return id ? weights[index(*id)] : 0.0;
  };
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += shares.share(worker(i));
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
  for (double u = 0; u < 1; u += 0.00097) {
    RC_ASSERT(weight_of(shares.sample(u)) > 0);
  }
  RC_ASSERT(weight_of(shares.sample(1 - 0x1p-53)) > 0);
}

TEST(SharesDeathTest, RefusesNegativeWeights) {
  EXPECT_DEATH(Shares(std::vector<double>{1, -1}), "not negative");
}

}  // namespace
}  // namespace artel::dispatch
