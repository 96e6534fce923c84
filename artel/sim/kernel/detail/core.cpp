#include "artel/sim/kernel/detail/core.hpp"

#include <fmt/core.h>

#include <bit>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/block_pool.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/detail/process_watch.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_timer.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
void detail::Wait::child_finished(detail::Wait&) {
  ARTEL_REQUIRE(false, "a wait without parts was told that one has finished");
}

void detail::Wait::timer_fired() {
  ARTEL_REQUIRE(false, "a wait without timer was told that it fired");
}

void detail::Wait::finish() {
  if (is_whole()) {
    detail::ProcessState& waiter = process();
    waiter.core().wake(waiter);
  } else {
    reinterpret_cast<Wait*>(link_)->child_finished(*this);
  }
}

namespace detail {

// A task that awaits another does not resume it, nor does one that ends resume its parent: each
// only names who is next, and Core::resume goes from one to the other. So no chain uses any stack.
void enter_task(detail::TaskLink& link, detail::PromiseBase& child) {
  child.process = link.parent->process;
  child.link = &link;
  child.process->leaf = &child;
  child.process->core().next_task = child.self();
}

void leave_task(detail::PromiseBase& promise) {
  detail::ProcessState& process = *promise.process;
  if (promise.link == nullptr) {
    process.ended = true;
  } else {
    process.leaf = promise.link->parent;
    process.core().next_task = process.leaf->self();
  }
}

detail::BlockPool* pool_of(const Context& context) { return &context.core_->blocks; }

void describe_process(std::string& text, const detail::ProcessState& state) {
  text += fmt::format("process that {} spawned at {}", state.core().name_of(state.owner_id()),
                      place_of(state.spawned_at));
}

Instant now_of(const detail::ProcessState& process) { return process.core().now(); }

std::string place_of(std::source_location where) {
  std::string_view file = where.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  return fmt::format("{}:{}", file, where.line());
}

std::uint64_t draw_tie(detail::ProcessState& process, std::uint64_t count) {
  detail::Core& core = process.core();
  const auto owner = static_cast<std::uint32_t>(process.owner_id());
  auto& stream = core.details[owner].ties;
  if (!stream) stream = std::make_unique<random::Stream>(core.seed, "select", owner);
  return stream->below(count);
}

void handle_wake(Context&, Event& event) {
  detail::ProcessState& process = *detail::PayloadAccess::get<detail::ProcessWake>(event).process;
  process.core().handle_wake(process);
}

void handle_timer(Context& context, Event& event) {
  context.core_->fire(*detail::PayloadAccess::get<detail::TimerEnd>(event).wait);
}

}  // namespace detail

// --- Timers.

void detail::WaitTimer::start(detail::Wait& wait, const detail::ProcessState& process,
                              Duration after) {
  detail::Core& core = process.core();
  const Instant end = later(core.now(), after);
  if (end == kNever) return;
  event_ = &core.post_own(process.owner().id(), detail::TimerEnd{&wait},
                          static_cast<std::uint64_t>(end.time_since_epoch().count()));
}

void detail::WaitTimer::start_last(detail::Wait& wait, const detail::ProcessState& process) {
  detail::Core& core = process.core();
  event_ = &core.make_own(process.owner().id(), detail::TimerEnd{&wait});
  core.calendar.push_last(*event_, detail::PayloadAccess::low_bits<detail::TimerEnd>());
}

void detail::WaitTimer::cancel() {
  const auto& timer = detail::PayloadAccess::get<detail::TimerEnd>(*event_);
  const detail::ProcessState& process = WaitAccess::process_of_any(*timer.wait);
  process.core().calendar.cancel(*std::exchange(event_, nullptr));
}

void SleepWait::describe(std::string& text) const {
  text += "a sleep of " + format_duration(duration_);
}

void detail::DirectWait::sleep(Duration duration) {
  wanted_.target = nullptr;
  wanted_.what = static_cast<std::uint64_t>(duration.count());
  WaitTimer timer;
  timer.start(*this, process(), duration);
  wanted_.key = std::bit_cast<std::uint64_t>(timer);
}

void detail::DirectWait::withdraw() {
  if (!is_sleep()) return leave();
  timer().stop();
  wanted_.key = 0;
}

void detail::DirectWait::describe(std::string& text) const {
  if (!is_sleep()) return EventWait::describe(text);
  SleepWait(Duration{static_cast<Duration::rep>(wanted_.what)}).describe(text);
}

// --- Waits for events.

void detail::EventWait::enter_table() {
  detail::EventTarget& target = *wanted_.target;
  detail::WaitTable& table = process().core().waits;
  if (target.waits == detail::EventTarget::Waits::one) {
    target.waits = detail::EventTarget::Waits::many;
    table.insert(*target.only_wait);
    target.waits_in_table = 1;
  }
  table.insert(*this);
  ++target.waits_in_table;
}

void detail::EventWait::leave_table() {
  detail::EventTarget& target = *wanted_.target;
  if (target.waits == detail::EventTarget::Waits::leaving) {
    return detail::WaitTable::take_from(target, *this);
  }
  process().core().waits.remove(*this);
  if (--target.waits_in_table == 0) target.waits = detail::EventTarget::Waits::none;
}

void detail::EventWait::describe(std::string& text) const {
  text += detail::payload_type(wanted_.type()).name;
  if (wanted_.has(detail::EventPattern::kWithSrc)) {
    text.append(" from ").append(process().core().name_of(wanted_.src()));
  }
  if (wanted_.has(detail::EventPattern::kWithKey))
    text += " with key " + std::to_string(wanted_.key);
}

/// Asks its predicate, if it has one; nullopt when the wait is gone after that.
std::optional<bool> detail::EventWait::ask(const Event& event) {
  if (!wanted_.has(detail::EventPattern::kPredicate)) return true;
  bool wanted = false;
  const bool is_there = call_for(process(), [&] { wanted = wants(event); });
  if (!is_there || before_ == nullptr) return std::nullopt;
  return wanted;
}

/// The wait that gets the event, no longer among those of its component; nullptr if there is none.
/// Requires: target.may_await(the event's type).
inline detail::EventWait* detail::Core::take_wait(EventTarget& target, const Event& event) {
  detail::EventWait* wait = target.only_wait;
  if (target.waits == EventTarget::Waits::many) {
    wait = waits.take(target, event);
    if (wait == nullptr) return nullptr;
    if (--target.waits_in_table == 0) target.waits = EventTarget::Waits::none;
  } else {
    const detail::EventPattern& wanted = wait->wanted_;
    if (wanted.has(detail::EventPattern::kWithSrc) && wanted.src() != event.src_) return nullptr;
    if (wanted.has(detail::EventPattern::kWithKey)) {
      const std::uint64_t key = PayloadAccess::key(event);  // may have taken the wait away
      const bool is_there = target.waits == EventTarget::Waits::one && target.only_wait == wait;
      if (!is_there || wanted.key != key) return nullptr;
    }
    if (wanted.has(detail::EventPattern::kPredicate) && !wait->ask(event).value_or(false)) {
      return nullptr;
    }
    target.waits = EventTarget::Waits::none;
  }
  wait->before_ = nullptr;
  return wait;
}

// Two ways: a process that waits for this event and nothing else runs on at once. A part of
// something larger (any_of, a timeout) tells its parents first, and they decide; `served` is noted,
// so that their wake-up is not sent as an event but answered right here.
bool detail::Core::give(Context& component, Event& event) {
  detail::EventWait* wait = take_wait(component.target_, event);
  if (wait == nullptr) return components[index(event.dst_)] != &component;  // it has left meanwhile
  detail::ProcessState& process = wait->process();
  if (wait->is_whole()) [[likely]] {
    resume(process);
    return true;
  }
  serve(process, [wait] { wait->finish(); });
  return true;
}

void detail::Core::fire(detail::Wait& wait) {
  ++own_events;
  if (wait.is_record()) [[likely]] {
    auto& sleeper = static_cast<detail::ProcessState&>(wait);
    sleeper.sleep_is_over();
    return resume(sleeper);
  }
  serve(wait.process(), [&wait] { wait.timer_fired(); });
}

/// Tells a process' waits of the event or timer in hand, and lets it run on if that is what it was
/// waiting for.
template <class Tell>
inline void detail::Core::serve(detail::ProcessState& process, const Tell& tell) {
  const RecordReference kept(
      process);  // the waits that lose may cancel tasks, whose destructors may end it
  served = &process;
  tell();
  served = nullptr;
  if (std::exchange(served_is_ready, false)) {
    resume(process);
  } else if (process.interrupted) [[unlikely]] {
    interrupt_if_waiting(process);
  }
}

// --- Processes.

void detail::Core::adopt(detail::ProcessState& state, detail::PromiseBase& root) {
  root.process = &state;
  state.leaf = &root;
  state.enter_list(details[index(state.owner_id())].processes);
  state.daemon = calendar.creates_in_background();
  if (watch) [[unlikely]]
    watch->spawned(state);
  wake(state);
}

void detail::Core::wake(detail::ProcessState& state) {
  if (&state == served) {
    served_is_ready = true;
    return;
  }
  if (state.wake_pending || state.status != ProcessStatus::running) return;
  state.wake_pending = true;
  ++state.references;  // the event's: the process may end before it comes
  if ((attention & kDaemons) == 0) [[likely]] {
    post_own(state.owner().id(), detail::ProcessWake{&state}, calendar.now());
    return;
  }
  // Whoever wakes it: what it does now is its own.
  const bool before = calendar.create_in_background(state.daemon);
  post_own(state.owner().id(), detail::ProcessWake{&state}, calendar.now());
  calendar.create_in_background(before);
}

void detail::Core::handle_wake(detail::ProcessState& state) {
  ++own_events;
  state.wake_pending = false;
  if (state.keeps_event) [[unlikely]] {
    resume_with_kept_event(state);
  } else if (state.status == ProcessStatus::running) {
    resume(state);
  }
  release(state);
}

inline void detail::Core::resume(detail::ProcessState& state) {
  if (state.suspended) [[unlikely]]
    return hold_back(state);
  running = &state;
  if ((attention & (kWatch | kDaemons)) != 0) [[unlikely]]
    before_resuming(state);
  state.waits_for = ProcessState::WaitsFor::nothing;
  std::coroutine_handle<> task = state.leaf->self();
  do {
    next_task = {};
    task.resume();
    task = next_task;
  } while (task);
  if (watch) [[unlikely]]
    watch->ran(state);
  running = nullptr;
  const bool has_to_wait = state.waits_for != ProcessState::WaitsFor::nothing;
  if (!has_to_wait || state.cancel_requested || state.interrupted) [[unlikely]]
    settle(state);
}

void detail::Core::before_resuming(const detail::ProcessState& state) {
  calendar.create_in_background(state.daemon);
  if (watch) watch->resumes(state);
}

/// A suspended process has got what it waits for. What of it is only borrowed from the event in
/// hand is kept: by the wait or, for the process's own DirectWait, in an event beside the calendar.
void detail::Core::hold_back(detail::ProcessState& state) {
  if (state.due) return;
  state.due = true;
  if (state.waits_for == ProcessState::WaitsFor::nothing || state.thrown_into) return;
  if (state.waits_for == ProcessState::WaitsFor::other) return void(state.wait()->keep());
  if (state.is_sleep()) return;
  Event& kept = *calendar.make();
  detail::PayloadAccess::move(*in_hand, kept);
  state.keeps_event = true;
  kept_events_.emplace(&state, &kept);
}

bool detail::Core::suspend(detail::ProcessState& state) const {
  if (state.status != ProcessStatus::running || state.suspended) return false;
  return state.suspended = true;
}

bool detail::Core::resume_suspended(detail::ProcessState& state) {
  if (!state.suspended) return false;
  state.suspended = false;
  const bool was_due = state.due;
  state.due = false;
  if (was_due) wake(state);
  return true;
}

void detail::Core::resume_with_kept_event(detail::ProcessState& state) {
  const auto kept = kept_events_.extract(&state);
  state.keeps_event = false;
  Event* const wake_up = std::exchange(in_hand, kept.mapped());
  resume(state);
  detail::PayloadAccess::dispose(*in_hand, blocks);
  calendar.give_back(std::exchange(in_hand, wake_up));
}

void detail::Core::drop_kept_event(detail::ProcessState& state) {
  state.keeps_event = false;
  Event* kept = kept_events_.extract(&state).mapped();
  drop(*kept);
  calendar.give_back(kept);
}

/// A process has come to its end while it ran, or was cancelled or interrupted.
void detail::Core::settle(detail::ProcessState& state) {
  if (state.ended) {
    if (state.interrupted) {  // too late
      state.interrupted = false;
      exceptions.forget(state);
    }
    std::exception_ptr reason = std::exchange(thrown, nullptr);
    try {
      if (!reason) state.take_result(*state.leaf);
    } catch (...) {
      reason = std::current_exception();  // of the move of its result
    }
    if (!reason) return end(state, ProcessStatus::done);
    exceptions.add(state, std::move(reason));
    return end(state, ProcessStatus::failed);
  }
  if (state.interrupted && !state.cancel_requested) return interrupt_if_waiting(state);
  ARTEL_REQUIRE(state.cancel_requested,
                "a coroutine stopped without waiting for anything: g++ 12 miscompiles co_await in "
                "the condition of a loop, take it out of there",
                name_of(state.owner_id()), detail::place_of(state.spawned_at));
  kill(state);
}

}  // namespace artel::sim
