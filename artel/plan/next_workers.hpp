#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/plan/plan_result.hpp"

namespace artel::plan {

/// Between which numbers of workers to search.
struct PlanRange {
  std::uint32_t first = 1;  ///< to try
  std::uint32_t min = 1;    ///< workers
  std::uint32_t max = 1;    ///< workers
};

/// How many workers to try next; nullopt: the search is over, see smallest_met().
///
/// Doubles until the objectives are met, then halves the gap between the largest number that did
/// not meet them (or met them too narrowly to say) and the next that did. At the end the neighbours
/// of the answer have been tried: one worker less, which does not do, and one more, which does; and
/// two less, as a fleet may go by odd and even. Should more workers ever do worse than fewer, the
/// search goes on above them. Trials: O(log max) if that does not happen. Requires: trials in order
/// of workers, within the range; 1 <= min <= first
/// <= max.
[[nodiscard]] std::optional<std::uint32_t> next_workers(std::span<const PlanTrial> trials,
                                                        const PlanRange& range);

/// The smallest number that met the objectives as all larger ones did that were tried.
[[nodiscard]] std::optional<std::uint32_t> smallest_met(std::span<const PlanTrial> trials);

/// The numbers that missed the objectives though a smaller one met them.
[[nodiscard]] std::vector<std::uint32_t> holes(std::span<const PlanTrial> trials);

}  // namespace artel::plan
