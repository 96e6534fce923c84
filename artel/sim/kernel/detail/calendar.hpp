#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "artel/sim/kernel/detail/event_store.hpp"
#include "artel/sim/kernel/detail/segment_list.hpp"
#include "artel/sim/kernel/detail/tied_events.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

class Fetch;

/// Chooses one of several events that are due at the same time.
class TieBreaker {
 public:
  virtual ~TieBreaker() = default;
  /// A number below `count`, of those in order of creation. Requires: count > 1.
  [[nodiscard]] virtual std::size_t choose(std::size_t count) = 0;
};

/// The events yet to come, handed out in the exact order of (time, number in order of creation).
///
/// What is ordered is entries of 16 bytes, which only point to the events. They lie in a radix
/// wheel: eight levels of 256 buckets each. A bucket of level 0 is one time, one of level 1 spans
/// 256 times, one of level k 256^k: an entry lies on the level of the highest byte in which its
/// time differs from `base_`, in the bucket of that byte. When the first bucket's turn has come it
/// is the `run_`, if its entries came in order or are few enough to be sorted, or else its entries
/// move to lower levels, where each can only move down again. What is created for the present
/// moment waits in `present_`, what comes at its very end in `last_`.
///
/// Invariants:
///   1. Everything in the wheel is at run_end_ or later, in the place that base_ says; base_ is
///      below run_end_ or, with an empty run, equal to it.
///   2. run_ is in order and within [run_start_, run_end_).
///   3. Equal times lie in order of creation in every bucket, and in the run: all of one time are
///      always in one place, and are moved together.
///   4. present_ and last_ are at now_, and were created after all of now_ that is in the run.
///   5. until_ = now_ while present_ or last_ hold something, else limit_.
///   6. A bucket without its bit in unsorted_ is in order.
///   7. size_ = events pending; dead_ = entries whose event was cancelled (its tag is 0): the entry
///      stays, and with it the event's place, until its turn comes or the dead outnumber the rest.
///   8. stamp_ is twice the number of the event created last, and odd while events are created in
///      the background; background_ = pending events that were, those created since it is so apart.
/// Cost:    O(1) amortised: an entry moves at most once per level. 64 bytes an event.
/// Errors:  none. Threads: one.
/// Source:  G. Varghese, T. Lauck, Hashed and Hierarchical Timing Wheels (1987); R. Ahuja et al.,
///          radix heaps (1990), for levels by the highest differing digit. Measured:
///          docs/decisions/calendar.md.
class Calendar {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::int64_t>::max() - 1;

  /// With a tie breaker, events of equal times come in an order that it chooses.
  explicit Calendar(TieBreaker* ties = nullptr) : ties_(ties) {}
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  /// What to fetch into the cache before events come.
  void fetch_with(const Fetch* fetch) { fetch_ = fetch; }
  void break_ties_with(TieBreaker* ties) { ties_ = ties; }

  /// From now on appends the tag of every event created to `tags`; nullptr: no more.
  void record_created(std::vector<std::uint64_t>* tags) { created_ = tags; }

  /// Events pending.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Events created so far.
  [[nodiscard]] std::uint64_t created() const { return stamp_ / 2; }

  /// From now on events are created in the background, for daemons, or not; returns how it was.
  bool create_in_background(bool on);
  /// Whether it is so now.
  [[nodiscard]] bool creates_in_background() const { return (stamp_ & 1U) != 0; }
  /// Of size(), those created in the background. Requires: none are now.
  [[nodiscard]] std::size_t background_size() const { return background_; }
  /// An event that was created in the background has been taken.
  void took_from_background() { --background_; }

  /// The present: the time of the last event that arrived, or later.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  /// Lets time pass. Requires: now() <= `now`, and nothing is pending before it.
  void set_now(std::uint64_t now) { now_ = now; }

  /// Room for a new event: to be filled and then pushed, or given back.
  [[nodiscard]] Event* make() { return store_.take(); }
  /// An event that was made and not pushed, or taken and is done with.
  void give_back(Event* event) { store_.give_back(event); }

  /// Puts an event in its place; `low` are the tag's lower bits. Requires: time >= now().
  void push(Event& event, std::uint64_t time, std::uint64_t low);
  /// For now(), after everything else that will happen at this moment.
  void push_last(Event& event, std::uint64_t low);

  /// Whether something is still due at now(), cancelled or not.
  [[nodiscard]] bool more_now() const {
    if (!run_.empty() && run_.front().time == now_) return true;
    if (until_ == now_ && !(present_.empty() && last_.empty())) return true;
    if (base_ >> kBits == now_ >> kBits) [[unlikely]] {  // it may be in the wheel again
      const auto slot = static_cast<unsigned>(now_) & 255U;
      if ((occupied_[0][slot / 64] & bit(slot)) != 0) return true;
    }
    return !tied_.empty();
  }

  /// From now on take() gives what is due up to `limit`, at most kNoLimit.
  void set_limit(std::uint64_t limit) {
    limit_ = limit;
    until_ = present_.empty() && last_.empty() ? limit : now_;
  }
  /// Removes the earliest event; nullptr when none is due. It stays valid until it is given back;
  /// arrive() makes its time the present.
  [[nodiscard]] Event* take();
  void arrive(const Event& event) { now_ = event.time_; }

  /// The pending event of that name, or nullptr.
  [[nodiscard]] Event* find(EventId id) const { return store_.find(id); }
  /// Takes a pending event back; its payload is for the caller, before. O(1) amortised, with a tie
  /// breaker O(log of those of its time).
  void cancel(Event& event);

  /// Visits the pending events in no particular order.
  void for_each(const std::function<void(Event&)>& visit) const;

  /// The event that will probably be taken after `n` others, for prefetching; may be nullptr.
  [[nodiscard]] const Event* ahead(std::size_t n) const {
    const Entry* entry = run_.ahead(n);
    return entry == nullptr ? nullptr : entry->event;
  }

 private:
  struct Entry {
    std::uint64_t time;
    Event* event;
  };
  using List = SegmentList<Entry>;

  static constexpr unsigned kLevels = 8;
  static constexpr unsigned kBits = 8;           // of the time a level; its buckets are 2^kBits
  static constexpr std::size_t kSortMax = 256;   // as many are sorted faster than moved…
  static constexpr std::size_t kInsertMax = 32;  // …and as many by insertion alone, if they must
  static constexpr unsigned kLateInserts = 8;    // deep into a run, before it is moved down
  static constexpr std::size_t kFetchMax = 64;   // of a bucket, as Fetch gets ahead of the others

  void place(const Entry& entry);
  void push_near(const Entry& entry);
  [[nodiscard]] bool insert(Entry entry);
  void spill();
  void rebase();
  [[nodiscard]] Event* take_due();
  [[nodiscard]] Event* take_late();
  [[nodiscard]] Event* take_from(List& list);
  [[nodiscard]] Event* take_tied();
  bool load(std::uint64_t limit);
  [[nodiscard]] static bool put_in_order(const List& list, std::uint64_t start, unsigned shift);
  [[nodiscard]] unsigned next_slot(unsigned level, unsigned slot) const;
  void fetch_ahead(unsigned level, unsigned slot) const;
  [[nodiscard]] static std::uint64_t bit(unsigned slot) { return std::uint64_t{1} << slot % 64; }
  static constexpr unsigned kBeforeAll = ~0U;  // as a slot
  void sweep();
  bool forget(const Entry& entry);
  [[nodiscard]] bool nothing_in(unsigned level) const {
    const std::array<std::uint64_t, 4>& words = occupied_[level];
    return (words[0] | words[1] | words[2] | words[3]) == 0;
  }
  template <class Self, class Visit>
  static void for_each_list(Self& self, const Visit& visit) {
    visit(self.run_);
    visit(self.present_);
    visit(self.last_);
    for (auto& level : self.buckets_) {
      for (auto& bucket : level) {
        if (!bucket.empty()) visit(bucket);
      }
    }
  }

  // Hot: read by every push and take.
  List run_;
  std::uint64_t until_ = kNoLimit;
  std::uint64_t now_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t run_end_ = 0;
  std::uint64_t stamp_ = 0;
  std::size_t size_ = 0;
  TieBreaker* ties_;
  std::vector<std::uint64_t>* created_ = nullptr;
  EventStore store_;
  SegmentStore<Entry> segments_;
  List present_;
  List last_;
  std::uint64_t run_start_ = 0;
  unsigned late_inserts_ = 0;  // into this run
  std::uint64_t limit_ = kNoLimit;
  std::size_t dead_ = 0;
  const Fetch* fetch_ = nullptr;
  TiedEvents tied_;  // all that are due at one time; only with a tie breaker
  std::size_t background_ = 0;
  std::uint64_t background_since_ = 0;  // created() when that began

  unsigned levels_ = 0;  // a bit for each level that holds something
  std::array<std::array<std::uint64_t, 4>, kLevels> occupied_{};  // a bit for each bucket
  std::array<std::array<std::uint64_t, 4>, kLevels> unsorted_{};
  std::array<std::array<List, 256>, kLevels> buckets_{};
};

inline void Calendar::push(Event& event, std::uint64_t time, std::uint64_t low) {
  event.time_ = time;
  event.tag_ = (stamp_ += 2) << Event::kStampShift | low;
  if (created_ != nullptr) [[unlikely]]
    created_->push_back(event.tag_);
  ++size_;
  const Entry entry{time, &event};
  if (time != now_) [[likely]] {
    if (time >= run_end_) return place(entry);
    // Delays that are equal end so, mostly.
    if (!run_.empty() && time >= run_.back().time) return run_.append(entry, segments_);
  }
  push_near(entry);
}

inline void Calendar::place(const Entry& entry) {
  const std::uint64_t differing = (entry.time ^ base_) | 1U;
  const unsigned level = (63U - static_cast<unsigned>(std::countl_zero(differing))) / kBits;
  const auto slot = static_cast<unsigned>(entry.time >> (kBits * level)) & 255U;
  List& bucket = buckets_[level][slot];
  if (bucket.empty()) {
    occupied_[level][slot / 64] |= bit(slot);
    levels_ |= 1U << level;
  } else if (entry.time < bucket.back().time) {
    unsorted_[level][slot / 64] |= bit(slot);
  }
  bucket.append(entry, segments_);
}

/// Whether the event was cancelled; its place is free then.
inline bool Calendar::forget(const Entry& entry) {
  if (entry.event->tag_ != 0) [[likely]]
    return false;
  --dead_;
  store_.give_back(entry.event);
  return true;
}

/// The first event of the run, if it is due; nullptr if none is.
inline Event* Calendar::take_due() {
  while (!run_.empty()) [[likely]] {
    const Entry entry = run_.front();
    if (entry.time > until_) [[unlikely]]
      break;
    run_.pop(segments_);
    if (forget(entry)) [[unlikely]]
      continue;
    --size_;
    return entry.event;
  }
  return nullptr;
}

inline Event* Calendar::take() {
  if (ties_ != nullptr) [[unlikely]]
    return take_tied();
  if (Event* event = take_due()) [[likely]]
    return event;
  return take_late();
}

}  // namespace artel::sim::detail
