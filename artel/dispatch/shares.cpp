#include "artel/dispatch/shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {

Shares::Shares(std::span<const double> weights) : sums_(weights.size()) {
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ARTEL_REQUIRE(std::isfinite(weights[i]) && weights[i] >= 0,
                  "weights are finite and not negative", i, weights[i]);
    total += weights[i];
    sums_[i] = total;
  }
  ARTEL_REQUIRE(std::isfinite(total), "the sum of the weights is finite", total);
  for (double& sum : sums_) sum = std::min(sum / total, 1.0);
  if (total == 0) sums_.clear();
}

// A binary search without branches: nobody could foresee which way they go.
std::optional<WorkerId> Shares::sample(double u) const {
  if (sums_.empty()) return std::nullopt;
  std::size_t found = 0;  // as many are not above u, or more
  for (std::size_t left = sums_.size(); left > 1;) {
    const std::size_t half = left / 2;
    found += sums_[found + half - 1] <= u ? half : 0;
    left -= half;
  }
  if (sums_[found] <= u) return std::nullopt;
  return worker(found);
}

}  // namespace artel::dispatch
