// How a Simulation runs: the loop that delivers events, and what watches it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/fetch.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/detail/timer_table.hpp"
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

std::uint64_t Simulation::run_until(Instant time) {
  ARTEL_REQUIRE(time >= now(), "time does not go back", to_seconds(time), to_seconds(now()));
  const std::uint64_t delivered = loop(time, kAll);
  if (!core_.stopping) core_.calendar.set_now(nanoseconds(time));
  return delivered;
}

std::uint64_t Simulation::loop(Instant limit, std::uint64_t events) {
  ARTEL_REQUIRE(!running_, "a handler must not run the simulation that runs it");
  if (core_.failure) std::rethrow_exception(std::exchange(core_.failure, nullptr));
  running_ = true;
  core_.stopping = false;
  const bool observed =
      with_fingerprint_ || core_.trace != nullptr ||
      std::any_of(core_.components.begin(), core_.components.end(), [](const Context* component) {
        return component != nullptr && component->target_.log_level >= LogLevel::event;
      });
  const std::uint64_t before = event_count_;
  if (core_.trace != nullptr) core_.trace->go_outside();
  try {
    if (observed) {
      loop_as<true>(nanoseconds(limit), events);
    } else {
      loop_as<false>(nanoseconds(limit), events);
    }
  } catch (...) {
    abandon_event_in_hand();
    throw;
  }
  running_ = false;
  return event_count_ - before;
}

/// The stages of Fetch for the events to come. Inlined by force as it is there.
[[gnu::always_inline]] inline void Simulation::fetch_ahead() const {
  const detail::Fetch& fetch = fetch_;
  const detail::Calendar& calendar = core_.calendar;
  if (const Event* event = calendar.ahead(kPlaceAhead)) fetch.place(*event);
  if (const Event* event = calendar.ahead(kComponentAhead)) fetch.component(*event);
  if (const Event* event = calendar.ahead(kProcessAhead)) fetch.process(*event);
  if (const Event* event = calendar.ahead(kFrameAhead)) fetch.frame(*event);
}

template <bool kObserved>
void Simulation::loop_as(std::uint64_t limit, std::uint64_t events) {
  detail::Calendar& calendar = core_.calendar;
  const bool fetches = core_.components.size() > kComponentsInCache;
  const std::uint64_t end = events > kAll - event_count_ ? kAll : event_count_ + events;
  while (event_count_ < end && !core_.stopping) {
    if (calendar.wants_sweep(core_.timers.stale_count())) [[unlikely]]
      sweep();
    Event* event = calendar.take(limit);
    if (event == nullptr) return;
    if (fetches) fetch_ahead();
    Context* component = core_.components[index(event->dst_)];
    if (calendar.was_cancelled(*event)) [[unlikely]] {
      detail::PayloadAccess::dispose(*event, core_.blocks);
      continue;
    }
    if (is_stale_timer(*event)) [[unlikely]] {
      core_.timers.forget_stale();
      continue;
    }
    calendar.arrive(*event);
    if (component == nullptr) [[unlikely]] {
      if (!payload_if<detail::ProcessWake>(*event)) ++dropped_count_;
      if (kObserved && core_.trace != nullptr) core_.trace->dropped(*event);
      drop(*event);
      continue;
    }
    if constexpr (kObserved) observe(*event, *component);
    ++event_count_;
    const ComponentClass& type = *component->class_;
    const std::uint32_t number = event->type();
    core_.in_hand = event;
    if (component->target_.waits == detail::EventTarget::Waits::none ||
        !core_.give(*component, *event)) {
      if (number >= type.handlers.size() || type.handlers[number] == nullptr) [[unlikely]] {
        refuse(*event, *component);
      }
      if (kObserved && core_.trace != nullptr) core_.trace->handles();
      type.handlers[number](*component, *event);
    }
    if (kObserved && core_.trace != nullptr) core_.trace->handled();
    core_.in_hand = nullptr;
    if (event->boxed()) detail::PayloadAccess::dispose(*event, core_.blocks);
    if (!departed_.empty()) [[unlikely]]
      destroy_departed();
    if (core_.failure) [[unlikely]] {
      std::rethrow_exception(std::exchange(core_.failure, nullptr));
    }
  }
}

bool Simulation::is_stale_timer(const Event& event) const {
  if (core_.timers.stale_count() == 0) return false;
  const auto* timer_id = payload_if<detail::TimerTable::TimerId>(event);
  return timer_id != nullptr && core_.timers.is_stale(*timer_id);
}

void Simulation::sweep() {
  core_.calendar.sweep([this](const Event& event) { return is_stale_timer(event); },
                       [this](Event& event) {
                         if (is_stale_timer(event)) core_.timers.forget_stale();
                         detail::PayloadAccess::dispose(event, core_.blocks);
                       });
}

/// Keeps the books of a handler that threw: the exception goes on to whoever runs the simulation.
void Simulation::abandon_event_in_hand() {
  if (core_.trace != nullptr) core_.trace->handled();
  if (core_.in_hand != nullptr) {
    detail::PayloadAccess::dispose(*std::exchange(core_.in_hand, nullptr), core_.blocks);
  }
  destroy_departed();
  running_ = false;
}

void Simulation::observe(const Event& event, const Context& component) {
  // Not of the model: a coroutine has timers and wake-ups where a callback has none.
  const bool own = event.type() == detail::payload_number<detail::ProcessWake> ||
                   event.type() == detail::payload_number<detail::TimerTable::TimerId>;
  if (with_fingerprint_ && !own) {
    fingerprint_.add(event.time_);
    fingerprint_.add(std::uint64_t{index(event.src_)} << 32U | index(event.dst_));
    detail::payload_type(event.type())
        .add_to(fingerprint_, detail::PayloadAccess::get_untyped(event));
  }
  if (core_.trace != nullptr) core_.trace->arrives(event);
  if (component.target_.log_level < LogLevel::event) return;
  std::string text;
  const detail::PayloadType& type = detail::payload_type(event.type());
  if (type.describe != nullptr) type.describe(text, detail::PayloadAccess::get_untyped(event));
  for (LogSink* sink : core_.sinks) {
    sink->write({.time = event.time(),
                 .level = LogLevel::event,
                 .component = core_.name_of(event.dst_),
                 .text = text,
                 .payload = type.name,
                 .src = core_.name_of(event.src_),
                 .process = {}});
  }
}

void Simulation::refuse(const Event& event, const Context& component) {
  ARTEL_REQUIRE(false, "a component got a payload that it does not list", component.name(),
                component.class_->name, payload_name(event), core_.name_of(event.src_),
                to_seconds(event.time()));
  std::abort();
}

}  // namespace artel::sim
