#include "artel/dispatch/detail/water_fill.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::dispatch::detail {

std::vector<double> water_fill(std::span<const Vessel> vessels, double amount) {
  ARTEL_REQUIRE(amount > 0 && !vessels.empty(), "nothing to pour, or into nothing", amount,
                vessels.size());
  std::vector<std::size_t> by_height(vessels.size());
  std::iota(by_height.begin(), by_height.end(), std::size_t{0});
  std::sort(by_height.begin(), by_height.end(), [&](std::size_t a, std::size_t b) {
    return vessels[a].height != vessels[b].height ? vessels[a].height < vessels[b].height : a < b;
  });

  double volume = amount;  // the water, and the vessels' part below it
  double width = 0;
  double level = 0;
  for (const std::size_t i : by_height) {
    if (width > 0 && vessels[i].height >= level) break;
    volume += vessels[i].height * vessels[i].width;
    width += vessels[i].width;
    level = volume / width;
  }

  std::vector<double> parts(vessels.size());
  for (std::size_t i = 0; i < vessels.size(); ++i) {
    parts[i] = std::max(0.0, level - vessels[i].height) * vessels[i].width;
  }
  return parts;
}

}  // namespace artel::dispatch::detail
