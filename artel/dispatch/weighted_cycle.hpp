#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::dispatch {

/// Whose turn it is: a cycle in which every worker comes up in proportion to its weight, as evenly
/// spread as possible. Worker i's k-th turn is due at (k + 1/2) / weight_i; the cycle is all turns
/// in order of due time, ties to the lowest id. Equal weights give 0, 1, 2, … (plain round robin).
///
/// Weights in the ratio of small whole numbers are kept exactly; others are rounded so that the
/// cycle has about kTurns entries (or 16 per worker, if that is more), each worker at least one.
/// Cost:    turn O(1); making O(turns × log workers), allocates.
/// Threads: const after construction: safe from any thread.
class WeightedCycle {
 public:
  static constexpr std::uint32_t kTurns = 4096;

  /// Nobody's turn.
  WeightedCycle() = default;
  /// Finite weights, at least 0; a worker of weight 0 has no turn.
  explicit WeightedCycle(std::span<const double> weights);

  /// The worker whose turn `turn` is; nothing when nobody has a turn.
  [[nodiscard]] std::optional<WorkerId> turn(std::uint64_t turn) const {
    if (turns_.empty()) return std::nullopt;
    return turns_[turn % turns_.size()];
  }

  /// The whole cycle.
  [[nodiscard]] std::span<const WorkerId> turns() const& { return turns_; }
  std::span<const WorkerId> turns() && = delete;

 private:
  std::vector<WorkerId> turns_;
};

}  // namespace artel::dispatch
