#include "artel/dispatch/weighted_least_request.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

constexpr int kDecisions = 100'000;

// How often each worker is chosen; tests fail if nobody is.
std::vector<int> decisions(const LoadArray& workers, double bias) {
  std::vector<int> count(workers.size());
  SplitMix64 dice(7);
  for (int i = 0; i < kDecisions; ++i) {
    const auto id = choose(WeightedLeastRequest{.bias = bias}, workers, Draw{.dice = dice()});
    EXPECT_TRUE(id);
    if (id) ++count[index(*id)];
  }
  return count;
}

LoadArray three() {
  return LoadArray(
      {{.queued = 0, .weight = 1}, {.queued = 3, .weight = 2}, {.queued = 1, .weight = 5}});
}

void expect_shares(const std::vector<int>& count, const std::vector<double>& weights) {
  double all = 0;
  for (const double weight : weights) all += weight;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / all;
    const double deviation = std::sqrt(share * (1 - share) * kDecisions);
    EXPECT_NEAR(count[i], share * kDecisions, 5 * deviation) << "worker " << i;
  }
}

TEST(WeightedLeastRequest, ChancesAreWeightByTasks) {
  expect_shares(decisions(three(), 1), {1, 2.0 / 4, 5.0 / 2});
}

TEST(WeightedLeastRequest, TheBiasSaysHowMuchTasksCount) {
  expect_shares(decisions(three(), 0), {1, 2, 5});
  expect_shares(decisions(three(), 2), {1, 2.0 / 16, 5.0 / 4});
  expect_shares(decisions(three(), 0.5), {1, 2 / std::sqrt(4.0), 5 / std::sqrt(2.0)});
}

// Envoy's documentation: weight 2 and 4 requests count as 2 / (4 + 1)^1 = 0.4; and "a host will
// never truly drain".
TEST(WeightedLeastRequest, ChancesAreThoseOfEnvoysExample) {
  expect_shares(decisions(LoadArray({{.queued = 4, .weight = 2}, {.queued = 0, .weight = 1}}), 1),
                {0.4, 1});
  expect_shares(decisions(LoadArray({{.queued = 99, .weight = 1}, {.queued = 0, .weight = 1}}), 1),
                {0.01, 1});
}

TEST(WeightedLeastRequest, AFullWorkerGetsNothing) {
  const auto count = decisions(loads({2, 1, 2, 0}, 2), 1);
  EXPECT_EQ(count[0] + count[2], 0);
  expect_shares(count, {0, 1.0 / 2, 0, 1});
  EXPECT_FALSE(choose(WeightedLeastRequest{}, loads({1, 1}, 1), Draw{.dice = 5}));
  EXPECT_FALSE(choose(WeightedLeastRequest{}, loads({}), Draw{.dice = 5}));
}

TEST(WeightedLeastRequest, TheHighestDiceFindAWorker) {
  EXPECT_TRUE(choose(WeightedLeastRequest{}, three(), Draw{.dice = ~std::uint64_t{0}}));
}

}  // namespace
}  // namespace artel::dispatch
