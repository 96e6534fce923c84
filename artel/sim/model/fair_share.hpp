#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"

namespace artel::sim {

/// Activities that share one capacity in proportion to their weights: transfers in a pipe, reads of
/// a disk, computations on a core.
///
/// With n activities of weights that add up to W, one of weight w progresses by
/// capacity(n) · w / W · factor units of volume per second. All of them are followed by one virtual
/// clock v, the volume that an activity of weight and factor 1 has got since the start:
///
///     dv/dt = capacity(n) / W
///     an activity ends when v = v(its start) + volume / (w · factor)
///
/// Cost:    add, remove and take_ended O(log n), the rest O(1); no allocation below the peak.
/// Units:   volume in any unit, capacity in that unit per second. Ends are rounded to the nearest
///          nanosecond.
/// Requires: `now` never goes back from call to call.
/// Threads: one at a time.
/// Source:  generalised processor sharing (Parekh and Gallager 1993), as DSLab's throughput
///          sharing.
class FairShare {
 public:
  /// Total rate as a function of the number of activities, n ≥ 1. Zero stops them all.
  using Capacity = std::function<double(std::size_t n)>;

  /// Something that goes on, with a volume to get through.
  struct Activity {
    double volume = 0;  ///< ≥ 0, finite
    double weight = 1;  ///< its part of the capacity, > 0
    double factor = 1;  ///< how well it uses its part, > 0
  };

  /// A capacity that does not depend on how many share it, or one that does.
  explicit FairShare(double capacity) : FairShare([capacity](std::size_t) { return capacity; }) {}
  explicit FairShare(Capacity capacity) : capacity_(std::move(capacity)) {}

  /// One more, which begins now.
  ActivityId add(Instant now, const Activity& activity);

  /// Takes an activity out before its end; the volume that it still had to go, or nothing when it
  /// has ended already.
  std::optional<double> remove(Instant now, ActivityId id);

  /// The volume that an activity still has to go; nothing when it has ended.
  [[nodiscard]] std::optional<double> left(Instant now, ActivityId id) const;

  /// Changes what is shared from now on.
  void set_capacity(Instant now, Capacity capacity);

  /// When the next activity ends if nothing changes; kNever without one, or at rate zero.
  [[nodiscard]] Instant next_end() const { return clock_.next_end(); }

  /// Takes out the next activity that has ended by `now`, in order of end, then of start. To be
  /// called at every next_end(): until an end is taken, the others go on at the rate of before.
  std::optional<ActivityId> take_ended(Instant now);

  [[nodiscard]] std::size_t size() const { return clock_.size(); }

  /// A dense number below the peak of size(), an activity's own while it lasts: for arrays of what
  /// belongs to it.
  [[nodiscard]] static std::size_t slot(ActivityId id) { return detail::VirtualClock::slot(id); }

 private:
  struct Terms {
    double weight = 1;
    double factor = 1;
  };

  void forget(Instant now, ActivityId id);
  void change_rate(Instant now);

  Capacity capacity_;
  detail::VirtualClock clock_;
  std::vector<Terms> terms_;  // by slot
  double weights_ = 0;        // of all activities
};

}  // namespace artel::sim
