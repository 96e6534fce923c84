#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/flat_map.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// The waits for events of all components that have more than one, by destination, type, source and
/// key: a chain in order of arrival for each such combination.
///
/// A look-up touches one cache line of the table and the waits themselves. Who has got his event
/// mostly waits for the same again at once, so an emptied place is kept until the next call.
/// Cost: O(1) expected.
class WaitTable {
 public:
  void insert(EventWait& wait);
  void remove(EventWait& wait);

  /// Takes out the wait that gets this event, see Next; nullptr when there is none.
  [[nodiscard]] EventWait* take(EventTarget& target, const Event& event);
  /// Makes those for events of that component a list of its own, whoever has waited longest first:
  /// they are `leaving`. O(waits).
  void take_all(EventTarget& target);
  /// Takes one from that list.
  static void take_from(EventTarget& target, EventWait& wait);

 private:
  /// How specific a wait is; the most specific first.
  [[nodiscard]] static unsigned kind_of(std::uint64_t what) {
    return ((what & EventPattern::kWithKey) != 0 ? 0U : kNoKey) +
           ((what & EventPattern::kWithSrc) != 0 ? 0U : kNoSrc);
  }
  static constexpr unsigned kNoSrc = 1;
  static constexpr unsigned kNoKey = 2;

  void count_one_more(std::uint64_t what) {
    const unsigned kind = kind_of(what);
    if (of_kind_[kind]++ == 0) kinds_ |= 1U << kind;
  }
  void count_one_less(std::uint64_t what) {
    const unsigned kind = kind_of(what);
    if (--of_kind_[kind] == 0) kinds_ &= ~(1U << kind);
  }
  [[nodiscard]] EventWait* take(const EventPattern& pattern, const Event& event);
  [[nodiscard]] EventWait* take_asking(const EventPattern& pattern, const Event& event);
  void take_out(EventWait*& front, EventWait& wait);
  void close_vacancy() {
    if (vacancy_ == nullptr) return;
    count_one_less(vacancy_pattern_.what);
    fronts_.erase(std::exchange(vacancy_, nullptr));
  }

  // By hash. The first of a chain has the last as its before_.
  FlatMap<EventWait*> fronts_;
  EventWait** vacancy_ = nullptr;  // the front of a chain just emptied, and what it was for
  EventPattern vacancy_pattern_;
  ComponentId vacancy_component_{};       // another one may lie where its target lay
  std::array<std::size_t, 4> of_kind_{};  // how many there are, the vacancy too
  unsigned kinds_ = 0;                    // a bit for each of which there are some
};

}  // namespace artel::sim::detail
