#pragma once

#include <span>
#include <vector>

namespace artel::dispatch::detail {

/// A vessel that water is poured into.
struct Vessel {
  double height = 0;  ///< of its bottom, at least 0; infinity: it takes none
  double width = 1;   ///< above 0
};

/// How high `amount` of water stands in vessels that share one basin: the level is the same
/// wherever it is above the bottom, so that a vessel takes max(0, level - height) · width.
///
/// `level`: one that is not below it, from which the search begins; infinity, if none is known.
/// Cost:  some rounds over the vessels, as many as there are vessels at worst, each over those only
///        that the one before found below the level. `wet` is its memory, for the next time.
/// Requires: amount above 0; a vessel that takes some. What they take adds up to `amount`.
[[nodiscard]] double water_level(std::span<const Vessel> vessels, double amount, double level,
                                 std::vector<Vessel>& wet);

}  // namespace artel::dispatch::detail
