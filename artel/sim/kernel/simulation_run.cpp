// How a Simulation runs: the loop that delivers events, and what watches it.

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/fetch.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"

namespace artel::sim {
namespace {

std::uint64_t nanoseconds(Instant time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

}  // namespace

std::uint64_t Simulation::run() {
  const std::uint64_t delivered = loop(kNever, kAll, EndsBefore::daemons);
  detail::ProcessState* failed = core_.failed;
  if (failed == nullptr || stopped()) return delivered;
  while (failed->behind != nullptr) failed = failed->behind;  // the first that failed
  const std::exception_ptr failure = detail::failure_of(*failed);
  core_.observe(*failed);
  std::rethrow_exception(failure);
}

std::uint64_t Simulation::run_until(Instant time) {
  ARTEL_REQUIRE(time >= now(), "time does not go back", to_seconds(time), to_seconds(now()));
  const std::uint64_t delivered = loop(time, kAll);
  // The clock never shows the end of time: there is nothing after it.
  if (!stopped() && time != kNever) core_.calendar.set_now(nanoseconds(time));
  return delivered;
}

std::uint64_t Simulation::loop(Instant limit, std::uint64_t events, EndsBefore ends) {
  ARTEL_REQUIRE(!running_ && core_.half_done == 0,
                "a handler or destructor must not run the simulation that runs it");
  rethrow_failure();
  running_ = true;
  ends_before_ = ends;
  destroy_departed();
  core_.attention &= static_cast<std::uint8_t>(~detail::Core::kStop);
  const std::uint64_t before = event_count_;
  if (core_.trace != nullptr) core_.trace->go_outside();
  core_.calendar.set_limit(std::min(nanoseconds(limit), detail::Calendar::kNoLimit));
  try {
    if (!only_daemons()) deliver(events);
  } catch (...) {
    abandon_event_in_hand();
    throw;
  }
  running_ = false;
  return event_count_ - before;
}

void Simulation::deliver(std::uint64_t events) {
  const std::uint64_t end = events > kAll - event_count_ ? kAll : event_count_ + events;
  while (event_count_ < end && (is_looked_at() ? deliver_to<true>(end) : deliver_to<false>(end))) {
  }
}

/// Delivers events up to the one with number `end`, as long as `kLookedAt` is right; false when the
/// call shall end.
template <bool kLookedAt>
bool Simulation::deliver_to(std::uint64_t end) {
  detail::Calendar& calendar = core_.calendar;
  const bool fetches = core_.components.size() > kComponentsInCache;
  while (event_count_ < end) {
    Event* event = calendar.take();
    if (event == nullptr) return false;
    if (fetches) fetch_.turn(calendar.ahead(detail::Fetch::kAhead));
    Context* component = core_.components[index(event->dst_)];
    if (kLookedAt || component == nullptr) [[unlikely]] {
      if (!admit(*event, component)) {
        if (core_.attention != 0 && !go_on()) return false;
        if (is_looked_at() != kLookedAt) return true;
        continue;
      }
    }
    calendar.arrive(*event);
    ++event_count_;
    core_.in_hand = event;
    if (!component->target_.may_await(event->type()) || !core_.give(*component, *event)) {
      handle<kLookedAt>(*event, *component);
    }
    if (kLookedAt && core_.trace != nullptr) core_.trace->handled();
    if (event->boxed()) detail::PayloadAccess::dispose(*event, core_.blocks);
    core_.in_hand = nullptr;
    calendar.give_back(event);
    if (core_.attention == 0 && !kLookedAt) [[likely]]
      continue;
    if (core_.attention != 0 && !go_on()) return false;
    if (is_looked_at() != kLookedAt) return true;
  }
  return true;
}

/// Whether an event just taken is delivered; tells those who watch.
bool Simulation::admit(Event& event, const Context* component) {
  detail::Calendar& calendar = core_.calendar;
  const bool in_background = event.in_background();
  if (in_background) calendar.took_from_background();
  core_.in_hand = &event;  // not to be cancelled by sinks, nor by its payload's destructor
  if (!core_.cuts.has(event)) {
    calendar.arrive(event);
    if (component != nullptr) {
      calendar.create_in_background(in_background);  // the handler's; a process has its own way
      if ((core_.attention & detail::Core::kWatched) != 0) observe(event, *component);
      if (core_.components[index(event.dst_)] == component) return true;
      calendar.create_in_background(false);
    }
    if (!detail::is_own(event.type())) ++dropped_count_;
  }
  if (core_.trace != nullptr) core_.trace->dropped(event);
  core_.drop(event);
  core_.in_hand = nullptr;
  calendar.give_back(&event);
  return false;
}

template <bool kLookedAt>
void Simulation::handle(Event& event, Context& component) {
  const ComponentClass& type = *component.class_;
  const std::uint32_t number = event.type();
  if (number >= type.handlers.size() || type.handlers[number] == nullptr) [[unlikely]]
    return refuse(event, component);
  if (kLookedAt && core_.trace != nullptr) core_.trace->handles();
  type.handlers[number](component, event);
}

/// What there is to do after an event; false when the call shall end.
bool Simulation::go_on() {
  core_.calendar.create_in_background(false);
  if (core_.cuts.due(core_.calendar.created())) core_.sweep_cuts();
  if (!departed_.empty()) destroy_departed();
  rethrow_failure();
  return !stopped() && !only_daemons();
}

/// Whether the call is to end because nothing is pending but what daemons have brought about.
bool Simulation::only_daemons() {
  if (ends_before_ != EndsBefore::daemons || core_.calendar.background_size() == 0) return false;
  if (core_.cuts.any()) core_.sweep_cuts();
  return core_.calendar.background_size() == core_.calendar.size();
}

void Simulation::rethrow_failure() {
  if (!core_.failure) return;
  core_.attention &= static_cast<std::uint8_t>(~detail::Core::kFailure);
  std::rethrow_exception(std::exchange(core_.failure, nullptr));
}

/// Keeps the books of a handler that threw: the exception goes on to whoever runs the simulation.
void Simulation::abandon_event_in_hand() {
  core_.calendar.create_in_background(false);
  if (core_.trace != nullptr) core_.trace->handled();
  if (core_.in_hand != nullptr) {
    Event& event = *core_.in_hand;
    core_.served = core_.running = nullptr;
    core_.served_is_ready = false;
    detail::PayloadAccess::dispose(event, core_.blocks);
    core_.in_hand = nullptr;
    core_.calendar.give_back(&event);
  }
  destroy_departed();
  running_ = false;
}

void Simulation::observe(const Event& event, const Context& component) {
  if (with_fingerprint_ && !detail::is_own(event.type())) {
    fingerprint_.add(event.time_);
    fingerprint_.add(std::uint64_t{index(event.src_)} << 32U | index(event.dst_));
    detail::payload_type(event.type())
        .add_to(fingerprint_, detail::PayloadAccess::get_untyped(event));
  }
  if (core_.trace != nullptr) core_.trace->arrives(event);
  if (component.target_.log_level < LogLevel::event || detail::is_own(event.type())) return;
  std::string text;
  const detail::PayloadType& type = detail::payload_type(event.type());
  if (type.describe != nullptr) type.describe(text, detail::PayloadAccess::get_untyped(event));
  for (std::size_t i = 0; i < core_.sinks.size(); ++i) {  // a sink may add others, or components
    core_.sinks[i]->write({.time = event.time(),
                           .level = LogLevel::event,
                           .component = core_.name_of(event.dst_),
                           .text = text,
                           .payload = type.name,
                           .src = core_.name_of(event.src_),
                           .process = {}});
  }
}

void Simulation::refuse(const Event& event, Context& component) {
  ++unhandled_count_;
  const std::string text = fmt::format("nobody handles or awaits a {} from {}", payload_name(event),
                                       core_.name_of(event.src_));
  component.log(LogLevel::warning, "{}", text);
  if (!strict_) return;
  throw UnhandledEvent(fmt::format("at {:.9f} s, {} ({}): {}", to_seconds(event.time()),
                                   component.name(), component.class_->name, text));
}

}  // namespace artel::sim
