#include "artel/predict/service_fit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/distribution.hpp"
#include "artel/stat/moments.hpp"

namespace artel::predict {
namespace {

constexpr std::size_t kKeptMax = 1000;
// Up to which share of the values, in how many slices.
struct Cut {
  double upto;
  std::size_t slices;
};
constexpr std::array<Cut, 3> kCuts{{{0.9, 300}, {0.99, 150}, {1, 150}}};

using random::Distribution;

Distribution valid(Result<Distribution> distribution) {
  ARTEL_REQUIRE(distribution, "recorded times make a distribution", distribution.error().what);
  return *std::move(distribution);
}

Distribution one_of(const std::vector<Duration>& values) {
  std::vector<double> seconds;
  seconds.reserve(values.size());
  for (const auto value : values) seconds.push_back(to_seconds(value));
  return valid(Distribution::empirical(std::move(seconds)));
}

// Between the values and the table that stands for them, both sorted.
double distance(const std::vector<Duration>& sorted, const ServiceFit& fit) {
  const auto n = static_cast<double>(sorted.size());
  double greatest = 0;
  double below = 0;  // P(table <= x)
  std::size_t rank = 0;
  for (const auto& part : fit.parts) {
    for (const auto x : part.values) {
      while (rank < sorted.size() && sorted[rank] < x) ++rank;
      greatest = std::max(greatest, static_cast<double>(rank) / n - below);
      below += part.share / static_cast<double>(part.values.size());
      const auto upper = std::upper_bound(sorted.begin(), sorted.end(), x) - sorted.begin();
      greatest = std::max(greatest, below - static_cast<double>(upper) / n);
    }
  }
  return greatest;
}

}  // namespace

Distribution ServiceFit::distribution() const {
  if (parts.size() == 1) return one_of(parts.front().values);
  std::vector<Distribution::Part> mixed;
  for (const auto& part : parts) mixed.emplace_back(part.share, one_of(part.values));
  return valid(Distribution::mixture(std::move(mixed)));
}

std::vector<Duration> slice_means(const std::vector<Duration>& sorted, std::size_t begin,
                                  std::size_t end, std::size_t slices) {
  ARTEL_REQUIRE(slices >= 1 && begin <= end && end <= sorted.size(), "slices of what is there",
                slices, begin, end);
  const std::size_t count = end - begin;
  const std::size_t made = std::min(slices, count);
  std::vector<Duration> means;
  means.reserve(made);
  // Slices are equally wide to the fraction of a value, so that their mean is that of the values.
  const double width = static_cast<double>(count) / static_cast<double>(made);
  std::size_t at = begin;
  double used = 0;  // of sorted[at]
  for (std::size_t i = 0; i < made; ++i) {
    double sum = 0;
    double missing = width;
    while (missing > 1e-9 && at < end) {
      const double taken = std::min(missing, 1 - used);
      sum += taken * to_seconds(sorted[at]);
      missing -= taken;
      used += taken;
      if (used < 1 - 1e-9) continue;
      used = 0;
      ++at;
    }
    means.push_back(from_seconds(sum / (width - missing)));
  }
  return means;
}

ServiceFit fit_service(std::vector<Duration> values) {
  ARTEL_REQUIRE(!values.empty(), "service times");
  std::sort(values.begin(), values.end());
  ServiceFit fit;
  stat::Moments moments;
  for (const auto value : values) moments.add(to_seconds(value));
  fit.mean_s = moments.mean();
  if (values.size() > 1 && fit.mean_s > 0) fit.scv = moments.variance() / (fit.mean_s * fit.mean_s);
  fit.min = values.front();
  fit.max = values.back();
  if (values.size() <= kKeptMax) {
    fit.parts.push_back({.share = 1, .values = std::move(values)});
    return fit;
  }
  const auto n = static_cast<double>(values.size());
  std::size_t begin = 0;
  for (const auto& cut : kCuts) {
    const auto end = static_cast<std::size_t>(cut.upto * n);
    fit.parts.push_back({.share = static_cast<double>(end - begin) / n,
                         .values = slice_means(values, begin, end, cut.slices)});
    begin = end;
  }
  fit.ks = distance(values, fit);
  return fit;
}

}  // namespace artel::predict
