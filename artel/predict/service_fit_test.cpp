#include "artel/predict/service_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

std::vector<Duration> drawn(const random::Distribution& law, std::size_t n) {
  random::Stream stream(Seed{1}, "sizes");
  std::vector<Duration> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(from_seconds(law(stream)));
  return values;
}

TEST(SliceMeans, AreTheMeansOfEqualParts) {
  const std::vector<Duration> sorted{1s, 2s, 3s, 4s, 5s, 9s};
  EXPECT_THAT(slice_means(sorted, 0, 6, 3), ElementsAre(1500ms, 3500ms, 7s));
  EXPECT_THAT(slice_means(sorted, 4, 6, 10), ElementsAre(5s, 9s));
  EXPECT_THAT(slice_means(sorted, 0, 3, 2),
              ElementsAre(from_seconds(2.0 / 1.5), from_seconds(4.0 / 1.5)));
}

TEST(FitService, FewValuesAreKept) {
  const auto fit = fit_service({3s, 1s, 2s});
  ASSERT_EQ(fit.parts.size(), 1U);
  EXPECT_THAT(fit.parts[0].values, ElementsAre(1s, 2s, 3s));
  EXPECT_DOUBLE_EQ(fit.mean_s, 2);
  EXPECT_DOUBLE_EQ(fit.scv, 0.25);  // variance 1
  EXPECT_EQ(fit.ks, 0);
}

TEST(FitService, ManyValuesBecomeATableWithTheSameMeanAndTail) {
  const auto law = *random::Distribution::bounded_pareto({.alpha = 1.2, .low = 0.001, .high = 1});
  const auto fit = fit_service(drawn(law, 100'000));
  const auto table = fit.distribution();
  std::size_t values = 0;
  for (const auto& part : fit.parts) values += part.values.size();
  EXPECT_LE(values, 600U);
  EXPECT_NEAR(table.mean(), fit.mean_s, 1e-6 * fit.mean_s);
  EXPECT_NEAR(table.scv(), fit.scv, 0.02 * fit.scv);
  EXPECT_LT(fit.ks, 0.0035);                      // a slice of the body
  for (const double p : {0.5, 0.9, 0.99, 0.999})  // the sample itself is off by some percent
    EXPECT_NEAR(table.quantile(p), law.quantile(p), 0.1 * law.quantile(p)) << p;
}

TEST(FitService, TheTableFollowsTheLawThatMadeTheValues) {
  const auto law = *random::Distribution::exponential(0.01);
  const auto fit = fit_service(drawn(law, 50'000));
  const double noise = 1.63 / std::sqrt(50'000.0);  // of a sample, 99 in 100
  for (const double p : {0.1, 0.3, 0.5, 0.7, 0.9})
    EXPECT_NEAR(fit.distribution().tail(law.quantile(p)), 1 - p, noise + 0.0025) << p;
}

}  // namespace
}  // namespace artel::predict
