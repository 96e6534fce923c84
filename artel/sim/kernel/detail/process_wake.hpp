#pragma once

#include <cstdint>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
class Context;
}  // namespace artel::sim

namespace artel::sim::detail {

/// The event by which a process runs on; holds one reference to it.
struct ProcessWake {
  ProcessState* process;
};

/// The event by which the timer of a wait runs out; cancelled when the wait is over.
struct TimerEnd {
  Wait* wait;
};

/// Addresses do not belong into a fingerprint; time and component do and are there.
inline void add_to(trace::Fingerprint&, const ProcessWake&) {}
inline void add_to(trace::Fingerprint&, const TimerEnd&) {}

/// Whether events of that type are the kernel's own: not of the model, so they are neither counted
/// nor shown.
[[nodiscard]] inline bool is_own(std::uint32_t type) {
  return type == payload_number<ProcessWake> || type == payload_number<TimerEnd>;
}

// What every component does with the kernel's own events.
void handle_wake(Context& context, Event& event);
void handle_timer(Context& context, Event& event);

}  // namespace artel::sim::detail
