#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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
  /// The wait for events of that component whose process has waited longest. Requires: there is
  /// one. O(waits).
  [[nodiscard]] EventWait& first_for(const EventTarget& target) const;

 private:
  /// How specific a wait is; the most specific first.
  [[nodiscard]] static std::size_t kind_of(std::uint64_t what) {
    return ((what & EventPattern::kWithKey) != 0 ? 0U : 2U) +
           ((what & EventPattern::kWithSrc) != 0 ? 0U : 1U);
  }
  [[nodiscard]] EventWait* take(const EventPattern& pattern, const Event& event);
  void take_out(std::uint64_t hash, EventWait*& front, EventWait& wait);
  void close_vacancy();

  // By hash. The first of a chain has the last as its before_.
  FlatMap<EventWait*> fronts_;
  EventWait** vacancy_ = nullptr;  // the front of a chain just emptied
  std::uint64_t vacancy_hash_ = 0;
  std::array<std::size_t, 4> of_kind_{};  // how many there are: no look-up for kinds not in use
};

}  // namespace artel::sim::detail
