#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "artel/sim/kernel/detail/event_store.hpp"
#include "artel/sim/kernel/detail/flat_map.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

class Fetch;

/// The events yet to come, handed out in the exact order of (time, number in order of creation).
///
/// An event lies in one of six places:
///   - `present_`: created for the moment of its creation; comes after all that was due then;
///   - `lane_`: pushed in order of time; one comparison to push, one to take;
///   - the wheel: buckets of equal width in time, unsorted until their turn comes;
///   - `run_`: the bucket whose turn it is, sorted;
///   - `near_`, a heap: falls into the current bucket, whose rest is too long to insert into;
///   - `far_`, a heap: beyond the wheel's horizon, which is one turn of the wheel.
/// So the next event is the least of three fronts: of the run, of the lane, of `near_`. The width
/// adapts to what is pending; patterns that defeat it cost as much as a heap.
///
/// Invariants:
///   1. Every event of the wheel and of `far_` lies in a later bucket than `current_`; everything
///      of an earlier or of the current bucket is in `run_`, `near_` or a lane.
///   2. run_key_, lane_key_ and near_key_ are the keys of the fronts (kNone when empty); with
///      an empty run, run_key_ is a lower bound of the wheel and `far_`, with tag 0.
///   3. Equal times lie in order of creation in every bucket and lane, unless ties are shuffled.
///   4. size_ = events in all six; outside_lane_ = those in the wheel, run_, near_ and far_. Both
///      count cancelled events, which stay where they are until their time or a sweep.
/// Cost:    O(1) amortised per event for the usual patterns, O(log n) for the worst.
/// Errors:  none. Threads: one.
/// Source:  R. Brown, Calendar Queues (1988); W. Tang et al., Ladder Queue (2005) for the sorting
///          of a bucket only when it is reached. Measured: docs/decisions/calendar.md.
class Calendar {
 public:
  /// With a shuffle seed, events of equal times come in an order that depends on it.
  explicit Calendar(std::optional<std::uint64_t> shuffle = {});

  /// What to fetch into the cache before events come.
  void fetch_with(const Fetch* fetch) { fetch_ = fetch; }

  /// From now on appends the tag of every event created to `tags`; nullptr: no more.
  void record_created(std::vector<std::uint64_t>* tags) {
    created_ = tags;
    special_ = shuffle_.has_value() || created_ != nullptr;
  }

  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  /// Events pending, cancelled ones not counted.
  [[nodiscard]] std::size_t size() const { return size_ - cancelled_pending_; }

  /// The present: the time of the last event taken, or later.
  [[nodiscard]] std::uint64_t now() const { return now_; }

  /// Lets time pass. Requires: now() <= `now`, and nothing is pending before it.
  void set_now(std::uint64_t now) { now_ = now; }

  /// Room for a new event at `time` >= now(), with time and tag written; `low` are the tag's lower
  /// bits. The rest is for the caller to fill before anything else is called.
  [[nodiscard]] Event* push(std::uint64_t time, std::uint64_t low);

  /// The same through the lane for ordered events: cheaper. Requires: time >= ordered_from().
  [[nodiscard]] Event* push_ordered(std::uint64_t time, std::uint64_t low);

  /// The earliest time that push_ordered accepts.
  [[nodiscard]] std::uint64_t ordered_from() const { return lane_.empty() ? now_ : lane_last_; }

  /// Removes the earliest event; nullptr when there is none up to `limit`. The event stays valid
  /// until the next call. Cancelled events come out too; for others, call arrive() next.
  [[nodiscard]] Event* take(std::uint64_t limit);

  /// Makes the time of an event just taken the present.
  void arrive(const Event& event) {
    if (shuffle_) [[unlikely]]
      note_taken(event);
    now_ = event.time_;
    taken_key_ = key_of(event);
  }

  /// The event that will probably be taken after `n` others, for prefetching; may be nullptr.
  [[nodiscard]] const Event* ahead(std::size_t n) const {
    if (n < run_.size() - run_position_) return run_[run_position_ + n].event();
    return lane_.empty() ? nullptr : lane_.ahead(n);
  }

  /// Marks an event as cancelled; false when it was delivered or cancelled before, or is none of
  /// ours. It comes out of take() all the same, unless swept. O(1) amortised.
  bool cancel(EventId id);

  /// Whether an event just taken was cancelled; ask once per event. O(1).
  [[nodiscard]] bool was_cancelled(const Event& event) {
    if (cancelled_pending_ == 0 || !cancelled_.contains(event.tag_)) return false;
    --cancelled_pending_;
    return true;
  }

  /// Whether so many of the events stored are dead (cancelled, or else by the caller's count) that
  /// it is time for sweep().
  [[nodiscard]] bool wants_sweep(std::size_t others = 0) const {
    return cancelled_pending_ + others > 64 && cancelled_pending_ + others > size_ / 2;
  }

  /// Removes the cancelled events and those of which `dead` says so; hands each to `dispose` first.
  /// O(pending).
  void sweep(const std::function<bool(const Event&)>& dead,
             const std::function<void(Event&)>& dispose);

  /// Visits the pending events in no particular order.
  void for_each(const std::function<void(const Event&)>& visit) const;
  /// The same with the cancelled ones.
  void for_each_stored(const std::function<void(Event&)>& visit) const;

 private:
  // Buckets are many and hold few, so their chunks are small; a lane is one, is looked ahead in,
  // and should seldom come to the end of a chunk.
  using Bucket = EventList<512>;
  using Lane = EventList<4096>;

  // Time above tag: one comparison of 128 bits orders two events. A key with tag 0 is a bound,
  // since the tags of events begin at 1.
  __extension__ using Key = unsigned __int128;
  static constexpr Key kNone = ~Key{0};
  static constexpr std::size_t kPerBucket = 16;  // events wanted in a bucket
  static constexpr std::size_t kInsertMax = 32;  // a longer rest of a run is not shifted
  static constexpr std::size_t kBucketsMin = 64;
  static constexpr std::size_t kBucketsMax = std::size_t{1} << 20U;

  /// One event of the run; the lowest bit says that it is a single one, not part of a chunk.
  struct RunEntry {
    RunEntry(Event& event, bool single)
        : time(event.time_), reference(reinterpret_cast<std::byte*>(&event) + (single ? 1 : 0)) {}
    [[nodiscard]] Event* event() const {
      return reinterpret_cast<Event*>(reference - (is_single() ? 1 : 0));
    }
    [[nodiscard]] bool is_single() const {
      return (reinterpret_cast<std::uintptr_t>(reference) & 1U) != 0;
    }
    std::uint64_t time;
    std::byte* reference;
  };
  struct HeapEntry {
    friend bool operator>(const HeapEntry& a, const HeapEntry& b) { return a.key > b.key; }
    Key key;
    Event* event;
  };
  using Heap = std::vector<HeapEntry>;

  static Key key_of(std::uint64_t time, std::uint64_t tag) { return Key{time} << 64U | tag; }
  static Key key_of(const Event& event) { return key_of(event.time_, event.tag_); }
  static std::uint64_t time_of(Key key) { return static_cast<std::uint64_t>(key >> 64U); }

  [[nodiscard]] std::uint64_t next_tag(std::uint64_t low);
  Event* place(std::uint64_t time, std::uint64_t tag);
  Event* place_ordered(std::uint64_t time, std::uint64_t tag);
  Event* push_special(std::uint64_t time, std::uint64_t low, bool ordered);
  Event* take_from_run();
  Event* take_from_lane();
  Event* take_from_near();
  Event* took(Event* event);
  void note_taken(const Event& event);
  void set_run_key();
  void recycle_taken();

  Event* push_into_wheel(std::uint64_t time, std::uint64_t tag);
  Event* push_near(std::uint64_t time, std::uint64_t tag);
  Event* push_far(std::uint64_t time, std::uint64_t tag);
  Event* append_to_bucket(std::uint64_t bucket);
  void load_next_bucket();
  void clear_occupied(std::size_t slot);
  void sort_run(bool in_order);
  void fetch_ahead() const;
  void migrate_far();
  [[nodiscard]] std::uint64_t first_bucket() const;
  void adapt();
  void rebuild(unsigned shift, std::size_t buckets);

  // Hot: read by every push and take.
  Key run_key_ = kNone;
  Key lane_key_ = kNone;
  Key near_key_ = kNone;
  Key taken_key_ = 0;  // of the event taken last
  std::uint64_t now_ = 0;
  std::uint64_t number_ = 0;      // events created
  std::size_t size_ = 0;          // events stored, cancelled ones too
  std::size_t outside_lane_ = 0;  // of them in run_, near_, the wheel and far_
  std::uint64_t lane_last_ = 0;   // the latest time in lane_
  Lane present_;                  // events created for the moment of their creation
  Lane lane_;                     // events that came in order
  std::vector<RunEntry> run_;     // the current bucket, sorted, from run_position_
  std::size_t run_position_ = 0;
  Lane::Chunk* taken_chunk_ = nullptr;  // to be recycled when the event taken last is done with
  Event* taken_single_ = nullptr;

  // The wheel.
  unsigned shift_ = 20;  // a bucket is 2^shift_ nanoseconds wide
  std::uint64_t current_ =
      ~std::uint64_t{0};  // number of the bucket in run_: time >> shift_; -1 at first
  std::size_t wheel_size_ = 0;
  std::vector<Bucket> buckets_;
  std::vector<std::uint64_t> occupied_;  // one bit per bucket
  std::vector<std::uint64_t> summary_;   // one bit per word of occupied_

  const Fetch* fetch_ = nullptr;
  Bucket::Store store_;
  Lane::Store lane_store_;
  Bucket run_chunks_;  // where the events of run_ lie
  Heap near_;          // events that fall into a current bucket too long to shift
  Heap far_;           // events beyond the wheel

  // Statistics since the last look, for adapt().
  std::uint64_t loads_ = 0;
  std::uint64_t loaded_ = 0;
  std::uint64_t pushed_near_ = 0;
  std::uint64_t pushed_far_ = 0;
  std::uint64_t looked_at_ = 0;    // number_ then
  std::uint64_t patience_ = 1024;  // events until the next look
  std::size_t built_for_ = 0;      // events when the wheel was built

  bool special_;  // events are shuffled or recorded
  std::vector<std::uint64_t>* created_ = nullptr;
  std::optional<std::uint64_t> shuffle_;
  FlatMap<std::uint64_t> cancelled_;   // tag -> time; kept until the time has passed
  std::size_t cancelled_pending_ = 0;  // of them still stored
  std::size_t cancelled_forget_ = 64;  // size of cancelled_ at which to look for outdated ones
  FlatMap<bool> taken_at_now_;         // tags; kept only when ties are shuffled
};

inline void Calendar::recycle_taken() {
  if (taken_chunk_ != nullptr) {
    lane_store_.give_back(taken_chunk_);
    taken_chunk_ = nullptr;
  }
  if (taken_single_ != nullptr) {
    store_.give_back(taken_single_);
    taken_single_ = nullptr;
  }
}

inline Event* Calendar::take(std::uint64_t limit) {
  recycle_taken();
  for (;;) {
    Key first = run_key_;
    if (lane_key_ < first) first = lane_key_;
    if (near_key_ < first) first = near_key_;
    const std::uint64_t time = time_of(first);
    // Everything else that was due now had been created before what is in present_.
    if (time > now_ && !present_.empty()) {
      Event* event = present_.front();
      taken_chunk_ = present_.pop();
      return took(event);
    }
    if (time > limit) return nullptr;
    if (first == lane_key_) return take_from_lane();
    if (first == near_key_) return take_from_near();
    if (static_cast<std::uint64_t>(first) != 0) return take_from_run();
    load_next_bucket();  // the run's key was only a bound (invariant 2)
  }
}

inline Event* Calendar::took(Event* event) {
  --size_;
  return event;
}

inline Event* Calendar::take_from_lane() {
  Event* event = lane_.front();
  taken_chunk_ = lane_.pop();
  lane_key_ = lane_.empty() ? kNone : key_of(*lane_.front());
  return took(event);
}

inline Event* Calendar::take_from_run() {
  const RunEntry entry = run_[run_position_++];
  Event* event = entry.event();
  if (entry.is_single()) taken_single_ = event;
  --outside_lane_;
  if (run_position_ < run_.size()) {
    run_key_ = key_of(*run_[run_position_].event());
  } else {
    set_run_key();
  }
  return took(event);
}

inline std::uint64_t Calendar::next_tag(std::uint64_t low) {
  return ++number_ << Event::kNumberShift | low;
}

inline Event* Calendar::push_ordered(std::uint64_t time, std::uint64_t low) {
  if (special_) [[unlikely]]
    return push_special(time, low, true);
  return place_ordered(time, next_tag(low));
}

inline Event* Calendar::push(std::uint64_t time, std::uint64_t low) {
  if (special_) [[unlikely]]
    return push_special(time, low, false);
  return place(time, next_tag(low));
}

inline Event* Calendar::place_ordered(std::uint64_t time, std::uint64_t tag) {
  if (time == now_) return place(time, tag);  // present_ keeps the order of equal times
  Event* event = lane_.append(lane_store_);
  event->time_ = time;
  event->tag_ = tag;
  if (lane_key_ == kNone) lane_key_ = key_of(*event);
  lane_last_ = time;
  ++size_;
  return event;
}

inline Event* Calendar::place(std::uint64_t time, std::uint64_t tag) {
  if (time == now_) {
    Event* event = present_.append(lane_store_);
    event->time_ = time;
    event->tag_ = tag;
    ++size_;
    return event;
  }
  // While everything comes in order the lane serves it all.
  if (outside_lane_ == 0 && (lane_.empty() || time >= lane_last_)) return place_ordered(time, tag);
  return push_into_wheel(time, tag);
}

inline Event* Calendar::push_into_wheel(std::uint64_t time, std::uint64_t tag) {
  ++size_;
  ++outside_lane_;
  const std::uint64_t bucket = time >> shift_;
  // 0 for the next bucket; the current one and earlier ones wrap round to huge numbers, so that one
  // comparison tells the wheel from both of its sides.
  const std::uint64_t distance = bucket - current_ - 1;
  Event* event = nullptr;
  if (distance < buckets_.size() - 1) [[likely]] {
    event = append_to_bucket(bucket);
    if (run_position_ == run_.size()) run_key_ = std::min(run_key_, key_of(bucket << shift_, 0));
  } else {
    event = static_cast<std::int64_t>(distance) < 0 ? push_near(time, tag) : push_far(time, tag);
  }
  event->time_ = time;
  event->tag_ = tag;
  return event;
}

inline Event* Calendar::append_to_bucket(std::uint64_t bucket) {
  const std::size_t slot = bucket & (buckets_.size() - 1);
  ++wheel_size_;
  Bucket& list = buckets_[slot];
  if (list.empty()) {
    occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
    summary_[slot / 4096] |= std::uint64_t{1} << slot / 64 % 64;
  }
  return list.append(store_);
}

}  // namespace artel::sim::detail
