#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace artel::scenario {

/// What tasks are about: so many keys, of which the k-th most popular is asked for in proportion to
/// k^-exponent (Zipf).
struct KeySettings {
  std::uint32_t count = 1;  ///< keys
  double exponent = 0;      ///< 0: all alike
  /// [k - 1]: the share of the k most popular; empty: all alike.
  std::shared_ptr<const std::vector<double>> shares{};

  KeySettings() = default;
  KeySettings(std::uint32_t number, double zipf);

  /// The key of a number in [0, 1): 1 is the most popular. Cost: O(log keys).
  [[nodiscard]] std::uint64_t at(double uniform) const;
};

}  // namespace artel::scenario
