#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/random/detail/any_law.hpp"
#include "artel/random/stream.hpp"

namespace artel::random {

/// A law of chance for plain numbers: what a service time, a gap between arrivals or a size is
/// drawn from.
///
/// `auto service = Distribution::hyperexponential({.mean = 1, .scv = 10});`
/// `double seconds = (*service)(stream);`
/// Equal streams give equal numbers on every compiler. The last bit of lognormal, Weibull, Pareto
/// and gamma also depends on the C library (glibc has other code for processors without fused
/// multiply-add).
/// Cost:    a draw allocates nothing and takes 3 to 20 ns; Erlang 5 ns per phase; gamma, and Erlang
///          of more than 16 phases, 40 to 80 ns. Copies share samples and parts.
/// Units:   none; the caller decides what 1.0 means.
/// Errors:  the factories refuse what is not allowed; Error::where is the name of the parameter.
///          Values must be within ±1e100, means, scales and Pareto bounds within 1e-100 … 1e100,
///          and the rest as each factory says, so that all moments are finite.
/// Threads: const after construction: safe from any thread, each with its own Stream.
class Distribution {
 public:
  /// An interval, low <= high.
  struct Bounds {
    double low;
    double high;
  };
  /// For erlang(): how many phases, and the mean of their sum.
  struct Phases {
    unsigned phases;
    double mean;
  };
  /// For lognormal(), by what is measured.
  struct MeanScv {
    double mean;
    double scv;  ///< squared coefficient of variation: variance / mean²
  };
  /// For lognormal(), by what defines it.
  struct MuSigma {
    double mu;     ///< mean of the logarithm
    double sigma;  ///< standard deviation of the logarithm
  };
  /// For weibull() and gamma(), by shape and scale as usual; both > 0.
  struct ShapeScale {
    double shape;
    double scale;
  };
  /// For bounded_pareto(): density falls as x^-(alpha + 1) between low and high.
  struct PowerLaw {
    double alpha;
    double low;
    double high;
  };
  struct Part;

  /// Always 0.
  Distribution() = default;

  /// Always `value`.
  [[nodiscard]] static Result<Distribution> constant(double value);
  /// Flat over [low, high]. Allowed: low < high.
  [[nodiscard]] static Result<Distribution> uniform(Bounds bounds);
  /// tail(x) = exp(-x / mean).
  [[nodiscard]] static Result<Distribution> exponential(double mean);
  /// The sum of exponential phases, scv = 1 / phases. Allowed: 1 … 1e6 phases.
  [[nodiscard]] static Result<Distribution> erlang(Phases parameters);
  /// Two exponential phases with balanced means. Allowed: scv 1 (then it is exponential) … 1e6.
  [[nodiscard]] static Result<Distribution> hyperexponential(MeanScv parameters);
  /// exp of a normal number. Allowed: scv 1e-6 … 1e6.
  [[nodiscard]] static Result<Distribution> lognormal(MeanScv parameters);
  /// Allowed: mu -200 … 200, sigma 1e-6 … 10.
  [[nodiscard]] static Result<Distribution> lognormal(MuSigma parameters);
  /// tail(x) = exp(-(x / scale)^shape). Allowed: shape 0.05 … 1000.
  [[nodiscard]] static Result<Distribution> weibull(ShapeScale parameters);
  /// Density ~ x^-(alpha + 1) on [low, high]. Allowed: alpha 0.01 … 1000, low < high.
  [[nodiscard]] static Result<Distribution> bounded_pareto(PowerLaw parameters);
  /// Mean shape · scale, scv 1 / shape. Allowed: shape 0.01 … 1e6.
  [[nodiscard]] static Result<Distribution> gamma(ShapeScale parameters);
  /// One of the samples, each equally likely. Allowed: at least one.
  [[nodiscard]] static Result<Distribution> empirical(std::vector<double> samples);
  /// One of the parts. Allowed: at least one; probabilities 1e-12 … 1 that sum to 1 within 1e-6
  /// (they are divided by their sum).
  [[nodiscard]] static Result<Distribution> mixture(std::vector<Part> parts);

  /// One random value.
  double operator()(Stream& stream) const;

  /// mean() and variance() of what it draws, by formula; may be infinite.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  /// Squared coefficient of variation, variance / mean²; NaN or infinite when the mean is 0.
  [[nodiscard]] double scv() const;
  /// P(X > x).
  [[nodiscard]] double tail(double x) const;
  /// The smallest x with P(X <= x) >= p. Requires: 0 <= p <= 1; p = 0 gives the lower end of the
  /// range, p = 1 the upper end, which may be infinite. Mixture and hyperexponential bisect.
  [[nodiscard]] double quantile(double p) const;
  /// For people, six digits: "exponential(mean 1)".
  [[nodiscard]] std::string describe() const;
  /// The law of factor · X. Requires: factor finite and > 0. Same draws from the same stream,
  /// scaled up to rounding. Copies the samples of an empirical one.
  [[nodiscard]] Distribution scaled(double factor) const;

 private:
  template <class T>
    requires(!std::is_same_v<T, Distribution> && detail::LawOfChance<T>)
  explicit Distribution(T law) : law_(std::move(law)) {}

  detail::AnyLaw law_;
};

/// One part of a mixture. A plain number stands for the constant.
struct Distribution::Part {
  Part(double chance, Distribution of) : probability(chance), distribution(std::move(of)) {}
  Part(double chance, double value) : Part(chance, Distribution(detail::Constant{value})) {}

  double probability;  ///< of drawing from this part
  Distribution distribution;
};

}  // namespace artel::random
