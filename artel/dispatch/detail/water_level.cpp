#include "artel/dispatch/detail/water_level.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
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

double water_level(std::span<const Vessel> vessels, double amount, double level,
                   std::vector<Vessel>& wet) {
  ARTEL_REQUIRE(amount > 0 && !vessels.empty(), "nothing to pour, or into nothing", amount,
                vessels.size());
  if (wet.size() < vessels.size()) wet.resize(vessels.size());
  // The level becomes that of all vessels whose bottoms were below it. It is never below the true
  // one; with every round some that stay dry are left out, and none means that all are.
  auto rest = vessels;
  for (std::size_t before = vessels.size() + 1;; before = rest.size()) {
    double volume = amount;  // the water, and the vessels' part below it
    double width = 0;
    std::size_t left = 0;
    for (const Vessel vessel : rest) {
      const bool holds = vessel.height < level;
      wet[left] = vessel;
      volume += if_so(holds, vessel.height * vessel.width);
      width += if_so(holds, vessel.width);
      left += holds ? 1 : 0;
    }
    if (left >= before || left == 0) break;  // more again: by rounding
    level = volume / width;
    rest = std::span(wet).first(left);
  }
  return level;
}

}  // namespace artel::dispatch::detail
