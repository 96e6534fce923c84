// The laws made of samples or of other laws: empirical, hyperexponential, mixture.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/covering.hpp"
#include "artel/random/detail/any_law.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"

namespace artel::random::detail {
namespace {

/// The smallest x in [low, high] with tail(x) <= 1 - p, to the last bit of double.
template <LawOfChance T>
double bisect_quantile(const T& law, double p, double low, double high) {
  if (!(low < high) || std::isinf(high) || law.tail(low) <= 1 - p) return p < 1 ? low : high;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (law.tail(middle) <= 1 - p ? high : low) = middle;
  }
}

}  // namespace

Hyperexponential::Hyperexponential(double average, double scv)
    : average_(average),
      scv_(scv),
      short_share_((1 + std::sqrt((scv - 1) / (scv + 1))) / 2),
      long_share_(1 / (2 * (scv + 1) * short_share_)),  // 1 - short_share_ without cancellation
      short_mean_(average / (2 * short_share_)),
      long_mean_(average / (2 * long_share_)) {}

double Hyperexponential::tail(double x) const {
  if (x <= 0) return 1;
  return short_share_ * std::exp(-x / short_mean_) + long_share_ * std::exp(-x / long_mean_);
}

double Hyperexponential::quantile(double p) const {
  return bisect_quantile(*this, p, Exponential{short_mean_}.quantile(p),
                         Exponential{long_mean_}.quantile(p));
}

std::string Hyperexponential::describe() const {
  return fmt::format("hyperexponential(mean {:.6g}, scv {:.6g})", average_, scv_);
}

Empirical::Empirical(std::vector<double> samples) : mean_(0), variance_(0) {
  std::sort(samples.begin(), samples.end());
  const auto count = static_cast<double>(samples.size());
  for (const double sample : samples) mean_ += sample / count;
  for (const double sample : samples) variance_ += (sample - mean_) * (sample - mean_) / count;
  sorted_ = std::make_shared<const std::vector<double>>(std::move(samples));
}

double Empirical::tail(double x) const {
  const auto above = sorted_->end() - std::upper_bound(sorted_->begin(), sorted_->end(), x);
  return static_cast<double>(above) / static_cast<double>(sorted_->size());
}

double Empirical::quantile(double p) const { return (*sorted_)[covering(p, sorted_->size()) - 1]; }

std::string Empirical::describe() const {
  return fmt::format("empirical({} samples, mean {:.6g})", sorted_->size(), mean_);
}

Empirical Empirical::scaled(double factor) const {
  std::vector<double> samples = *sorted_;
  for (double& sample : samples) sample *= factor;
  return Empirical(std::move(samples));
}

/// What the copies of one mixture share.
struct Mixture::Parts {
  std::vector<double> probability;
  std::vector<double> upper;  ///< part i is drawn when upper[i-1] <= u < upper[i]
  std::vector<Distribution> of;
};

Mixture::Mixture(std::vector<std::pair<double, Distribution>> parts) {
  double total = 0;
  for (const auto& [probability, distribution] : parts) total += probability;
  Parts built;
  double sum = 0;
  for (auto& [probability, distribution] : parts) {
    sum += probability / total;
    built.probability.push_back(probability / total);
    built.upper.push_back(sum);
    built.of.push_back(std::move(distribution));
  }
  parts_ = std::make_shared<const Parts>(std::move(built));
}

double Mixture::draw(Stream& stream) const {
  // The last sum counts as 1, whatever rounding made of it.
  const auto& upper = parts_->upper;
  const auto part = std::upper_bound(upper.begin(), upper.end() - 1, stream.uniform());
  return parts_->of[static_cast<std::size_t>(part - upper.begin())](stream);
}

double Mixture::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < parts_->of.size(); ++i) {
    sum += parts_->probability[i] * parts_->of[i].mean();
  }
  return sum;
}

double Mixture::variance() const {
  const double centre = mean();
  double sum = 0;
  for (std::size_t i = 0; i < parts_->of.size(); ++i) {
    const double offset = parts_->of[i].mean() - centre;
    sum += parts_->probability[i] * (parts_->of[i].variance() + offset * offset);
  }
  return sum;
}

double Mixture::tail(double x) const {
  double sum = 0;
  for (std::size_t i = 0; i < parts_->of.size(); ++i) {
    sum += parts_->probability[i] * parts_->of[i].tail(x);
  }
  return sum;
}

double Mixture::quantile(double p) const {
  double low = parts_->of.front().quantile(p);
  double high = low;
  for (const auto& part : parts_->of) {
    const double quantile = part.quantile(p);
    low = std::min(low, quantile);
    high = std::max(high, quantile);
  }
  return bisect_quantile(*this, p, low, high);
}

std::string Mixture::describe() const {
  std::string text = "mixture(";
  for (std::size_t i = 0; i < parts_->of.size(); ++i) {
    text += fmt::format("{}{:.6g} {}", i == 0 ? "" : ", ", parts_->probability[i],
                        parts_->of[i].describe());
  }
  return text + ")";
}

Mixture Mixture::scaled(double factor) const {
  std::vector<std::pair<double, Distribution>> parts;
  parts.reserve(parts_->of.size());
  for (std::size_t i = 0; i < parts_->of.size(); ++i) {
    parts.emplace_back(parts_->probability[i], parts_->of[i].scaled(factor));
  }
  return Mixture(std::move(parts));
}

}  // namespace artel::random::detail
