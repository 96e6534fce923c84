#pragma once

#include <cstddef>
#include <cstdint>

#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"

namespace artel::sim::detail {

class EventWait;
class ProcessState;

/// What of a component a delivery looks at: how much it logs, and who waits for its events.
///
/// Most components have one process that waits for one event at a time, so the only wait stands
/// here and costs no look-up; a second one moves both to the table of waits.
struct EventTarget {
  enum class Waits : std::uint8_t {
    none,
    one,      // only_wait
    many,     // in the core's table
    leaving,  // only_wait is the first of a list, from which they are taken as the component goes
  };

  /// Whether somebody may wait for events of that type.
  [[nodiscard]] bool may_await(std::uint32_t type) const {
    return waits != Waits::none && (waits == Waits::many || wait_type == type);
  }

  ComponentId id{};
  LogLevel log_level = LogLevel::off;
  Waits waits = Waits::none;
  std::uint16_t wait_type = 0;  // the payload type that only_wait waits for
  union {
    EventWait* only_wait = nullptr;
    std::size_t waits_in_table;
  };
  ProcessState* only_waiter = nullptr;  // whose only_wait is, for fetching ahead
};
static_assert(sizeof(EventTarget) == 24);

}  // namespace artel::sim::detail
