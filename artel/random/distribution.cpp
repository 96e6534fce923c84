#include "artel/random/distribution.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/error/contract.hpp"
#include "artel/error/error.hpp"
#include "artel/random/law.hpp"

namespace artel::random {
namespace {

constexpr double kProbabilitySlack = 1e-6;

/// The first wrong parameter of one law, if any.
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
  Check& finite(std::string_view parameter, double found) {
    return that(std::isfinite(found), parameter, found, "a finite number");
  }
  Check& positive(std::string_view parameter, double found) {
    return that(std::isfinite(found) && found > 0, parameter, found, "a finite number > 0");
  }

  /// The law, or the error.
  template <class Make>
  auto make(Make&& law) const -> Result<decltype(law())> {
    if (wrong_) return tl::unexpected<Error>(*wrong_);
    return law();
  }

 private:
  std::string_view law_;
  std::optional<Error> wrong_;
};

}  // namespace

Result<Distribution> Distribution::constant(double value) {
  return Check("constant").finite("value", value).make([&] {
    return Distribution(law::Constant{value});
  });
}

Result<Distribution> Distribution::uniform(Bounds bounds) {
  const auto [low, high] = bounds;
  return Check("uniform")
      .finite("low", low)
      .that(std::isfinite(high) && high > low, "high", high,
            fmt::format("a finite number > low ({})", low))
      .that(std::isfinite(high - low), "high", high, "high - low within the range of double")
      .make([&] { return Distribution(law::Uniform{bounds.low, bounds.high}); });
}

Result<Distribution> Distribution::exponential(double mean) {
  return Check("exponential").positive("mean", mean).make([&] {
    return Distribution(law::Exponential{mean});
  });
}

Result<Distribution> Distribution::erlang(Phases parameters) {
  return Check("erlang")
      .that(parameters.phases >= 1, "phases", parameters.phases, "a whole number >= 1")
      .positive("mean", parameters.mean)
      .make([&] { return Distribution(law::Erlang{parameters.phases, parameters.mean}); });
}

Result<Distribution> Distribution::hyperexponential(MeanScv parameters) {
  return Check("hyperexponential")
      .positive("mean", parameters.mean)
      .that(std::isfinite(parameters.scv) && parameters.scv >= 1, "scv", parameters.scv,
            "a finite number >= 1")
      .make([&] { return Distribution(law::Hyperexponential(parameters.mean, parameters.scv)); });
}

Result<Distribution> Distribution::lognormal(MeanScv parameters) {
  return Check("lognormal")
      .positive("mean", parameters.mean)
      .positive("scv", parameters.scv)
      .make([&] {
        const double sigma_squared = std::log1p(parameters.scv);
        return Distribution(law::Lognormal{std::log(parameters.mean) - sigma_squared / 2,
                                           std::sqrt(sigma_squared)});
      });
}

Result<Distribution> Distribution::lognormal(MuSigma parameters) {
  return Check("lognormal")
      .finite("mu", parameters.mu)
      .positive("sigma", parameters.sigma)
      .make([&] { return Distribution(law::Lognormal{parameters.mu, parameters.sigma}); });
}

Result<Distribution> Distribution::weibull(ShapeScale parameters) {
  return Check("weibull")
      .positive("shape", parameters.shape)
      .positive("scale", parameters.scale)
      .make([&] { return Distribution(law::Weibull{parameters.shape, parameters.scale}); });
}

Result<Distribution> Distribution::bounded_pareto(PowerLaw parameters) {
  const auto& [alpha, low, high] = parameters;
  return Check("bounded_pareto")
      .positive("alpha", alpha)
      .positive("low", low)
      .that(std::isfinite(high) && high > low, "high", high,
            fmt::format("a finite number > low ({})", low))
      .make([&parameters] {
        return Distribution(law::BoundedPareto(parameters.alpha, parameters.low, parameters.high));
      });
}

Result<Distribution> Distribution::gamma(ShapeScale parameters) {
  return Check("gamma")
      .positive("shape", parameters.shape)
      .positive("scale", parameters.scale)
      .make([&] { return Distribution(law::Gamma{parameters.shape, parameters.scale}); });
}

Result<Distribution> Distribution::empirical(std::vector<double> samples) {
  Check check("empirical");
  check.that(!samples.empty(), "samples", 0, "at least one");
  for (const double sample : samples) check.finite("samples", sample);
  return check.make([&] { return Distribution(law::Empirical(std::move(samples))); });
}

Result<Distribution> Distribution::mixture(std::vector<Part> parts) {
  Check check("mixture");
  check.that(!parts.empty(), "parts", 0, "at least one");
  double sum = 0;
  std::vector<std::pair<double, Distribution>> checked;
  for (Part& part : parts) {
    check.positive("probability", part.probability);
    check.finite("value", part.distribution.quantile(0));
    sum += part.probability;
    checked.emplace_back(part.probability, std::move(part.distribution));
  }
  check.that(std::abs(sum - 1) <= kProbabilitySlack, "probability", sum, "a sum of 1");
  return check.make([&] { return Distribution(law::Mixture(std::move(checked))); });
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
