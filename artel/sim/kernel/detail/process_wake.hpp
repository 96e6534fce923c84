#pragma once

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim::detail {

/// The event by which a process runs on; holds one reference to it.
struct ProcessWake {
  ProcessState* process;
};

/// Addresses do not belong into a fingerprint; time and component do and are there.
inline void add_to(trace::Fingerprint&, const ProcessWake&) {}

// What every component does with the kernel's own events.
void handle_wake(Context& context, Event& event);
void handle_timer(Context& context, Event& event);

}  // namespace artel::sim::detail
