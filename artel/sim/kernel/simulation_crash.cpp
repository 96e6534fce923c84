// How components go, by a crash or removed, and what becomes of their events and of who waits.

#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"

namespace artel::sim {

bool Simulation::remove(ComponentId id, Pending pending) { return take_out(id, pending, false); }

bool Simulation::crash(ComponentId id, Pending messages) { return take_out(id, messages, true); }

bool Simulation::take_out(ComponentId id, Pending pending, bool cancel_to_itself) {
  if (!exists(id)) return false;
  Context* component = core_.components[index(id)];
  core_.cancel_all_of(*component);
  if (core_.components[index(id)] == component) {  // a destructor may have done the same
    core_.components[index(id)] = nullptr;
    if (core_.trace != nullptr) core_.trace->left(id, cancel_to_itself ? "crashed" : "removed");
    core_.disappoint_waits_on(*component);
    cut(id, pending, cancel_to_itself);
    departed_.push_back(component);
    core_.attention |= detail::Core::kDeparted;
  }
  if (core_.in_hand == nullptr && core_.half_done == 0) destroy_departed();
  return true;
}

/// Cancels the events created so far that the policy names.
void Simulation::cut(ComponentId id, Pending pending, bool cancel_to_itself) {
  if (pending == Pending::keep && !cancel_to_itself) return;
  const bool incoming = pending == Pending::cancel_incoming || pending == Pending::cancel_both;
  const bool outgoing = pending == Pending::cancel_outgoing || pending == Pending::cancel_both;
  const std::uint64_t last = core_.calendar.created();
  if (core_.cuts.due(last)) core_.sweep_cuts();
  core_.cuts.add(id, {incoming ? last : 0, outgoing ? last : 0, cancel_to_itself ? last : 0}, last,
                 core_.calendar.size());
  core_.attention |= detail::Core::kCuts;
}

void Simulation::destroy_departed() {
  while (!departed_.empty()) {
    Context& component = *departed_.back();
    departed_.pop_back();
    destroy(component);
  }
  core_.attention &= static_cast<std::uint8_t>(~detail::Core::kDeparted);
}

void Simulation::require_down(ComponentId id) const {
  ARTEL_REQUIRE(index(id) < core_.components.size(), "no component has ever had this id",
                index(id));
  ARTEL_REQUIRE(!exists(id), "only what crashed or was removed can restart", name_of(id));
}

// One by one: what withdrawing the first runs may withdraw others.
void detail::Core::disappoint_waits_on(Context& component) {
  EventTarget& target = component.target_;
  if (target.waits == EventTarget::Waits::none) return;
  if (target.waits == EventTarget::Waits::many) {
    waits.take_all(target);
  } else {
    target.waits = EventTarget::Waits::leaving;
    target.only_wait->behind_ = nullptr;
  }
  while (target.only_wait != nullptr) {
    EventWait& wait = *target.only_wait;
    ProcessState& process = wait.process();
    wait.leave();
    const std::string text =
        fmt::format("{} was removed or crashed while a process of {} waited for a {} in its name",
                    name_of(target.id), name_of(process.owner_id()),
                    detail::payload_type(wait.wanted_.type()).name);
    throw_into(process, std::make_exception_ptr(ComponentGone(text)));
  }
  target.waits = EventTarget::Waits::none;
}

void detail::Core::sweep_cuts() {
  std::vector<EventId> pending;
  calendar.for_each([&](const Event& event) {
    if (cuts.has(event)) pending.push_back(event.id());
  });
  cuts.clear();
  attention &= static_cast<std::uint8_t>(~kCuts);
  // Destructors of payloads may cancel others of them, and cut anew.
  for (const EventId id : pending) {
    Event* event = calendar.find(id);
    if (event == nullptr || event == in_hand) continue;
    if (trace != nullptr) trace->dropped(*event);
    take_back(*event);
  }
}

}  // namespace artel::sim
