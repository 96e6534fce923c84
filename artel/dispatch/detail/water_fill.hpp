#pragma once

#include <span>
#include <vector>

namespace artel::dispatch::detail {

/// A vessel that water is poured into.
struct Vessel {
  double height = 0;  ///< of its bottom, at least 0; infinity: it takes none
  double width = 1;   ///< above 0
};

/// How much of `amount` of water each vessel takes when all stand in one basin: the level is the
/// same wherever it is above the bottom.
///
/// Cost:  some rounds over the vessels, as many as there are vessels at worst; allocates.
/// Requires: amount above 0; a vessel that takes some. The parts add up to `amount`.
[[nodiscard]] std::vector<double> water_fill(std::span<const Vessel> vessels, double amount);

}  // namespace artel::dispatch::detail
