#pragma once

#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"

namespace artel::predict {

/// Service times as a table short enough to read: means of slices of the sorted values, finer ones
/// for the largest tenth and the largest hundredth, so that mean and tail are kept.
struct ServiceFit {
  /// A slice of the values.
  struct Part {
    double share = 1;              ///< of all values
    std::vector<Duration> values;  ///< ascending, each equally likely
  };
  std::vector<Part> parts;  ///< from the smallest values to the largest
  double mean_s = 0;        ///< recorded, as the rest
  double scv = 0;           ///< squared coefficient of variation
  Duration min{}, max{};    ///< of all values
  double ks = 0;            ///< greatest distance between the distributions of values and table

  [[nodiscard]] random::Distribution distribution() const;  ///< of seconds
};

/// Up to 1000 values are kept as they are. Cost: O(n log n). Requires: not empty, none negative.
[[nodiscard]] ServiceFit fit_service(std::vector<Duration> values);

/// The means of at most `slices` equal slices of the sorted values [begin, end), ascending.
/// Requires: slices >= 1.
[[nodiscard]] std::vector<Duration> slice_means(const std::vector<Duration>& sorted,
                                                std::size_t begin, std::size_t end,
                                                std::size_t slices);

}  // namespace artel::predict
