#include "artel/random/distribution.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/random/detail/any_law.hpp"

namespace artel::random {
namespace {

/// What a parameter may be. Within these, mean, variance, tails and draws are all finite.
struct Allowed {
  double low;
  double high;
};
constexpr Allowed kValue{-1e100, 1e100};
constexpr Allowed kSize{1e-100, 1e100};
constexpr Allowed kPhases{1, 1e6};
constexpr Allowed kHyperexponentialScv{1, 1e6};
constexpr Allowed kLognormalScv{1e-6, 1e6};
constexpr Allowed kLognormalMu{-200, 200};
constexpr Allowed kLognormalSigma{1e-6, 10};
constexpr Allowed kWeibullShape{0.05, 1e3};
constexpr Allowed kParetoAlpha{0.01, 1e3};
constexpr Allowed kGammaShape{0.01, 1e6};
constexpr Allowed kProbability{1e-12, 1};
constexpr double kProbabilitySlack = 1e-6;

/// Notes the first wrong parameter of a law.
class Check {
 public:
  explicit Check(std::string_view law) : law_(law) {}

  Check& that(bool holds, std::string_view parameter, double found, std::string_view allowed) {
    if (!holds && !wrong_) {
      wrong_ =
          Error{ErrorCode::invalid,
                fmt::format("{} of {}: found {}, allowed: {}", parameter, law_, found, allowed),
                std::string(parameter)};
    }
    return *this;
  }
  Check& within(Allowed allowed, std::string_view parameter, double found) {
    return that(found >= allowed.low && found <= allowed.high, parameter, found,
                fmt::format("{} to {}", allowed.low, allowed.high));
  }
  Check& ascending(double low, double high) {
    return that(low < high, "high", high, fmt::format("more than low, {}", low));
  }

  /// The law that make() builds, unless a parameter is wrong.
  template <class Make>
  Result<Distribution> make(Make make) const {
    if (wrong_) return tl::unexpected<Error>(*wrong_);
    return make();
  }

 private:
  std::string_view law_;
  std::optional<Error> wrong_;
};

}  // namespace

Result<Distribution> Distribution::constant(double value) {
  return Check("constant").within(kValue, "value", value).make([&] {
    return Distribution(detail::Constant{value});
  });
}

Result<Distribution> Distribution::uniform(Bounds bounds) {
  return Check("uniform")
      .within(kValue, "low", bounds.low)
      .within(kValue, "high", bounds.high)
      .ascending(bounds.low, bounds.high)
      .make([&] { return Distribution(detail::Uniform{bounds.low, bounds.high}); });
}

Result<Distribution> Distribution::exponential(double mean) {
  return Check("exponential").within(kSize, "mean", mean).make([&] {
    return Distribution(detail::Exponential{mean});
  });
}

Result<Distribution> Distribution::erlang(Phases parameters) {
  return Check("erlang")
      .within(kPhases, "phases", parameters.phases)
      .within(kSize, "mean", parameters.mean)
      .make([&] { return Distribution(detail::Erlang{parameters.phases, parameters.mean}); });
}

Result<Distribution> Distribution::hyperexponential(MeanScv parameters) {
  return Check("hyperexponential")
      .within(kSize, "mean", parameters.mean)
      .within(kHyperexponentialScv, "scv", parameters.scv)
      .make(
          [&] { return Distribution(detail::Hyperexponential(parameters.mean, parameters.scv)); });
}

Result<Distribution> Distribution::lognormal(MeanScv parameters) {
  return Check("lognormal")
      .within(kSize, "mean", parameters.mean)
      .within(kLognormalScv, "scv", parameters.scv)
      .make([&] {
        const double sigma_squared = std::log1p(parameters.scv);
        return Distribution(detail::Lognormal{std::log(parameters.mean) - sigma_squared / 2,
                                              std::sqrt(sigma_squared)});
      });
}

Result<Distribution> Distribution::lognormal(MuSigma parameters) {
  return Check("lognormal")
      .within(kLognormalMu, "mu", parameters.mu)
      .within(kLognormalSigma, "sigma", parameters.sigma)
      .make([&] { return Distribution(detail::Lognormal{parameters.mu, parameters.sigma}); });
}

Result<Distribution> Distribution::weibull(ShapeScale parameters) {
  return Check("weibull")
      .within(kWeibullShape, "shape", parameters.shape)
      .within(kSize, "scale", parameters.scale)
      .make([&] { return Distribution(detail::Weibull{parameters.shape, parameters.scale}); });
}

Result<Distribution> Distribution::bounded_pareto(PowerLaw parameters) {
  return Check("bounded_pareto")
      .within(kParetoAlpha, "alpha", parameters.alpha)
      .within(kSize, "low", parameters.low)
      .within(kSize, "high", parameters.high)
      .ascending(parameters.low, parameters.high)
      .make([&] {
        return Distribution(
            detail::BoundedPareto(parameters.alpha, parameters.low, parameters.high));
      });
}

Result<Distribution> Distribution::gamma(ShapeScale parameters) {
  return Check("gamma")
      .within(kGammaShape, "shape", parameters.shape)
      .within(kSize, "scale", parameters.scale)
      .make([&] { return Distribution(detail::Gamma{parameters.shape, parameters.scale}); });
}

Result<Distribution> Distribution::empirical(std::vector<double> samples) {
  Check check("empirical");
  check.that(!samples.empty(), "samples", 0, "at least one");
  for (const double sample : samples) check.within(kValue, "samples", sample);
  return check.make([&] { return Distribution(detail::Empirical(std::move(samples))); });
}

Result<Distribution> Distribution::mixture(std::vector<Part> parts) {
  Check check("mixture");
  check.that(!parts.empty(), "parts", 0, "at least one");
  double sum = 0;
  std::vector<std::pair<double, Distribution>> checked;
  for (Part& part : parts) {
    check.within(kProbability, "probability", part.probability);
    check.within(kValue, "value", part.distribution.mean());  // a plain number comes unchecked
    sum += part.probability;
    checked.emplace_back(part.probability, std::move(part.distribution));
  }
  check.that(std::abs(sum - 1) <= kProbabilitySlack, "probability", sum, "a sum of 1");
  return check.make([&] { return Distribution(detail::Mixture(std::move(checked))); });
}

double Distribution::mean() const {
  return std::visit([](const auto& law) { return law.mean(); }, law_);
}

double Distribution::variance() const {
  return std::visit([](const auto& law) { return law.variance(); }, law_);
}

double Distribution::scv() const { return variance() / (mean() * mean()); }

double Distribution::tail(double x) const {
  return std::visit([x](const auto& law) { return law.tail(x); }, law_);
}

double Distribution::quantile(double p) const {
  ARTEL_REQUIRE(p >= 0 && p <= 1, "a quantile needs a probability", p);
  return std::visit([p](const auto& law) { return law.quantile(p); }, law_);
}

std::string Distribution::describe() const {
  return std::visit([](const auto& law) { return law.describe(); }, law_);
}

Distribution Distribution::scaled(double factor) const {
  ARTEL_REQUIRE(std::isfinite(factor) && factor > 0, "the factor must be finite and > 0", factor);
  return std::visit([factor](const auto& law) { return Distribution(law.scaled(factor)); }, law_);
}

}  // namespace artel::random
