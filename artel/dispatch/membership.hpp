#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/detail/worker_set.hpp"
#include "artel/dispatch/load.hpp"

namespace artel::dispatch {

/// How many workers a host may have.
struct SizeLimits {
  std::uint32_t min = 0;           ///< workers
  std::uint32_t max = kUnbounded;  ///< workers
};

/// Which workers there are: nobody (a free id), working, or leaving. A free id is given to the next
/// worker that joins, lowest first, so that ids stay dense.
///
/// The size counts the working ones. Errors (invalid) say the size, and the sizes possible.
/// Cost:    O(1) per change; allocates when a higher id than ever is given out.
/// Threads: one at a time.
class Membership {
 public:
  explicit Membership(SizeLimits limits);

  /// Errors: beyond max.
  [[nodiscard]] Result<WorkerId> join();
  /// The worker takes no more tasks and is gone once it has none. Errors: below min, already
  /// leaving, no such worker.
  [[nodiscard]] Result<void> leave(WorkerId id);
  /// The same at once, leaving already or not, whatever the minimum. Requires: it is there.
  void expel(WorkerId id);
  /// check_grow(), check_shrink(): whether there may be `workers` more or fewer. Errors: invalid,
  /// with the sizes possible; shrinking by several waits for those that leave already.
  [[nodiscard]] Result<void> check_grow(std::size_t workers) const;
  [[nodiscard]] Result<void> check_shrink(std::size_t workers) const;
  /// The id is free again. The minimum does not hold a worker that is gone.
  void gone(WorkerId id);

  [[nodiscard]] std::size_t size() const { return working_.count(); }
  /// Workers that leave: not counted by size().
  [[nodiscard]] std::size_t leaving_count() const { return leaving_.count(); }
  [[nodiscard]] std::size_t ids() const { return ids_; }  ///< one past the highest id ever given
  /// Whether the worker is there and does not leave.
  [[nodiscard]] bool working(WorkerId id) const {
    return index(id) < ids_ && working_.contains(id);
  }
  /// Whether the worker is there and leaves.
  [[nodiscard]] bool leaving(WorkerId id) const {
    return index(id) < ids_ && leaving_.contains(id);
  }

 private:
  SizeLimits limits_;
  std::size_t ids_ = 0;
  detail::WorkerSet free_;
  detail::WorkerSet working_;
  detail::WorkerSet leaving_;
};

}  // namespace artel::dispatch
