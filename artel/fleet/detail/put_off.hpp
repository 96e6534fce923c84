#pragma once

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// Puts an event off to the end of its moment, and returns its new name.
///
/// For what comes from outside, and for those who have waited long enough: what ends at a moment
/// has ended before either. `last` of the event notes that it was put off.
template <class E>
[[gnu::cold, gnu::noinline]] sim::EventId put_off(sim::Context& component, E event) {
  event.last = true;
  return component.emit_self_last(event);
}

/// Whether it has to be: something else is due at its moment.
template <class E>
[[nodiscard]] bool is_early(const sim::Context& component, const E& event) {
  return !event.last && component.more_due_now();
}

}  // namespace artel::fleet::detail
