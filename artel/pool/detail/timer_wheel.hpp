#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::pool::detail {

/// Where an entry stands in a list of a TimerWheel.
class TimerLinks {
 private:
  friend class TimerEntry;
  friend class TimerWheel;

  TimerLinks* next_ = nullptr;  // null: in no list
  TimerLinks* previous_ = nullptr;
};

/// What a TimerWheel keeps of a timer; outlives its stay there.
class TimerEntry : private TimerLinks {
 public:
  TimerEntry() = default;
  TimerEntry(const TimerEntry&) = delete;
  TimerEntry& operator=(const TimerEntry&) = delete;

  /// Whether it is in a wheel.
  [[nodiscard]] bool pending() const { return next_ != nullptr; }

 protected:
  ~TimerEntry() = default;

 private:
  friend class TimerWheel;

  std::uint64_t tick_ = 0;
  std::size_t list_ = 0;
};

/// The timers of one thread, by the time when they are due: a hierarchical timer wheel.
///
/// Time goes in ticks of 65.5 us, and 8 levels of 64 slots reach from one tick to the end of
/// Duration. A slot of level n holds the entries of 64^n ticks; when its time comes they move down
/// to the slots of the levels below, until each has the slot of its own tick. So an entry moves at
/// most 7 times, and one that is cancelled early, as most timeouts are, hardly ever does.
///
/// An entry is never given out early: at its tick, which starts at most 65.5 us after it is due.
/// Entries come in the order of their ticks, those of one tick as they were added; what was past
/// already when it was added comes as soon as possible.
/// Invariants:
///  T1  All ticks up to now_ have been given out, or are in the list kDue.
///  T2  An entry is at the level of the highest digit (6 bits) in which its tick differs from now_.
///      So whatever is at a lower level comes before everything at a higher one, and the first
///      occupied slot of the lowest level before all others.
/// Cost:    add and cancel O(1), some 10 ns; next_due O(1); taking O(1) amortised, however long the
///          sleep before. No allocation; 12 KiB.
/// Threads: one at a time.
/// Source:  G. Varghese, T. Lauck: Hashed and Hierarchical Timing Wheels, 1987.
class TimerWheel {
 public:
  static constexpr Duration kTick{1U << 16U};

  explicit TimerWheel(Instant now);
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;

  /// Any time: what is past is due at once, what is due at kNever stays until it is cancelled.
  /// Requires: the entry is in no wheel.
  void add(TimerEntry& entry, Instant due);
  /// Requires: the entry is in this wheel.
  void cancel(TimerEntry& entry);

  /// Takes out the next entry that is due at `now`; null: there is none. An earlier `now` than
  /// before is taken for that one.
  [[nodiscard]] TimerEntry* take_due(Instant now);
  /// Takes out some entry; null: there is none.
  [[nodiscard]] TimerEntry* take_any();

  /// When take_due() has something to give, or (after a cancel) earlier; kNever: not at all.
  [[nodiscard]] Instant next_due() const;

 private:
  using Tick = std::uint64_t;
  static constexpr unsigned kTickBits = 16;
  static constexpr unsigned kDigitBits = 6;
  static constexpr std::size_t kSlots = std::size_t{1} << kDigitBits;
  static constexpr std::size_t kLevels = 8;  // 6 bits each: more than the 47 of a tick
  // Two lists beside the slots.
  static constexpr std::size_t kDue = kLevels * kSlots;
  static constexpr std::size_t kNeverDue = kDue + 1;

  struct List {
    TimerLinks ends;  // of the ring
    Tick first = 0;   // no entry is due before
  };
  /// Of the slots with entries the one whose time comes first.
  struct Slot {
    std::size_t level;
    std::size_t list;
    Tick start;
  };

  static Tick tick_of(Instant due);
  static Instant start_of(Tick tick);
  static bool empty(const List& list) { return list.ends.next_ == &list.ends; }

  void place(TimerEntry& entry);
  void append(std::size_t list, TimerEntry& entry);
  [[nodiscard]] bool first_slot(Slot& found) const;
  TimerEntry* take_first(std::size_t list);
  void spread(const Slot& slot);

  std::array<List, kNeverDue + 1> lists_;
  std::array<std::uint64_t, kLevels> occupied_{};  // by level, a bit per slot
  Tick now_;
};

}  // namespace artel::pool::detail
