#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"

namespace artel::sim::detail {

/// Activities that progress together at a rate that changes: each ends when the clock has advanced
/// by the stretch it asked for.
///
/// Because the ends are points on the clock, a change of rate moves none of them: it costs O(1)
/// however many activities there are. FairShare and FlowSet build on that.
/// Cost:    add, remove and take_ended O(log n), the rest O(1); no allocation below the peak.
/// Units:   stretches in any unit, the rate in that unit per second. Ends are rounded to the
///          nearest nanosecond.
/// Requires: `now` never goes back from call to call.
/// Threads: one at a time.
class VirtualClock {
 public:
  ActivityId add(Instant now, double stretch);  ///< 0 <= stretch, finite

  /// Takes an activity out before its end; the stretch that it still had to go, or nothing when it
  /// has ended already.
  std::optional<double> remove(Instant now, ActivityId id);

  /// The stretch that an activity still has to go; nothing when it has ended.
  [[nodiscard]] std::optional<double> left(Instant now, ActivityId id) const;

  /// How fast the clock runs from now on: ≥ 0, finite.
  void set_rate(Instant now, double rate);
  [[nodiscard]] double rate() const { return rate_; }

  /// When the next activity ends if the rate stays; kNever without one, or at rate zero.
  [[nodiscard]] Instant next_end() const;

  /// Takes out the next activity that has ended by `now`, in order of end, then of start. To be
  /// called at every next_end(): until an end is taken, the others go on at the rate of before.
  std::optional<ActivityId> take_ended(Instant now);

  [[nodiscard]] std::size_t size() const { return live_; }

  /// A dense number below the peak of size(), an activity's own while it lasts: for arrays of what
  /// belongs to it.
  [[nodiscard]] static std::size_t slot(ActivityId id) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(id) & kSlotMask);
  }

 private:
  static constexpr std::uint64_t kSlotMask = 0xffff'ffffU;

  struct Slot {
    ActivityId id{};
    double end = 0;
    bool live = false;
  };
  struct ActivityEnd {
    double at = 0;
    std::uint64_t start_order = 0;
    ActivityId id{};

    bool operator>(const ActivityEnd& other) const {
      return at != other.at ? at > other.at : start_order > other.start_order;
    }
  };

  [[nodiscard]] const Slot* find(ActivityId id) const;
  [[nodiscard]] double reading_at(Instant now) const;
  void advance(Instant now);
  void retire(Slot& slot);
  void drop_removed_ends();
  void rebase();

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<ActivityEnd> ends_;  // a heap, earliest first; may hold removed ones, never on top
  std::size_t live_ = 0;
  std::uint64_t started_ = 0;
  double reading_ = 0;  // at updated_
  double rate_ = 0;     // per second
  double longest_ = 0;  // stretch since the last rebase
  Instant updated_{};
};

}  // namespace artel::sim::detail
