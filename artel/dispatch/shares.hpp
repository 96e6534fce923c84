#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::dispatch {

/// A distribution over workers, as a closed loop publishes it for callers to sample: the cost of
/// choosing is paid by the caller.
///
/// Cost:    sample O(log workers); making O(workers), allocates.
/// Requires: shares add up to 1; a worker of weight 0 is never sampled.
/// Threads: const after construction: safe from any thread.
class Shares {
 public:
  /// Nobody has a share.
  Shares() = default;
  /// Shares in proportion to `weights`: finite, at least 0. All zero: nobody has a share.
  explicit Shares(std::span<const double> weights);

  [[nodiscard]] std::size_t size() const { return sums_.size(); }
  [[nodiscard]] bool empty() const { return sums_.empty(); }
  /// The worker's part, 0 to 1; 0 if it has none.
  [[nodiscard]] double share(WorkerId id) const {
    const std::size_t i = index(id);
    if (i >= sums_.size()) return 0;
    return i == 0 ? sums_[0] : sums_[i] - sums_[i - 1];
  }

  /// The worker at `u` in [0, 1) of the cumulative distribution; nothing when nobody has a share.
  [[nodiscard]] std::optional<WorkerId> sample(double u) const;

 private:
  std::vector<double> sums_;  // cumulative; exactly 1 from the last worker with a share on
};

}  // namespace artel::dispatch
