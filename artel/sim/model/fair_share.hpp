#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "artel/unit/instant.hpp"

namespace artel::sim {

/// Names one activity of a FairShare. Stays harmless after the activity ended.
enum class ActivityId : std::uint64_t {};

/// Activities that share one capacity in proportion to their weights: transfers in a pipe, reads of
/// a disk, computations on a core.
///
/// With n activities of weights that add up to W, one of weight w progresses by
/// capacity(n) · w / W · factor units of volume per second. All of them are followed by one virtual
/// clock v, the volume that an activity of weight and factor 1 has got since the start:
///
///     dv/dt = capacity(n) / W        an activity ends when v = v(its start) + volume / (w ·
///     factor)
///
/// so that a change of n moves no end on the axis of v. Which is why it costs so little: the ends
/// stay in one heap.
/// Cost:    add, remove and take_ended O(log n), the rest O(1); nothing is allocated below the
/// peak. Units:   volume in any unit, capacity in that unit per second. Ends are rounded to the
/// nearest
///          nanosecond.
/// Shape:   `now` never goes back from call to call.
/// Source:  generalised processor sharing (Parekh and Gallager 1993), as DSLab's throughput
/// sharing.
class FairShare {
 public:
  /// Total rate as a function of the number of activities, n ≥ 1. Zero stops them all.
  using Capacity = std::function<double(std::size_t n)>;

  struct Activity {
    double volume = 0;  ///< ≥ 0, finite
    double weight = 1;  ///< its part of the capacity, > 0
    double factor = 1;  ///< how well it uses its part, > 0
  };

  explicit FairShare(double capacity) : FairShare([capacity](std::size_t) { return capacity; }) {}
  explicit FairShare(Capacity capacity) : capacity_(std::move(capacity)) {}

  ActivityId add(Instant now, const Activity& activity);

  /// Takes an activity out before its end; the volume that it still had to go, or nothing when it
  /// has ended already.
  std::optional<double> remove(Instant now, ActivityId id);

  /// The volume that an activity still has to go; nothing when it has ended.
  [[nodiscard]] std::optional<double> left(Instant now, ActivityId id) const;

  /// Changes what is shared from now on.
  void set_capacity(Instant now, Capacity capacity);

  /// When the next activity ends if nothing changes; kNever without one, or at rate zero.
  [[nodiscard]] Instant next_end() const;

  /// Takes out the next activity that has ended by `now`, in order of end, then of start.
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
    double end = 0;    // on the virtual clock
    double scale = 1;  // weight · factor: volume per unit of the virtual clock
    double weight = 1;
    bool live = false;
  };
  struct End {
    double at = 0;
    std::uint64_t start_order = 0;
    ActivityId id{};

    bool operator>(const End& other) const {
      return at != other.at ? at > other.at : start_order > other.start_order;
    }
  };

  [[nodiscard]] const Slot* find(ActivityId id) const;
  [[nodiscard]] double clock_at(Instant now) const;
  void advance(Instant now);
  void retire(Slot& slot);
  void change_rate();
  void drop_removed_ends();
  void rebase();

  Capacity capacity_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<End> ends_;  // a heap, earliest first; may hold removed ones, never on top
  std::size_t live_ = 0;
  std::uint64_t started_ = 0;
  double weights_ = 0;  // of all activities
  double clock_ = 0;    // virtual, at updated_
  double rate_ = 0;     // of the virtual clock, per second
  double longest_ = 0;  // stretch of the virtual clock among activities since the last rebase
  Instant updated_{};
};

}  // namespace artel::sim
