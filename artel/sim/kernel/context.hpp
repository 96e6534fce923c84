#pragma once

#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/event_store.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim::detail {
class Fetch;
struct Core;
}  // namespace artel::sim::detail

namespace artel::sim {

struct ComponentClass;

namespace detail {
void handle_timer(Context& context, Event& event);
}  // namespace detail

/// What a component may do: emit events, cancel them, know the time, draw random numbers, log.
///
/// Every Component is one; Simulation::add_context makes one without a handler. Not copyable: pass
/// it by reference. A negative delay and an unknown destination break the contract; what would
/// happen after the end of time, 292 years, never happens.
/// Cost: emit is O(1) amortised, without allocations after the peak. Threads: its simulation's.
class Context {
 public:
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Its number. name(): that of the component. now(): the present.
  [[nodiscard]] ComponentId id() const { return target_.id; }
  [[nodiscard]] std::string_view name() const { return core_->name_of(target_.id); }
  [[nodiscard]] Instant now() const { return core_->now(); }

  /// A stream of random numbers of this component's own, named after it.
  [[nodiscard]] random::Stream& random();

  /// Sends `payload` to `dst`, to be delivered after `delay`. Events of equal times are delivered
  /// in the order in which they were emitted.
  template <class T>
  EventId emit(T&& payload, ComponentId dst, Duration delay) {
    return emit_as(target_.id, std::forward<T>(payload), dst, delay);
  }

  /// To be delivered at the present time, after everything that is due now already.
  template <class T>
  EventId emit_now(T&& payload, ComponentId dst) {
    return emit_as(target_.id, std::forward<T>(payload), dst, Duration::zero());
  }

  /// To this component itself.
  template <class T>
  EventId emit_self(T&& payload, Duration delay = Duration::zero()) {
    return emit_as(target_.id, std::forward<T>(payload), target_.id, delay);
  }

  /// To this component itself, at the end of the present moment: after everything else that happens
  /// at it, also what is emitted for it from now on. For what must not come before its equals in
  /// time: a time-out, an arrival.
  template <class T>
  EventId emit_self_last(T&& payload) {
    detail::Core& core = *core_;  // a copy of the payload may remove this component
    Event* event = make_event(core, target_.id, std::forward<T>(payload), target_.id);
    core.calendar.push_last(*event, detail::PayloadAccess::low_bits<std::remove_cvref_t<T>>());
    return detail::EventStore::id_of(*event);
  }
  /// Whether something is still due at the present time.
  [[nodiscard]] bool more_due_now() const { return core_->calendar.more_now(); }

  /// In the name of another component.
  template <class T>
  EventId emit_as(ComponentId src, T&& payload, ComponentId dst, Duration delay) {
    const std::uint64_t time = checked_time(dst, delay);
    detail::Core& core = *core_;  // a copy of the payload may remove this component
    Event* event = make_event(core, src, std::forward<T>(payload), dst);
    core.calendar.push(*event, time, detail::PayloadAccess::low_bits<std::remove_cvref_t<T>>());
    return detail::EventStore::id_of(*event);
  }

  // Coroutines: everything below is for `co_await`, except spawn.

  /// Starts a coroutine as a process of this component, at the present time, after everything that
  /// is due now. It is cancelled when the component is removed. Not for destructors of components.
  template <class T>
  Process<T> spawn(Task<T> task, std::source_location where = std::source_location::current());

  /// Goes on that much later. Requires: duration >= 0.
  [[nodiscard]] Sleep sleep(Duration duration) const {
    if (duration.count() < 0) [[unlikely]]
      refuse_delay(duration);
    return Sleep(duration);
  }
  /// The same for other units: a Duration made by the caller would lie in the coroutine's frame.
  template <class Rep, class Period>
    requires(std::is_convertible_v<std::chrono::duration<Rep, Period>, Duration>)
  [[nodiscard]] Sleep sleep(std::chrono::duration<Rep, Period> duration) const {
    return sleep(Duration(duration));
  }
  /// Requires: now() <= time.
  [[nodiscard]] Sleep sleep_until(Instant time) const { return sleep(time - now()); }
  /// Lets everything pass that is due now already.
  [[nodiscard]] Sleep yield() const { return Sleep(Duration::zero()); }
  /// Waits for the next event with a T for this component; see Next.
  template <class T>
  [[nodiscard]] Next<T> next() {
    return Next<T>(target_);
  }

  /// Takes back an event and destroys its payload; false when it was delivered or cancelled before,
  /// or is of another simulation. O(1) amortised.
  bool cancel(EventId id) { return core_->cancel_event(id); }

  /// Writes a line to the log if this component's level allows it:
  /// `log(LogLevel::info, "{} waiting", n)`. Costs one comparison when off.
  template <class... Args>
  void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    if (level > target_.log_level) [[likely]]
      return;
    core_->write_log(level, target_.id, fmt::format(format, std::forward<Args>(args)...));
  }
  /// How much it tells: what log() is asked to say beyond it, it does not.
  [[nodiscard]] LogLevel log_level() const { return target_.log_level; }

 protected:
  Context();  // takes core, id and class from the Simulation::add that is making it
  ~Context() = default;

 private:
  friend class Simulation;
  friend struct detail::Core;
  friend class detail::Fetch;
  friend detail::BlockPool* detail::pool_of(const Context& context);
  friend void detail::handle_timer(Context& context, Event& event);

  template <class T>
  static Event* make_event(detail::Core& core, ComponentId src, T&& payload, ComponentId dst) {
    using Kind = std::remove_cvref_t<T>;
    detail::Calendar& calendar = core.calendar;
    Event* event = calendar.make();
    event->src_ = src;
    event->dst_ = dst;
    if constexpr (std::is_nothrow_constructible_v<Kind, T>) {
      detail::PayloadAccess::put<Kind>(*event, std::forward<T>(payload), core.blocks);
    } else {
      try {
        detail::PayloadAccess::put<Kind>(*event, std::forward<T>(payload), core.blocks);
      } catch (...) {
        calendar.give_back(event);
        throw;
      }
    }
    return event;
  }

  [[nodiscard]] std::uint64_t checked_time(ComponentId dst, Duration delay) const {
    const std::uint64_t now = core_->calendar.now();
    const std::uint64_t time = now + static_cast<std::uint64_t>(delay.count());
    if (index(dst) >= core_->components.size()) [[unlikely]]
      refuse_destination(dst);
    // One comparison for both: a negative delay or an overflow ends below now or beyond the sign.
    if (static_cast<std::int64_t>(time) < static_cast<std::int64_t>(now)) [[unlikely]]
      return end_of_time(delay);
    return time;
  }

  [[gnu::cold]] std::uint64_t end_of_time(Duration delay) const;  // refuses negative delays
  [[noreturn, gnu::cold]] void refuse_delay(Duration delay) const;
  [[noreturn, gnu::cold]] void refuse_destination(ComponentId dst) const;
  [[noreturn, gnu::cold]] void refuse_spawn() const;

  detail::Core* core_;
  const ComponentClass* class_;  // nullptr while its destructor runs
  detail::EventTarget target_;
};

inline ComponentId detail::ProcessState::owner_id() const {
  if ((owner_ & kIsId) != 0) return ComponentId{static_cast<std::uint32_t>(owner_ >> 1U)};
  return owner().id();
}

template <class T>
Process<T> Context::spawn(Task<T> task, std::source_location where) {
  if (class_ == nullptr) [[unlikely]]
    refuse_spawn();
  if (!task.handle_) [[unlikely]]
    detail::refuse_empty_task();
  void* memory = core_->blocks.take(sizeof(detail::TypedProcessState<T>));
  auto* state = ::new (memory) detail::TypedProcessState<T>(*core_, *this, where);
  Process<T> process(*state);
  core_->adopt(*state, task.promise_of(std::exchange(task.handle_, {})));
  return process;
}

}  // namespace artel::sim
