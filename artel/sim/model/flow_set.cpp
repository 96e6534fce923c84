#include "artel/sim/model/flow_set.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/max_min.hpp"

namespace artel::sim {

LinkId FlowSet::add_link(double capacity, Sharing sharing) {
  const LinkId link = rates_.add_link(capacity, sharing);
  clocks_.emplace_back();
  ends_.grow_to(clocks_.size());
  return link;
}

void FlowSet::set_capacity(Instant now, LinkId link, double capacity) {
  change(now);
  rates_.set_capacity(link, capacity);
}

FlowId FlowSet::start(Instant now, std::span<const LinkId> path, double volume) {
  ARTEL_REQUIRE(volume >= 0 && std::isfinite(volume), "a volume is finite and not negative",
                volume);
  change(now);
  const FlowId flow = rates_.add_flow(path);
  if (states_.size() <= index(flow)) states_.resize(index(flow) + 1);
  states_[index(flow)] = {.volume = volume};
  return flow;
}

double FlowSet::remove(Instant now, FlowId flow) {
  change(now);
  leave(now, flow);
  rates_.remove_flow(flow);
  return states_[index(flow)].volume;
}

double FlowSet::left(Instant now, FlowId flow) const {
  const FlowState& state = states_[index(flow)];
  if (state.link == MaxMin::kNoLink) return state.volume;
  return clocks_[index(state.link)].clock.left(now, state.activity).value_or(0);
}

double FlowSet::rate(FlowId flow) {
  settle();
  return rates_.rate(flow);
}

Instant FlowSet::next_end() {
  settle();
  return ends_.time();
}

std::optional<FlowId> FlowSet::take_ended(Instant now) {
  if (changed_at_ < now) settle();
  // What ends now has ended at the rates up to now, whatever changes at this very instant.
  if (ends_.time() > now) return std::nullopt;
  const LinkId link{static_cast<std::uint32_t>(ends_.place())};
  Clock& on = clocks_[index(link)];
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): its next end is not after now
  const ActivityId ended = *on.clock.take_ended(now);
  note_next_end(link);
  const FlowId flow = on.flows[detail::VirtualClock::slot(ended)];
  states_[index(flow)] = {};
  change(now);
  rates_.remove_flow(flow);
  return flow;
}

// Notes a change at `now`, after having dealt with those of earlier instants.
void FlowSet::change(Instant now) {
  if (changed_at_ < now) settle();
  changed_ = true;
  changed_at_ = now;
}

void FlowSet::settle() {
  if (!changed_) return;
  changed_ = false;
  rates_.solve();
  for (const FlowId flow : rates_.flows_moved()) leave(changed_at_, flow);
  for (const LinkId link : rates_.links_changed()) {
    const double level = rates_.level(link);
    clocks_[index(link)].clock.set_rate(changed_at_, level == MaxMin::kNoLevel ? 0 : level);
    note_next_end(link);
  }
  for (const FlowId flow : rates_.flows_moved()) enter(flow);
}

// Puts a flow on the clock of its bottleneck.
void FlowSet::enter(FlowId flow) {
  FlowState& state = states_[index(flow)];
  state.link = rates_.bottleneck(flow);
  Clock& on = clocks_[index(state.link)];
  state.activity = on.clock.add(changed_at_, state.volume);
  const std::size_t slot = detail::VirtualClock::slot(state.activity);
  if (on.flows.size() <= slot) on.flows.resize(slot + 1);
  on.flows[slot] = flow;
  note_next_end(state.link);
}

// Takes it off; state.volume is what it has left.
void FlowSet::leave(Instant now, FlowId flow) {
  FlowState& state = states_[index(flow)];
  if (state.link == MaxMin::kNoLink) return;
  state.volume = clocks_[index(state.link)].clock.remove(now, state.activity).value_or(0);
  note_next_end(state.link);
  state.link = MaxMin::kNoLink;
}

void FlowSet::note_next_end(LinkId link) {
  ends_.set(index(link), clocks_[index(link)].clock.next_end());
}

}  // namespace artel::sim
