#include "artel/random/detail/any_law.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <string>

namespace artel::random::detail {
namespace {

namespace math = boost::math;

/// Plain doubles, and infinity instead of an exception where a result is too large.
using Plain = math::policies::policy<math::policies::promote_double<false>,
                                     math::policies::overflow_error<math::policies::ignore_error>>;

double gamma_tail(double shape, double x) { return x <= 0 ? 1 : math::gamma_q(shape, x, Plain{}); }

double gamma_quantile(double shape, double p) { return math::gamma_p_inv(shape, p, Plain{}); }

}  // namespace

std::string Constant::describe() const { return fmt::format("constant({:.6g})", value); }

double Uniform::mean() const { return low + (high - low) / 2; }
double Uniform::variance() const { return (high - low) * (high - low) / 12; }
double Uniform::tail(double x) const { return std::clamp((high - x) / (high - low), 0.0, 1.0); }
double Uniform::quantile(double p) const { return std::min(low + (high - low) * p, high); }
std::string Uniform::describe() const {
  return fmt::format("uniform(low {:.6g}, high {:.6g})", low, high);
}

double Exponential::tail(double x) const { return x <= 0 ? 1 : std::exp(-x / average); }
double Exponential::quantile(double p) const { return -average * std::log1p(-p); }
std::string Exponential::describe() const {
  return fmt::format("exponential(mean {:.6g})", average);
}

double Erlang::tail(double x) const { return gamma_tail(phases, x * phases / average); }
double Erlang::quantile(double p) const { return gamma_quantile(phases, p) * average / phases; }
std::string Erlang::describe() const {
  return fmt::format("erlang(phases {}, mean {:.6g})", phases, average);
}

double Lognormal::mean() const { return std::exp(mu + sigma * sigma / 2); }
double Lognormal::variance() const {
  return std::expm1(sigma * sigma) * std::exp(2 * mu + sigma * sigma);
}
double Lognormal::tail(double x) const {
  if (x <= 0) return 1;
  return std::erfc((std::log(x) - mu) / (sigma * std::numbers::sqrt2)) / 2;
}
double Lognormal::quantile(double p) const {
  return std::exp(mu - sigma * std::numbers::sqrt2 * math::erfc_inv(2 * p, Plain{}));
}
std::string Lognormal::describe() const {
  return fmt::format("lognormal(mean {:.6g}, scv {:.6g})", mean(), std::expm1(sigma * sigma));
}
Lognormal Lognormal::scaled(double factor) const { return {mu + std::log(factor), sigma}; }

double Weibull::mean() const { return scale * std::tgamma(1 + 1 / shape); }
double Weibull::variance() const {
  const double mean_unit = std::tgamma(1 + 1 / shape);
  return scale * scale * (std::tgamma(1 + 2 / shape) - mean_unit * mean_unit);
}
double Weibull::tail(double x) const { return x <= 0 ? 1 : std::exp(-std::pow(x / scale, shape)); }
double Weibull::quantile(double p) const { return scale * std::pow(-std::log1p(-p), 1 / shape); }
std::string Weibull::describe() const {
  return fmt::format("weibull(shape {:.6g}, scale {:.6g})", shape, scale);
}

BoundedPareto::BoundedPareto(double alpha, double low, double high)
    : alpha_(alpha),
      low_(low),
      high_(high),
      minus_kept_(std::expm1(-alpha * std::log(high / low))) {}

/// E[(X / low)^power]: the integral of the density, written so that power = alpha is no exception.
double BoundedPareto::moment(double power) const {
  const double span = std::log(high_ / low_);
  const double slope = power - alpha_;
  const double integral = slope == 0 ? span : std::expm1(slope * span) / slope;
  return alpha_ * integral / -minus_kept_;
}

double BoundedPareto::mean() const { return low_ * moment(1); }
double BoundedPareto::variance() const {
  return low_ * low_ * std::max(0.0, moment(2) - moment(1) * moment(1));
}
double BoundedPareto::tail(double x) const {
  if (x <= low_) return 1;
  if (x >= high_) return 0;
  return std::exp(-alpha_ * std::log(x / low_)) * std::expm1(-alpha_ * std::log(high_ / x)) /
         minus_kept_;
}
double BoundedPareto::quantile(double p) const {
  return std::min(low_ * std::exp(std::log1p(p * minus_kept_) / -alpha_), high_);
}
std::string BoundedPareto::describe() const {
  return fmt::format("bounded_pareto(alpha {:.6g}, low {:.6g}, high {:.6g})", alpha_, low_, high_);
}

double Gamma::tail(double x) const { return gamma_tail(shape, x / scale); }
double Gamma::quantile(double p) const { return scale * gamma_quantile(shape, p); }
std::string Gamma::describe() const {
  return fmt::format("gamma(shape {:.6g}, scale {:.6g})", shape, scale);
}

}  // namespace artel::random::detail
