#pragma once

#include <algorithm>
#include <cstdint>

#include "artel/core/require.hpp"
#include "artel/core/rounded_digit.hpp"

namespace artel {

/// The least number of things, of `count` and not 0, that are at least this share of them: 55 for
/// 0.55 of 100. Among sorted values, the rank from 1 of their quantile.
/// Requires: 0 <= share <= 1, count >= 1.
[[nodiscard]] inline std::uint64_t covering(double share, std::uint64_t count) {
  ARTEL_REQUIRE(share >= 0 && share <= 1, "a share, a quantile's probability, is within 0 and 1",
                share);
  ARTEL_REQUIRE(count > 0, "nothing has no share");
  const double least = near_ceil(share * static_cast<double>(count));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(least), 1, count);
}

}  // namespace artel
