// How processes end: by themselves, cancelled, interrupted; who learns of their failures.

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/process_watch.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"

namespace artel::sim {
namespace detail {

void release(detail::ProcessState& state) { state.core().release(state); }
void observe(detail::ProcessState& state) { state.core().observe(state); }

void refuse_empty_handle() {
  ARTEL_REQUIRE(false, "a handle of no process can only be assigned to");
  std::abort();
}

void refuse_empty_task() {
  ARTEL_REQUIRE(false, "a task is spawned or awaited once, and not after it was moved from");
  std::abort();
}
void make_daemon(detail::ProcessState& state) {
  ARTEL_REQUIRE(state.wait() == nullptr && state.status == ProcessStatus::running,
                "a process becomes a daemon before it waits for anything");
  state.daemon = true;
  detail::Core& core = state.core();
  core.attention |= detail::Core::kDaemons;
  if (&state == core.running) core.calendar.create_in_background(true);
}
bool cancel(detail::ProcessState& state) { return state.core().cancel(state); }
bool suspend(detail::ProcessState& state) { return state.core().suspend(state); }
bool resume(detail::ProcessState& state) { return state.core().resume_suspended(state); }
bool throw_into(detail::ProcessState& state, std::exception_ptr exception) {
  return state.core().throw_into(state, std::move(exception));
}
void throw_later(detail::ProcessState& state, std::exception_ptr exception) {
  state.core().throw_later(state, std::move(exception));
}
void throw_into(detail::ProcessState& process) {
  std::rethrow_exception(process.core().exceptions.take(process));
}
void rethrow_failure_of(const detail::ProcessState& state) {
  std::rethrow_exception(state.core().exceptions.first_of(state));
}

// A cancel or an interrupt that came while the process was held is made up for here.
void end_hold(detail::ProcessState& state) {
  const bool waits = state.status == ProcessStatus::running && &state != state.core().running;
  if (!waits) return;
  if (state.cancel_requested) {
    if (!state.dying) state.core().kill(state);
  } else {
    state.core().interrupt_if_waiting(state);
  }
}

}  // namespace detail

/// Takes a process that is no longer running off the books; its root frame is destroyed.
void detail::Core::end(detail::ProcessState& state, ProcessStatus status) {
  state.status = status;
  if (watch) [[unlikely]]
    watch->ended(state);
  // Before its joiners run on, so that they find nothing of it in use.
  if (detail::PromiseBase* root = std::exchange(state.leaf, nullptr)) root->self().destroy();
  state.leave_list(details[index(state.owner_id())].processes);
  state.keep_only_id_of_owner();
  if (state.interrupted || state.thrown_into) exceptions.forget(state);
  if (status == ProcessStatus::failed && !state.observed) {
    state.since = now();
    state.enter_list(failed);
  }
  while (detail::QueuedWait* joiner = state.joiners.front()) {
    state.joiners.remove(*joiner);
    joiner->complete();
  }
  release(state);
}

bool detail::Core::cancel(detail::ProcessState& state) {
  if (!state.can_be_cancelled()) return false;
  state.cancel_requested = true;
  if (&state != running && !state.held) kill(state);
  return true;
}

bool detail::Core::throw_into(detail::ProcessState& state, std::exception_ptr exception) {
  const bool is_on_its_way = state.interrupted || state.thrown_into;
  if (!state.can_be_cancelled() || is_on_its_way) return false;
  exceptions.add(state, std::move(exception));
  state.interrupted = true;
  if (!state.held && &state != served) interrupt_if_waiting(state);
  return true;
}

/// The same, and if an exception is on its way already, this one comes after it.
void detail::Core::throw_later(detail::ProcessState& state, std::exception_ptr exception) {
  if (throw_into(state, exception)) return;
  if (!state.can_be_cancelled()) return;
  exceptions.add(state, std::move(exception));
}

/// Withdraws what an interrupted process waits for and lets it run on; later, if it has got that.
void detail::Core::interrupt_if_waiting(detail::ProcessState& state) {
  const bool has_to_wait = state.status == ProcessStatus::running && &state != running &&
                           state.wait() != nullptr && !state.wake_pending && !state.due;
  if (!has_to_wait || !state.interrupted) return;
  state.interrupted = false;
  state.thrown_into = true;
  const Hold hold(state);
  state.wait()->withdraw();
  wake(state);
}

/// Ends a process that waits. Tasks that it waits for end first, and theirs before them; a list
/// takes the place of recursion. Destructors may cancel others, and remove components: those are
/// destroyed when no process is being killed any more.
void detail::Core::kill(detail::ProcessState& victim) {
  ++half_done;
  const std::size_t below = dying_.size();  // of whoever is killed by a destructor of the others
  dying_.push_back(&victim);
  victim.dying = true;
  while (dying_.size() > below) {
    detail::ProcessState& state = *dying_.back();
    if (state.status == ProcessStatus::running) {
      doom(state);
    } else {
      dying_.pop_back();
      destroy_frames(state);
    }
  }
  --half_done;
}

/// Withdraws what a process waits for; its tasks are put above it on the list of the dying.
void detail::Core::doom(detail::ProcessState& state) {
  if (state.waits_for == ProcessState::WaitsFor::itself) state.withdraw();
  state.status = ProcessStatus::cancelled;
  if (&state == served) served_is_ready = false;
  if (state.keeps_event) drop_kept_event(state);
  const auto first = static_cast<std::ptrdiff_t>(dying_.size());
  Wait* wait = state.wait();
  state.waits_for = ProcessState::WaitsFor::nothing;
  if (wait != nullptr) wait->abandon(dying_);
  const auto tasks = dying_.begin() + first;
  const auto last = std::remove_if(tasks, dying_.end(), [this](detail::ProcessState* task) {
    if (!task->can_be_cancelled()) return true;
    task->cancel_requested = true;
    task->dying = task != running && !task->held;
    return !task->dying;
  });
  dying_.erase(last, dying_.end());
  std::reverse(dying_.begin() + first, dying_.end());  // the first to end is the last on the list
}

/// From the innermost task outwards, so that a chain of any length uses no stack.
void detail::Core::destroy_frames(detail::ProcessState& state) {
  detail::PromiseBase* promise = std::exchange(state.leaf, nullptr);
  while (promise != nullptr) {
    const detail::TaskLink* link = promise->link;
    detail::PromiseBase* parent = link == nullptr ? nullptr : link->parent;
    if (link != nullptr) *link->handle = {};  // the Task that holds it forgets it
    promise->self().destroy();
    promise = parent;
  }
  end(state, ProcessStatus::cancelled);
}

void detail::Core::cancel_all_of(const Context& owner) {
  const auto next = [&] {  // from the start, as destructors may cancel and spawn others
    detail::ProcessState* state = details[index(owner.id())].processes;
    while (state != nullptr && (&state->owner() != &owner || !state->can_be_cancelled())) {
      state = state->behind;
    }
    return state;
  };
  while (detail::ProcessState* state = next()) cancel(*state);
}

void detail::Core::release(detail::ProcessState& state) {
  if (--state.references != 0) return;
  if (state.status == ProcessStatus::failed && !state.observed) {
    observe(state);
    if (!failure) failure = failure_of(state);
    attention |= kFailure;
  }
  if (state.status == ProcessStatus::failed) exceptions.forget(state);
  void* const memory = &state;
  blocks.give_back(memory, state.destroy());
}

void detail::Core::observe(detail::ProcessState& state) {
  const bool is_listed = state.status == ProcessStatus::failed && !state.observed;
  state.observed = true;
  if (is_listed) state.leave_list(failed);
}

std::exception_ptr detail::failure_of(const detail::ProcessState& state) {
  std::string text = "a ";
  detail::describe_process(text, state);
  text += fmt::format(" failed at {:.9f} s and nobody joins it", to_seconds(state.since));
  // Thrown once more so that its own exception can be nested in the failure.
  try {
    detail::rethrow_failure_of(state);
  } catch (const std::exception& error) {
    text.append(": ").append(error.what());
    try {
      std::throw_with_nested(ProcessFailure(text));
    } catch (...) {
      return std::current_exception();
    }
  } catch (...) {
    try {
      std::throw_with_nested(ProcessFailure(text + ", with an exception of no standard type"));
    } catch (...) {
      return std::current_exception();
    }
  }
}

}  // namespace artel::sim
