#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"

namespace artel::sim::detail {

/// Activities that share one capacity in proportion to their weights, each up to a bound of its
/// own: weighted max-min fairness.
///
/// Every activity i goes at min(bound_i, weight_i · λ), where λ is as high as the capacity allows:
/// what one that is at its bound leaves over goes to the others.
///
/// Cost:    O(n log n) for every change, as every rate may change; FairShare is O(log n), without
///          bounds.
/// Units:   volume in any unit, rates in that unit per second. Ends are rounded to the nearest
///          nanosecond.
/// Requires: `now` never goes back from call to call; take_ended at every next_end().
/// Threads: one at a time.
/// Source:  progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2); SimGrid's
///          computations have the same terms.
class BoundedShare {
 public:
  static constexpr double kNoBound = std::numeric_limits<double>::infinity();

  struct Activity {
    double volume = 0;        ///< ≥ 0, finite
    double weight = 1;        ///< > 0, finite
    double bound = kNoBound;  ///< its rate is at most this, > 0
  };

  ActivityId add(Instant now, const Activity& activity);
  /// The volume that it still had to go. For this and what follows, requires: its number has not
  /// been given out again.
  double remove(Instant now, ActivityId id);
  [[nodiscard]] double left(Instant now, ActivityId id) const;
  /// Units of volume per second.
  [[nodiscard]] double rate(ActivityId id) const { return slots_[slot(id)].rate; }
  /// Of all together.
  [[nodiscard]] double total_rate() const;

  /// What is shared from now on; nobody gets more than `each_max`, whatever his bound.
  void set_capacity(Instant now, double capacity, double each_max);

  /// When the next one ends if nothing changes; kNever without one, or if none moves.
  [[nodiscard]] Instant next_end() const { return next_end_; }
  /// Takes out the next one that has ended by `now`, in order of end, then of start.
  std::optional<ActivityId> take_ended(Instant now);

  /// A dense number, an activity's own while it lasts.
  [[nodiscard]] static std::size_t slot(ActivityId id) { return static_cast<std::size_t>(id); }

 private:
  struct Slot {
    double left = 0;  // at updated_
    double weight = 1;
    double bound = kNoBound;
    double rate = 0;
    double weights_from = 0;    // while solving: its weight and those of all that rise longer
    std::uint64_t started = 0;  // in which order; 0: not in use
  };

  void advance(Instant now);
  void solve();
  [[nodiscard]] double most(const Slot& slot) const;

  double capacity_ = 0;
  double each_max_ = kNoBound;
  std::vector<Slot> slots_;
  std::vector<std::size_t> rising_;  // while solving: by when they reach their bounds
  std::uint64_t started_ = 0;
  Instant updated_{};
  Instant next_end_ = kNever;
  std::size_t next_ = 0;  // the slot that ends then
};

}  // namespace artel::sim::detail
