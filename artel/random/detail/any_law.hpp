#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/random/stream.hpp"

namespace artel::random {
class Distribution;
}

namespace artel::random::detail {

/// What a Distribution can follow: draw (one random value), mean, variance, tail(x) = P(X > x),
/// quantile(p) = the smallest x with P(X <= x) >= p, describe, scaled(factor) = the law of
/// factor · X. The parameters are checked by Distribution's factories.
template <class T>
concept LawOfChance = requires(const T& law, Stream& stream, double x) {
  { law.draw(stream) } -> std::same_as<double>;
  { law.mean() } -> std::same_as<double>;
  { law.variance() } -> std::same_as<double>;
  { law.tail(x) } -> std::same_as<double>;
  { law.quantile(x) } -> std::same_as<double>;
  { law.describe() } -> std::same_as<std::string>;
  { law.scaled(x) } -> std::same_as<T>;
};

struct Constant {
  double value = 0;

  [[nodiscard]] double draw(Stream&) const { return value; }
  [[nodiscard]] double mean() const { return value; }
  [[nodiscard]] static double variance() { return 0; }
  [[nodiscard]] double tail(double x) const { return x < value ? 1 : 0; }
  [[nodiscard]] double quantile(double) const { return value; }
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Constant scaled(double factor) const { return {value * factor}; }
};

/// low < high.
struct Uniform {
  double low;
  double high;

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Uniform scaled(double factor) const { return {low * factor, high * factor}; }
};

/// tail(x) = exp(-x / mean).
struct Exponential {
  double average;

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const { return average; }
  [[nodiscard]] double variance() const { return average * average; }
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Exponential scaled(double factor) const { return {average * factor}; }
};

/// The sum of `phases` exponential times, together `average` long.
struct Erlang {
  unsigned phases;
  double average;

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const { return average; }
  [[nodiscard]] double variance() const { return average * average / phases; }
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Erlang scaled(double factor) const { return {phases, average * factor}; }
};

/// Exponential of one mean or of another, where both kinds carry half of the total ("balanced
/// means"): p = (1 + sqrt((scv - 1) / (scv + 1))) / 2, means average / 2p and average / 2(1 - p).
class Hyperexponential {
 public:
  Hyperexponential(double average, double scv);

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const { return average_; }
  [[nodiscard]] double variance() const { return scv_ * average_ * average_; }
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Hyperexponential scaled(double factor) const { return {average_ * factor, scv_}; }

 private:
  double average_;
  double scv_;
  double short_share_;  ///< probability of the shorter kind
  double long_share_;
  double short_mean_;
  double long_mean_;
};

/// exp(N(mu, sigma²)).
struct Lognormal {
  double mu;
  double sigma;

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Lognormal scaled(double factor) const;
};

/// tail(x) = exp(-(x / scale)^shape).
struct Weibull {
  double shape;
  double scale;

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Weibull scaled(double factor) const { return {shape, scale * factor}; }
};

/// Pareto's power law, tail ~ x^-alpha, cut to [low, high] (truncated, not clamped).
class BoundedPareto {
 public:
  BoundedPareto(double alpha, double low, double high);

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] BoundedPareto scaled(double factor) const {
    return {alpha_, low_ * factor, high_ * factor};
  }

 private:
  [[nodiscard]] double moment(double power) const;

  double alpha_;
  double low_;
  double high_;
  double minus_kept_;  ///< -P(the uncut law stays below high) = (low / high)^alpha - 1
};

/// Density ~ x^(shape - 1) exp(-x / scale).
struct Gamma {
  double shape;
  double scale;

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const { return shape * scale; }
  [[nodiscard]] double variance() const { return shape * scale * scale; }
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Gamma scaled(double factor) const { return {shape, scale * factor}; }
};

/// One of the samples, each equally likely. Copies share the samples.
class Empirical {
 public:
  explicit Empirical(std::vector<double> samples);

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Empirical scaled(double factor) const;

 private:
  std::shared_ptr<const std::vector<double>> sorted_;
  double mean_;
  double variance_;
};

/// One of several distributions, each with its probability. Copies share the parts.
class Mixture {
 public:
  /// Probabilities and what to draw; they are divided by their sum.
  explicit Mixture(std::vector<std::pair<double, Distribution>> parts);

  [[nodiscard]] double draw(Stream& stream) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  [[nodiscard]] double tail(double x) const;
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Mixture scaled(double factor) const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

/// What a Distribution holds.
using AnyLaw = std::variant<Constant, Uniform, Exponential, Erlang, Hyperexponential, Lognormal,
                            Weibull, BoundedPareto, Gamma, Empirical, Mixture>;

}  // namespace artel::random::detail
