// Mean, variance and tail of every law against the closed forms of the textbooks.

#include "artel/random/detail/any_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/random/distribution.hpp"

namespace artel::random {
namespace {

struct Point {
  double x;
  double tail;
};

/// `found` has the mean, variance and tail that the textbook gives, to 12 digits.
void expect_law(const Result<Distribution>& found, double mean, double variance,
                const std::vector<Point>& points) {
  ASSERT_TRUE(found.has_value()) << to_string(found.error());
  SCOPED_TRACE(found->describe());
  EXPECT_NEAR(found->mean(), mean, 1e-12 * mean);
  EXPECT_NEAR(found->variance(), variance, 1e-11 * variance);
  EXPECT_NEAR(found->scv(), variance / (mean * mean), 1e-11 * variance / (mean * mean));
  for (const auto [x, tail] : points) EXPECT_NEAR(found->tail(x), tail, 1e-12 * tail) << x;
}

TEST(Law, ConstantIsItsValue) {
  expect_law(Distribution::constant(3), 3, 0, {{2.9, 1}, {3, 0}, {3.1, 0}});
  EXPECT_EQ(Distribution::constant(-3)->quantile(0.5), -3.0);
}

TEST(Law, UniformIsFlat) {
  expect_law(Distribution::uniform({.low = 2, .high = 6}), 4, 16 / 12.0,
             {{1, 1}, {2, 1}, {3, 0.75}, {5, 0.25}, {6, 0}, {7, 0}});
}

TEST(Law, ExponentialDecays) {
  expect_law(Distribution::exponential(2), 2, 4,
             {{-1, 1}, {0, 1}, {1, std::exp(-0.5)}, {100, std::exp(-50)}});
}

TEST(Law, ErlangTailIsAPoissonSum) {
  // P(X > x) = P(fewer than 3 of rate 3/2 by x)
  const auto tail = [](double x) {
    const double y = 1.5 * x;
    return std::exp(-y) * (1 + y + y * y / 2);
  };
  expect_law(Distribution::erlang({.phases = 3, .mean = 2}), 2, 4 / 3.0,
             {{-1, 1}, {0.5, tail(0.5)}, {2, tail(2)}, {9, tail(9)}});
}

TEST(Law, HyperexponentialHasBalancedMeans) {
  // scv 3: sqrt(2/4) = 0.7071, so that p = 0.8536
  const double p = (1 + std::sqrt(0.5)) / 2;
  const auto tail = [p](double x) {
    return p * std::exp(-p * x) + (1 - p) * std::exp(-(1 - p) * x);
  };
  expect_law(Distribution::hyperexponential({.mean = 2, .scv = 3}), 2, 12,
             {{-1, 1}, {1, tail(1)}, {10, tail(10)}, {50, tail(50)}});
}

TEST(Law, HyperexponentialOfScvOneIsExponential) {
  expect_law(Distribution::hyperexponential({.mean = 2, .scv = 1}), 2, 4,
             {{1, std::exp(-0.5)}, {9, std::exp(-4.5)}});
}

TEST(Law, LognormalKeepsTheMeanAndScvAskedFor) {
  const double sigma = std::sqrt(std::log(5.0));
  const double mu = std::log(2.0) - sigma * sigma / 2;
  const auto tail = [=](double x) {
    return std::erfc((std::log(x) - mu) / sigma / std::numbers::sqrt2) / 2;
  };
  expect_law(Distribution::lognormal({.mean = 2, .scv = 4}), 2, 16,
             {{-1, 1}, {0, 1}, {1, tail(1)}, {5, tail(5)}, {100, tail(100)}});
}

TEST(Law, LognormalFromItsLogarithm) {
  expect_law(Distribution::lognormal({.mu = 1, .sigma = 0.5}), std::exp(1.125),
             (std::exp(0.25) - 1) * std::exp(2.25), {{std::exp(1.0), 0.5}});
}

TEST(Law, WeibullOfShapeTwoIsRayleigh) {
  expect_law(Distribution::weibull({.shape = 2, .scale = 3}), 3 * std::sqrt(std::numbers::pi) / 2,
             9 * (1 - std::numbers::pi / 4), {{-1, 1}, {3, std::exp(-1)}, {6, std::exp(-4)}});
}

TEST(Law, WeibullOfShapeHalfIsHeavy) {
  expect_law(Distribution::weibull({.shape = 0.5, .scale = 1}), 2, 20,
             {{4, std::exp(-2)}, {100, std::exp(-10)}});
}

TEST(Law, BoundedParetoIsCutAtBothEnds) {
  // alpha 3/2 on [1, 4]: tail = (x^-1.5 - 1/8) / (7/8), E X = 12/7, E X² = 24/7
  expect_law(Distribution::bounded_pareto({.alpha = 1.5, .low = 1, .high = 4}), 12 / 7.0,
             24 / 7.0 - 144 / 49.0,
             {{0.5, 1}, {1, 1}, {2, (std::pow(2, -1.5) - 0.125) / 0.875}, {4, 0}, {5, 0}});
}

TEST(Law, BoundedParetoWhereTheMomentsHaveLogarithms) {
  // alpha 1: E X = low · ln r / (1 - 1/r), E X² = low · high; r = high / low
  const double mean = 2 * std::log(4.0) / 0.75;
  expect_law(Distribution::bounded_pareto({.alpha = 1, .low = 2, .high = 8}), mean,
             16 - mean * mean, {{4, (0.5 - 0.25) / 0.75}});
  // alpha 2: E X = 2 · low · (1 - 1/r) / (1 - 1/r²), E X² = 2 · low² · ln r / (1 - 1/r²)
  const double mean_2 = 2 * 2 * 0.75 / (15 / 16.0);
  expect_law(Distribution::bounded_pareto({.alpha = 2, .low = 2, .high = 8}), mean_2,
             8 * std::log(4.0) / (15 / 16.0) - mean_2 * mean_2, {{4, (0.25 - 0.0625) / 0.9375}});
}

TEST(Law, GammaTailHasClosedFormsAtHalves) {
  expect_law(Distribution::gamma({.shape = 0.5, .scale = 2}), 1, 2,
             {{-1, 1}, {0.1, std::erfc(std::sqrt(0.05))}, {6, std::erfc(std::sqrt(3.0))}});
  const auto tail = [](double x) {
    return std::erfc(std::sqrt(x)) + 2 / std::sqrt(std::numbers::pi) * std::exp(-x) *
                                         (std::sqrt(x) + 2 / 3.0 * x * std::sqrt(x));
  };
  expect_law(Distribution::gamma({.shape = 2.5, .scale = 1}), 2.5, 2.5,
             {{1, tail(1)}, {10, tail(10)}});
}

TEST(Law, EmpiricalIsItsSamples) {
  const auto found = Distribution::empirical({5, 1, 2, 2});
  expect_law(found, 2.5, 2.25, {{0.9, 1}, {1, 0.75}, {2, 0.25}, {4, 0.25}, {5, 0}});
  EXPECT_EQ(found->quantile(0), 1.0);
  EXPECT_EQ(found->quantile(0.5), 2.0);
  EXPECT_EQ(found->quantile(0.76), 5.0);
  EXPECT_EQ(found->quantile(1), 5.0);
  std::vector<double> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(i);
  EXPECT_EQ(Distribution::empirical(hundred)->quantile(0.55), 55.0) << "though 0.55 * 100 > 55";
}

TEST(Law, MixtureWeighsItsParts) {
  const auto exponential = *Distribution::exponential(4);
  const auto found = Distribution::mixture({{0.75, 1.0}, {0.25, exponential}});
  // mean 0.75 + 1; E X² = 0.75 · 1 + 0.25 · 32
  expect_law(found, 1.75, 8.75 - 1.75 * 1.75,
             {{0.5, 0.75 + 0.25 * std::exp(-0.125)}, {1, 0.25 * std::exp(-0.25)}});
  EXPECT_EQ(found->quantile(0.5), 1.0);  // the atom
  EXPECT_NEAR(found->quantile(0.9), 4 * std::log(2.5), 1e-12);
}

TEST(Law, MixtureOfOneIsThatOne) {
  const auto found = Distribution::mixture({{1, *Distribution::exponential(2)}});
  expect_law(found, 2, 4, {{1, std::exp(-0.5)}});
}

TEST(Law, MixturesNest) {
  const auto inner = *Distribution::mixture({{0.5, 1.0}, {0.5, 3.0}});
  const auto found = Distribution::mixture({{0.5, inner}, {0.5, 6.0}});
  expect_law(found, 4, 4.5, {{1, 0.75}, {3, 0.5}, {6, 0}});
  EXPECT_EQ(found->describe(),
            "mixture(0.5 mixture(0.5 constant(1), 0.5 constant(3)), "
            "0.5 constant(6))");
}

}  // namespace
}  // namespace artel::random
