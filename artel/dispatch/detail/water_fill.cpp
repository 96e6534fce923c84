#include "artel/dispatch/detail/water_fill.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::dispatch::detail {

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
      if (vessel.height >= level) continue;
      volume += vessel.height * vessel.width;
      width += vessel.width;
      ++left;
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
