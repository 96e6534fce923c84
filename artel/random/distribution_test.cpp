#include "artel/random/distribution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"

namespace artel::random {

/// How RapidCheck prints a counterexample.
std::ostream& operator<<(std::ostream& out, const Distribution& law) {
  return out << law.describe();
}

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Distribution, DefaultIsZero) {
  Stream stream(Seed{1}, "draws");
  EXPECT_EQ(Distribution()(stream), 0.0);
  EXPECT_EQ(Distribution().describe(), "constant(0)");
}

TEST(Distribution, ScvOfMeanZeroIsNotANumber) { EXPECT_TRUE(std::isnan(Distribution().scv())); }

TEST(Distribution, DescribesItself) {
  using D = Distribution;
  EXPECT_EQ(D::constant(0.1)->describe(), "constant(0.1)");
  EXPECT_EQ(D::uniform({.low = 0, .high = 1})->describe(), "uniform(low 0, high 1)");
  EXPECT_EQ(D::exponential(1)->describe(), "exponential(mean 1)");
  EXPECT_EQ(D::erlang({.phases = 2, .mean = 1})->describe(), "erlang(phases 2, mean 1)");
  EXPECT_EQ(D::hyperexponential({.mean = 1, .scv = 10})->describe(),
            "hyperexponential(mean 1, scv 10)");
  EXPECT_EQ(D::lognormal({.mean = 1, .scv = 4})->describe(), "lognormal(mean 1, scv 4)");
  EXPECT_EQ(D::weibull({.shape = 2, .scale = 1})->describe(), "weibull(shape 2, scale 1)");
  EXPECT_EQ(D::bounded_pareto({.alpha = 1.1, .low = 1, .high = 1e6})->describe(),
            "bounded_pareto(alpha 1.1, low 1, high 1e+06)");
  EXPECT_EQ(D::gamma({.shape = 2, .scale = 1 / 3.0})->describe(), "gamma(shape 2, scale 0.333333)");
  EXPECT_EQ(D::empirical({1, 2})->describe(), "empirical(2 samples, mean 1.5)");
}

/// The factory refused `parameter`, said what it found and what is allowed.
void expect_refused(const Result<Distribution>& result, const std::string& parameter,
                    const std::string& found, const std::string& allowed) {
  ASSERT_FALSE(result.has_value()) << result->describe();
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_EQ(result.error().where, parameter);
  EXPECT_THAT(result.error().what, AllOf(HasSubstr(parameter + " of "), HasSubstr("found " + found),
                                         HasSubstr("allowed: " + allowed)));
}

TEST(Distribution, RefusesImpossibleParameters) {
  using D = Distribution;
  expect_refused(D::constant(kNaN), "value", "nan", "-1e+100 to 1e+100");
  expect_refused(D::uniform({.low = -kInfinity, .high = 1}), "low", "-inf", "-1e+100 to 1e+100");
  expect_refused(D::uniform({.low = 2, .high = 2}), "high", "2", "more than low, 2");
  expect_refused(D::exponential(0), "mean", "0", "1e-100 to 1e+100");
  expect_refused(D::exponential(-1), "mean", "-1", "1e-100 to 1e+100");
  expect_refused(D::exponential(kInfinity), "mean", "inf", "1e-100 to 1e+100");
  expect_refused(D::erlang({.phases = 0, .mean = 1}), "phases", "0", "1 to 1000000");
  expect_refused(D::erlang({.phases = 1, .mean = kNaN}), "mean", "nan", "1e-100 to 1e+100");
  expect_refused(D::hyperexponential({.mean = 0, .scv = 2}), "mean", "0", "1e-100 to 1e+100");
  expect_refused(D::hyperexponential({.mean = 1, .scv = 0.5}), "scv", "0.5", "1 to 1000000");
  expect_refused(D::lognormal({.mean = -1, .scv = 1}), "mean", "-1", "1e-100 to 1e+100");
  expect_refused(D::lognormal({.mean = 1, .scv = 0}), "scv", "0", "1e-06 to 1000000");
  expect_refused(D::lognormal({.mu = kNaN, .sigma = 1}), "mu", "nan", "-200 to 200");
  expect_refused(D::lognormal({.mu = 1, .sigma = 0}), "sigma", "0", "1e-06 to 10");
  expect_refused(D::weibull({.shape = 0, .scale = 1}), "shape", "0", "0.05 to 1000");
  expect_refused(D::weibull({.shape = 1, .scale = -2}), "scale", "-2", "1e-100 to 1e+100");
  expect_refused(D::bounded_pareto({.alpha = 0, .low = 1, .high = 2}), "alpha", "0",
                 "0.01 to 1000");
  expect_refused(D::bounded_pareto({.alpha = 1, .low = 0, .high = 2}), "low", "0",
                 "1e-100 to 1e+100");
  expect_refused(D::bounded_pareto({.alpha = 1, .low = 3, .high = 2}), "high", "2",
                 "more than low, 3");
  expect_refused(D::gamma({.shape = -1, .scale = 1}), "shape", "-1", "0.01 to 1000000");
  expect_refused(D::gamma({.shape = 1, .scale = kInfinity}), "scale", "inf", "1e-100 to 1e+100");
  expect_refused(D::empirical({}), "samples", "0", "at least one");
  expect_refused(D::empirical({1, kNaN}), "samples", "nan", "-1e+100 to 1e+100");
  expect_refused(D::mixture({}), "parts", "0", "at least one");
  expect_refused(D::mixture({{0.5, 1.0}, {-0.5, 1.0}}), "probability", "-0.5", "1e-12 to 1");
  expect_refused(D::mixture({{0.5, 1.0}, {0.4, 1.0}}), "probability", "0.9", "a sum of 1");
  expect_refused(D::mixture({{1.0, kNaN}}), "value", "nan", "-1e+100 to 1e+100");
}

TEST(Distribution, StaysFiniteAtTheEndsOfTheAllowedRanges) {
  using D = Distribution;
  std::vector<Result<Distribution>> laws{D::uniform({.low = -1e100, .high = 1e100})};
  const std::vector<double> sizes{1e-100, 1, 1e100};
  for (const double size : sizes) {
    laws.push_back(D::exponential(size));
    for (const unsigned phases : {1U, 1'000'000U}) {
      laws.push_back(D::erlang({.phases = phases, .mean = size}));
    }
    for (const double scv : {1e-6, 1.0, 1e6}) {
      if (scv >= 1) laws.push_back(D::hyperexponential({.mean = size, .scv = scv}));
      laws.push_back(D::lognormal({.mean = size, .scv = scv}));
    }
    for (const double shape : {0.05, 1.0, 1e3}) {
      laws.push_back(D::weibull({.shape = shape, .scale = size}));
    }
    for (const double shape : {0.01, 1.0, 1e6}) {
      laws.push_back(D::gamma({.shape = shape, .scale = size}));
    }
    for (const double alpha : {0.01, 1.0, 2.0, 1e3}) {
      for (const double high : sizes) {
        if (high > size) {
          laws.push_back(D::bounded_pareto({.alpha = alpha, .low = size, .high = high}));
        }
      }
    }
  }
  for (const double mu : {-200.0, 200.0}) {
    for (const double sigma : {1e-6, 10.0}) {
      laws.push_back(D::lognormal({.mu = mu, .sigma = sigma}));
    }
  }
  Stream stream(Seed{1}, "draws");
  for (const auto& law : laws) {
    ASSERT_TRUE(law.has_value()) << to_string(law.error());
    SCOPED_TRACE(law->describe());
    EXPECT_TRUE(std::isfinite(law->mean()));
    EXPECT_TRUE(std::isfinite(law->variance()));
    EXPECT_GE(law->variance(), 0.0);
    double before = law->quantile(0);
    for (const double p : {1e-300, 1e-9, 0.5, 1 - 1e-9, 1.0}) {
      const double x = law->quantile(p);
      EXPECT_GE(x, before) << p;
      EXPECT_GE(law->tail(x), 0.0) << p;
      EXPECT_LE(law->tail(x), 1.0) << p;
      before = x;
    }
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(std::isfinite((*law)(stream)));
  }
}

TEST(DistributionDeathTest, RefusesAQuantileBeyondOne) {
  EXPECT_DEATH(static_cast<void>(Distribution().quantile(1.5)), "probability");
}

TEST(DistributionDeathTest, RefusesToScaleByZero) {
  EXPECT_DEATH(static_cast<void>(Distribution().scaled(0)), "factor");
}

double hundredths(int low, int high) { return *rc::gen::inRange(low, high + 1) / 100.0; }

/// Any law without jumps, of moderate parameters: scv below about 30.
Distribution draw_smooth_law() {
  using D = Distribution;
  const double mean = hundredths(1, 1000);
  switch (*rc::gen::inRange(0, 10)) {
    case 0:
      return *D::uniform({.low = hundredths(-500, 500), .high = 5 + mean});
    case 1:
      return *D::exponential(mean);
    case 2:
      return *D::erlang({.phases = *rc::gen::inRange(1U, 40U), .mean = mean});
    case 3:
      return *D::hyperexponential({.mean = mean, .scv = hundredths(100, 3000)});
    case 4:
      return *D::lognormal({.mean = mean, .scv = hundredths(1, 500)});
    case 5:
      return *D::lognormal({.mu = hundredths(-200, 200), .sigma = hundredths(10, 150)});
    case 6:
      return *D::weibull({.shape = hundredths(50, 500), .scale = mean});
    case 7: {
      const double high_over_low = hundredths(110, 10000);
      return *D::bounded_pareto(
          {.alpha = hundredths(1, 400), .low = mean, .high = mean * high_over_low});
    }
    case 8:
      return *D::gamma({.shape = hundredths(20, 1000), .scale = mean});
    default:
      return *D::mixture(
          {{0.3, *D::exponential(mean)}, {0.7, *D::uniform({.low = mean, .high = 2 * mean})}});
  }
}

Distribution draw_any_law() {
  using D = Distribution;
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return *D::empirical(*rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
          rc::gen::map(rc::gen::inRange(-100, 100), [](int sample) { return sample / 4.0; }))));
    case 1:
      return *D::mixture({{0.25, hundredths(0, 1000)}, {0.75, draw_smooth_law()}});
    default:
      return draw_smooth_law();
  }
}

rc::Gen<Distribution> smooth_law() { return rc::gen::exec(draw_smooth_law); }
rc::Gen<Distribution> any_law() { return rc::gen::exec(draw_any_law); }

RC_GTEST_PROP(Distribution, QuantileIsWhereTheTailFallsToOneMinusP, ()) {
  const auto law = *any_law();
  const double p = *rc::gen::inRange(1, 10000) / 10000.0;
  const double x = law.quantile(p);
  RC_LOG() << law.describe() << " p " << p << " x " << x;
  const double slack = 1e-10;
  RC_ASSERT(law.tail(x * (x < 0 ? 1 - slack : 1 + slack)) <= 1 - p + 1e-9);
  RC_ASSERT(law.tail(x - std::abs(x) * slack - slack) >= 1 - p - 1e-9);
}

RC_GTEST_PROP(Distribution, QuantileNeverFalls, ()) {
  const auto law = *any_law();
  double before = law.quantile(0);
  for (int i = 1; i <= 100; ++i) {
    const double now = law.quantile(i / 100.0);
    RC_ASSERT(now >= before);
    before = now;
  }
}

RC_GTEST_PROP(Distribution, DrawsStayBetweenTheEnds, ()) {
  const auto law = *any_law();
  Stream stream(Seed{*rc::gen::arbitrary<std::uint64_t>()}, "draws");
  const double low = law.quantile(0);
  const double high = law.quantile(1);
  for (int i = 0; i < 100; ++i) {
    const double draw = law(stream);
    RC_ASSERT(std::isfinite(draw));
    RC_ASSERT(draw >= low);
    RC_ASSERT(draw <= high);
  }
}

/// Integral of f from the lowest value to where the tail ends.
template <class Function>
double integral(const Distribution& law, Function f) {
  std::vector<double> cuts{0, 0.01, 0.1, 0.25, 0.5, 0.75};
  for (double rest = 0.1; rest > 1e-14; rest /= 10) cuts.push_back(1 - rest);
  double sum = 0;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const double low = law.quantile(cuts[i - 1]);
    const double high = law.quantile(cuts[i]);
    if (low < high) {
      sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, low, high, 8, 1e-10);
    }
  }
  return sum;
}

RC_GTEST_PROP(Distribution, MeanAndVarianceAreThoseOfTheTail, ()) {
  // E[X - low] = ∫ tail, E[(X - low)²] = ∫ 2 (x - low) tail
  const auto law = *smooth_law();
  const double low = law.quantile(0);
  const double offset = integral(law, [&](double x) { return law.tail(x); });
  const double square = integral(law, [&](double x) { return 2 * (x - low) * law.tail(x); });
  RC_LOG() << law.describe() << ": " << low + offset << " " << square - offset * offset;
  RC_ASSERT(std::abs(law.mean() - low - offset) <= 1e-6 * offset + 1e-9);
  RC_ASSERT(std::abs(law.variance() - (square - offset * offset)) <= 1e-5 * square + 1e-9);
}

RC_GTEST_PROP(Distribution, ScaledMultipliesEveryDraw, ()) {
  const auto law = *any_law();
  const double factor = *rc::gen::inRange(1, 1000) / 64.0;
  const auto scaled = law.scaled(factor);
  const auto near = [](double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::abs(b) + 1e-12;
  };
  RC_ASSERT(near(scaled.mean(), law.mean() * factor));
  RC_ASSERT(near(scaled.variance(), law.variance() * factor * factor));
  const double x = law.quantile(0.7);
  RC_ASSERT(near(scaled.quantile(0.7), x * factor));
  Stream stream(Seed{1}, "draws");
  Stream same = stream;
  for (int i = 0; i < 20; ++i) RC_ASSERT(near(scaled(stream), law(same) * factor));
}

}  // namespace
}  // namespace artel::random
