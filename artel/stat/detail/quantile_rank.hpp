#pragma once

#include <algorithm>
#include <cstdint>

#include "artel/core/require.hpp"
#include "artel/core/rounded_digit.hpp"

namespace artel::stat::detail {

/// Which of `count` sorted values is their p-quantile, from 1: the smallest rank that covers at
/// least the share p, max(1, ceil(p · count)). Requires: 0 <= p <= 1, count >= 1.
[[nodiscard]] inline std::uint64_t quantile_rank(double p, std::uint64_t count) {
  ARTEL_REQUIRE(p >= 0 && p <= 1, "a quantile needs a probability", p);
  ARTEL_REQUIRE(count > 0, "nothing has no quantile");
  const double rank = near_ceil(p * static_cast<double>(count));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count);
}

}  // namespace artel::stat::detail
