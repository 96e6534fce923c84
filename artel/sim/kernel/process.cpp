#include "artel/sim/kernel/process.hpp"

#include <fmt/core.h>

#include <coroutine>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
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
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/detail/process_watch.hpp"
#include "artel/sim/kernel/detail/timer_table.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
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
  if (parent_ != nullptr) {
    parent_->child_finished(*this);
  } else {
    process_->core->wake(*process_);
  }
}

namespace detail {

// A task that awaits another does not resume it, nor does one that ends resume its parent: each
// only names who is next, and Core::resume goes from one to the other. So no chain uses any stack.
void enter_task(detail::PromiseBase& parent, detail::PromiseBase& child) {
  child.process = parent.process;
  child.parent = &parent;
  child.process->leaf = &child;
  child.process->core->next_task = child.self;
}

void leave_task(detail::PromiseBase& promise) {
  detail::ProcessState& process = *promise.process;
  process.leaf = promise.parent;
  if (promise.parent == nullptr) {
    process.ended = true;
  } else {
    process.core->next_task = promise.parent->self;
  }
}

detail::BlockPool* pool_of(const Context& context) { return &context.core_->blocks; }

void release(detail::ProcessState& state) { state.core->release(state); }
bool cancel(detail::ProcessState& state) { return state.core->cancel(state); }

void describe_process(std::string& text, const detail::ProcessState& state) {
  fmt::format_to(std::back_inserter(text), "process that {} spawned at {}",
                 state.core->name_of(state.owner_id), place_of(state.spawned_at));
}

std::string place_of(std::string_view file, std::uint_least32_t line) {
  file.remove_prefix(file.rfind('/') + 1);
  return fmt::format("{}:{}", file, line);
}
std::string place_of(std::source_location where) {
  return place_of(where.file_name(), where.line());
}

std::uint64_t draw_tie(detail::ProcessState& process, std::uint64_t count) {
  detail::Core& core = *process.core;
  auto& stream = core.details[index(process.owner_id)].ties;
  if (!stream) {
    stream = std::make_unique<random::Stream>(core.seed, "select", index(process.owner_id));
  }
  return stream->below(count);
}

// A process that is withdrawing its waits must not be destroyed by what that brings about, since
// the waits lie in its frames; a cancel that came meanwhile is made up for here.
void end_hold(detail::ProcessState& state) {
  state.held = false;
  const bool waits = state.status == ProcessStatus::running && &state != state.core->running;
  if (state.cancel_requested && waits) state.core->kill(state);
}

void handle_wake(Context&, Event& event) {
  detail::ProcessState& process = *detail::PayloadAccess::get<detail::ProcessWake>(event).process;
  process.core->handle_wake(process);
}

void handle_timer(Context& context, Event& event) {
  context.core_->fire(detail::PayloadAccess::get<detail::TimerTable::TimerId>(event));
}

}  // namespace detail

// --- Timers.

void detail::WaitTimer::start(detail::Wait& wait, detail::ProcessState& process, Duration after) {
  if (after == kForever) return;
  detail::Core& core = *process.core;
  process_ = &process;
  const detail::TimerTable::TimerId timer_id = core.timers.start(wait);
  slot_ = timer_id.slot;
  process.owner->emit_self(timer_id, after);
}

void detail::WaitTimer::stop() {
  if (slot_ == detail::TimerTable::kNone) return;
  process_->core->timers.stop(std::exchange(slot_, detail::TimerTable::kNone), true);
}

// The second time comes as an event emitted now: after everything that was due at this moment.
bool detail::WaitTimer::fired_last(detail::Wait& wait) {
  fired();
  if (repeated_) return true;
  repeated_ = true;
  start(wait, *process_, Duration::zero());
  return false;
}

void detail::WaitTimer::fired() {
  process_->core->timers.stop(std::exchange(slot_, detail::TimerTable::kNone), false);
}

void Sleep::describe(std::string& text) const {
  text += "a sleep of " + format_duration(duration_);
}

// --- Waits for events.

void detail::EventWait::enter_table() {
  detail::EventTarget& target = *wanted_.target;
  detail::WaitTable& table = process().core->waits;
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
  process().core->waits.remove(*this);
  if (--target.waits_in_table == 0) target.waits = detail::EventTarget::Waits::none;
}

void detail::EventWait::describe(std::string& text) const {
  text += detail::payload_type(wanted_.type()).name;
  if (wanted_.has(detail::EventPattern::kWithSrc)) {
    text.append(" from ").append(process().core->name_of(wanted_.src()));
  }
  if (wanted_.has(detail::EventPattern::kWithKey))
    text += " with key " + std::to_string(wanted_.key);
}

/// The wait that gets the event, no longer among those of its component; nullptr if there is none.
inline detail::EventWait* detail::Core::take_wait(EventTarget& target, const Event& event) {
  detail::EventWait* wait = target.only_wait;
  if (target.waits == EventTarget::Waits::many) {
    wait = waits.take(target, event);
    if (wait == nullptr) return nullptr;
    if (--target.waits_in_table == 0) target.waits = EventTarget::Waits::none;
  } else {
    const detail::EventPattern& wanted = wait->wanted_;
    if (target.wait_type != event.type()) return nullptr;
    if (wanted.has(detail::EventPattern::kWithSrc) && wanted.src() != event.src_) return nullptr;
    if (wanted.has(detail::EventPattern::kWithKey) &&
        wanted.key !=
            detail::payload_type(event.type()).key(detail::PayloadAccess::get_untyped(event))) {
      return nullptr;
    }
    if (wanted.has(detail::EventPattern::kPredicate) && !wait->wants(event)) return nullptr;
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
  if (wait == nullptr) return false;
  detail::ProcessState& process = *wait->process_;
  if (wait->parent_ == nullptr) [[likely]] {
    resume(process);
    return true;
  }
  served = &process;
  wait->finish();
  resume_served(process);
  return true;
}

void detail::Core::fire(detail::TimerTable::TimerId timer_id) {
  ++own_events;
  detail::Wait& wait = timers.wait(timer_id);
  detail::ProcessState& process = wait.process();
  served = &process;
  wait.timer_fired();
  resume_served(process);
}

/// After what a process was served with: lets it run on if that is what it was waiting for.
inline void detail::Core::resume_served(detail::ProcessState& process) {
  served = nullptr;
  if (std::exchange(served_is_ready, false)) resume(process);
}

// --- Processes.

void detail::Core::adopt(detail::ProcessState& state, detail::PromiseBase& root) {
  root.process = &state;
  root.owner = nullptr;
  state.root = state.leaf = &root;
  detail::ProcessState*& first = details[index(state.owner_id)].processes;
  state.behind = first;
  if (first != nullptr) first->before = &state;
  first = &state;
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
  state.owner->emit_self(detail::ProcessWake{&state});
}

void detail::Core::handle_wake(detail::ProcessState& state) {
  ++own_events;
  state.wake_pending = false;
  if (state.status == ProcessStatus::running) resume(state);
  release(state);
}

inline void detail::Core::resume(detail::ProcessState& state) {
  if (watch) [[unlikely]]
    watch->resumes(state);
  running = &state;
  state.wait = nullptr;
  std::coroutine_handle<> task = state.leaf->self;
  do {
    next_task = {};
    task.resume();
    task = next_task;
  } while (task);
  running = nullptr;
  if (watch) [[unlikely]]
    watch->ran(state);
  if (state.wait == nullptr || state.cancel_requested) [[unlikely]]
    settle(state);
}

/// A process has come to its end while it ran, or was cancelled.
void detail::Core::settle(detail::ProcessState& state) {
  if (state.ended) {
    state.type->take_result(state, *state.root);
    end(state, state.exception ? ProcessStatus::failed : ProcessStatus::done);
    return;
  }
  ARTEL_REQUIRE(state.cancel_requested,
                "a coroutine stopped without waiting for anything: g++ 12 miscompiles co_await in "
                "the condition of a loop, take it out of there",
                name_of(state.owner_id), detail::place_of(state.spawned_at));
  kill(state);
}

/// Takes a process that is no longer running off the books; its root frame is destroyed.
void detail::Core::end(detail::ProcessState& state, ProcessStatus status) {
  state.status = status;
  if (watch) [[unlikely]]
    watch->ended(state);
  // Before its joiners run on, so that they find nothing of it in use.
  if (detail::PromiseBase* root = std::exchange(state.root, nullptr)) root->self.destroy();
  (state.before == nullptr ? details[index(state.owner_id)].processes : state.before->behind) =
      state.behind;
  if (state.behind != nullptr) state.behind->before = state.before;
  while (detail::QueuedWait* joiner = state.joiners.front()) {
    state.joiners.remove(*joiner);
    joiner->complete();
  }
  release(state);
}

bool detail::Core::cancel(detail::ProcessState& state) {
  if (state.status != ProcessStatus::running || state.cancel_requested) return false;
  state.cancel_requested = true;
  if (&state != running && !state.held) kill(state);
  return true;
}

/// Destroys the frames of a process from the innermost task outwards, so that a chain of any
/// length uses no stack. Destructors may cancel others, and remove components: those are destroyed
/// when no process is being killed any more.
void detail::Core::kill(detail::ProcessState& state) {
  ++kills;
  state.event_wait.leave();
  state.status = ProcessStatus::cancelled;
  state.wait = nullptr;
  if (&state == served) served_is_ready = false;
  detail::PromiseBase* promise = std::exchange(state.leaf, nullptr);
  state.root = nullptr;
  while (promise != nullptr) {
    detail::PromiseBase* parent = promise->parent;
    if (promise->owner != nullptr) *promise->owner = {};  // the Task that holds it forgets it
    promise->self.destroy();
    promise = parent;
  }
  end(state, ProcessStatus::cancelled);
  --kills;
}

void detail::Core::cancel_all_of(const Context& owner) {
  const auto next = [&] {  // from the start, as destructors may cancel and spawn others
    detail::ProcessState* state = details[index(owner.id())].processes;
    while (state != nullptr && (state->owner != &owner || state->cancel_requested ||
                                state->status != ProcessStatus::running)) {
      state = state->behind;
    }
    return state;
  };
  while (detail::ProcessState* state = next()) cancel(*state);
}

void detail::Core::release(detail::ProcessState& state) {
  if (--state.references != 0) return;
  if (state.status == ProcessStatus::failed && !state.observed && !failure) {
    std::string text = "a ";
    detail::describe_process(text, state);
    const Instant now{Duration{static_cast<Duration::rep>(calendar.now())}};
    text += fmt::format(" failed at {:.9f} s and nobody joins it", to_seconds(now));
    // Thrown once more so that its own exception can be nested in the failure.
    try {
      std::rethrow_exception(state.exception);
    } catch (const std::exception& error) {
      text.append(": ").append(error.what());
      try {
        std::throw_with_nested(ProcessFailure(text));
      } catch (...) {
        failure = std::current_exception();
      }
    } catch (...) {
      failure = std::current_exception();
    }
  }
  state.type->dispose(state);
}

}  // namespace artel::sim
