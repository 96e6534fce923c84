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

Shares::Shares(std::span<const double> weights) {
  double total = 0;
  std::size_t end = 0;  // one past the last worker with a share
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ARTEL_REQUIRE(std::isfinite(weights[i]) && weights[i] >= 0,
                  "weights are finite and not negative", i, weights[i]);
    total += weights[i];
    if (weights[i] > 0) end = i + 1;
  }
  if (end == 0) return;
  ARTEL_REQUIRE(std::isfinite(total), "the sum of the weights is finite", total);
  sums_.resize(weights.size(), 1.0);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < end; ++i) {
    sum += weights[i];
    sums_[i] = std::min(sum / total, 1.0);
  }
}

std::optional<WorkerId> Shares::sample(double u) const {
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), u);
  if (found == sums_.end()) return std::nullopt;
  return worker(static_cast<std::size_t>(found - sums_.begin()));
}

}  // namespace artel::dispatch
