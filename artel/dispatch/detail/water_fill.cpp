#include "artel/dispatch/detail/water_fill.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::dispatch::detail {
namespace {

/// The value or 0, without a branch: nobody could foresee which vessels hold water.
double if_so(bool so, double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & (0 - std::uint64_t{so}));
}

}  // namespace

std::vector<double> water_fill(std::span<const Vessel> vessels, double amount) {
  ARTEL_REQUIRE(amount > 0 && !vessels.empty(), "nothing to pour, or into nothing", amount,
                vessels.size());
  // The level if all vessels whose bottoms are below `level` held water. It is never below the true
  // one; with every round some that stay dry are left out, and none means that all are.
  double level = std::numeric_limits<double>::infinity();
  for (std::size_t wet = vessels.size() + 1, left = 0;; wet = left) {
    double volume = amount;  // the water, and the vessels' part below it
    double width = 0;
    left = 0;
    for (const Vessel& vessel : vessels) {
      const bool holds = vessel.height < level;
      volume += if_so(holds, vessel.height * vessel.width);
      width += if_so(holds, vessel.width);
      left += holds ? 1 : 0;
    }
    if (left >= wet || left == 0) break;  // more again: by rounding
    level = volume / width;
  }

  std::vector<double> parts(vessels.size());
  for (std::size_t i = 0; i < vessels.size(); ++i) {
    parts[i] = std::max(0.0, level - vessels[i].height) * vessels[i].width;
  }
  return parts;
}

}  // namespace artel::dispatch::detail
