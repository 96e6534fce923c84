#include "artel/pool/detail/timer_wheel.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::pool::detail {

TimerWheel::TimerWheel(Instant now)
    : now_(static_cast<Tick>(std::max(now.time_since_epoch(), Duration::zero()).count()) >>
           kTickBits) {
  for (List& list : lists_) list.ends.next_ = list.ends.previous_ = &list.ends;
}

// The first tick that does not start before it.
TimerWheel::Tick TimerWheel::tick_of(Instant due) {
  const Tick ns = static_cast<Tick>(std::max(due.time_since_epoch(), Duration::zero()).count());
  return (ns + (Tick{1} << kTickBits) - 1) >> kTickBits;
}

Instant TimerWheel::start_of(Tick tick) {
  constexpr Tick kLast = static_cast<Tick>(kForever.count()) >> kTickBits;
  if (tick > kLast) return kNever;
  return Instant{Duration{static_cast<Duration::rep>(tick << kTickBits)}};
}

void TimerWheel::add(TimerEntry& entry, Instant due) {
  entry.tick_ = tick_of(due);
  if (start_of(entry.tick_) == kNever) return append(kNeverDue, entry);
  place(entry);
}

void TimerWheel::place(TimerEntry& entry) {
  const Tick tick = entry.tick_;
  if (tick <= now_) return append(kDue, entry);
  const auto highest = static_cast<unsigned>(std::bit_width(tick ^ now_)) - 1;
  const std::size_t level = highest / kDigitBits;
  const std::size_t slot = (tick >> (level * kDigitBits)) % kSlots;
  occupied_[level] |= std::uint64_t{1} << slot;
  append(level * kSlots + slot, entry);
}

void TimerWheel::append(std::size_t list, TimerEntry& entry) {
  List& to = lists_[list];
  to.first = empty(to) ? entry.tick_ : std::min(to.first, entry.tick_);
  entry.list_ = list;
  entry.next_ = &to.ends;
  entry.previous_ = to.ends.previous_;
  entry.previous_->next_ = &entry;
  to.ends.previous_ = &entry;
}

void TimerWheel::cancel(TimerEntry& entry) {
  entry.previous_->next_ = entry.next_;
  entry.next_->previous_ = entry.previous_;
  entry.next_ = entry.previous_ = nullptr;
  if (entry.list_ < kDue && empty(lists_[entry.list_])) {
    occupied_[entry.list_ / kSlots] &= ~(std::uint64_t{1} << (entry.list_ % kSlots));
  }
}

bool TimerWheel::first_slot(Slot& found) const {
  const auto* const level = std::find_if(occupied_.begin(), occupied_.end(),
                                         [](std::uint64_t bits) { return bits != 0; });
  if (level == occupied_.end()) return false;
  found.level = static_cast<std::size_t>(level - occupied_.begin());
  const auto slot = static_cast<std::size_t>(std::countr_zero(*level));
  found.list = found.level * kSlots + slot;
  // The higher digits are those of now_: T2.
  const std::size_t bits = found.level * kDigitBits;
  found.start = ((now_ >> bits) - (now_ >> bits) % kSlots + slot) << bits;
  return true;
}

TimerEntry* TimerWheel::take_first(std::size_t list) {
  if (empty(lists_[list])) return nullptr;
  auto* const entry = static_cast<TimerEntry*>(lists_[list].ends.next_);
  cancel(*entry);
  return entry;
}

TimerEntry* TimerWheel::take_due(Instant now) {
  const Tick until =
      static_cast<Tick>(std::max(now.time_since_epoch(), Duration::zero()).count()) >> kTickBits;
  for (;;) {
    if (TimerEntry* const entry = take_first(kDue)) return entry;
    Slot slot{};
    if (!first_slot(slot)) {
      now_ = std::max(now_, until);
      return nullptr;
    }
    if (lists_[slot.list].first > until) {
      now_ = std::max(now_, std::min(until, slot.start - 1));  // not into the slot: T2
      return nullptr;
    }
    spread(slot);
  }
}

// The time of the slot has come.
void TimerWheel::spread(const Slot& slot) {
  now_ = slot.start;
  while (TimerEntry* const entry = take_first(slot.list)) place(*entry);
}

TimerEntry* TimerWheel::take_any() {
  for (const std::size_t list : {kDue, kNeverDue}) {
    if (TimerEntry* const entry = take_first(list)) return entry;
  }
  Slot slot{};
  return first_slot(slot) ? take_first(slot.list) : nullptr;
}

Instant TimerWheel::next_due() const {
  if (!empty(lists_[kDue])) return start_of(now_);
  Slot slot{};
  return first_slot(slot) ? start_of(lists_[slot.list].first) : kNever;
}

}  // namespace artel::pool::detail
