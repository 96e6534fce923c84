#include "artel/pool/detail/future_node.hpp"

#include <atomic>
#include <optional>
#include <tl/expected.hpp>
#include <typeinfo>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/continuation.hpp"
#include "artel/pool/detail/early_end.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/sync/blocking_hook.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool::detail {
namespace {

// Without a destructor, as those of continuations.
constinit thread_local unsigned nested_destructions = 0;
constinit thread_local const FutureNode* doomed = nullptr;

// Another thread has a fresh one.
bool stack_is_half_used() {
  return static_cast<const char*>(__builtin_frame_address(0)) < waiting_thread.stack_limit;
}

}  // namespace

Error no_stand_in() {
  return {ErrorCode::unsupported,
          "cannot wait in this task: the system has no thread to work in its place", ""};
}

Error error_of(TaskOutcome outcome) {
  if (outcome == TaskOutcome::expired) {
    return {ErrorCode::expired, "the task was not started by its deadline", ""};
  }
  return {ErrorCode::cancelled, "the task was cancelled before it started", ""};
}

Error broken_promise() {
  return {ErrorCode::closed, "the promise was broken: it gave no result", ""};
}

std::optional<Error> current_task_error() {
  try {
    throw;
  } catch (const TaskError& error) {
    if (typeid(error) == typeid(TaskError)) return error.error();
  } catch (...) {  // NOLINT(bugprone-empty-catch): it is not for here
  }
  return std::nullopt;
}

Error not_run_by_executor() {
  return {ErrorCode::closed, "the executor of the continuation refused or dropped it", ""};
}

// ---- Destroying

// A result may own the next Future, and that one's result another: a list of them is destroyed one
// after the other, not one inside the other.
void FutureNode::destroy() {
  constexpr unsigned kNestedMax = 16;
  if (nested_destructions == kNestedMax) [[unlikely]] {
    pool_ = std::exchange(doomed, this);
    return;
  }
  ++nested_destructions;
  delete this;
  if (--nested_destructions == 0 && doomed != nullptr) [[unlikely]]
    destroy_doomed();
}

void FutureNode::destroy_doomed() {
  ++nested_destructions;
  while (doomed != nullptr) {
    delete std::exchange(doomed, static_cast<const FutureNode*>(doomed->pool_));
  }
  --nested_destructions;
}

// ---- Running

std::optional<TaskOutcome> FutureNode::run_queued(Runner& runner) {
  if (claim_at_turn(runner)) {
    note_running(typeid(*this));
    run_here(runner);
  }
  release();
  return std::nullopt;
}

// Without a third reference no other thread knows of it.
void FutureNode::run_taken_back(Runner& runner) {
  if (references_.load(std::memory_order_acquire) != 2 || !state_.claim_unshared()) {
    if (claim_at_turn(runner)) run_here(runner);
    release();
    return;
  }
  references_.store(1, std::memory_order_relaxed);
  run_here(runner);
}

std::optional<TaskOutcome> FutureNode::drop_queued(Runner& runner, TaskOutcome outcome) {
  if (claim_at_turn(runner)) drop_here(runner, outcome);
  release();
  return std::nullopt;
}

void FutureNode::run_here(Runner& runner) {
  disarm();
  if (!conditions_.wanted()) return finish(runner, call_task());
  Instant started;
  if (const auto refused = runner.begin(conditions_, started)) return drop_here(runner, *refused);
  const TaskOutcome outcome = call_task();
  runner.end(conditions_, started, outcome);
  finish(runner, outcome);
}

void FutureNode::drop_here(Runner& runner, TaskOutcome outcome) {
  disarm();
  store_unstarted(outcome);
  if (conditions_.wanted()) runner.discard(conditions_, outcome);
  finish(runner, outcome);
}

void FutureNode::finish(Runner& runner, TaskOutcome outcome) {
  runner.account(outcome);
  publish();
}

void FutureNode::refuse(Error error) {
  store_error(std::move(error));
  publish();
}

// ---- Ending early

void FutureNode::end_early(TaskOutcome outcome) {
  if (!state_.claim_early(outcome)) return;
  const auto self = NodePtr<FutureNode>::share(this);  // the queue's may go at any moment
  disarm();
  store_unstarted(outcome);
  call(state_.make_ready_early(outcome));
}

bool FutureNode::claim_at_turn(Runner& runner) {
  if (try_claim()) return true;
  if (const auto outcome = state_.early()) {
    // Whoever accounts for a task may say that its Future is ready.
    static_cast<void>(state_.sleep(kNever));
    if (conditions_.wanted()) runner.discard(conditions_, *outcome);
    runner.account(*outcome);
  }
  return false;
}

void FutureNode::keep_early_end(EarlyEnd& early_end) {
  if (!state_.keep(early_end)) disarm();
}

void FutureNode::disarm() {
  if (EarlyEnd* const mine = state_.take_early_end()) mine->disarm();
}

// ---- Waiting

bool run_newest_here(const void* group) {
  TaskRunningThread* const runner = waiting_thread.runner;
  return runner != nullptr && !stack_is_half_used() && runner->run_newest(group);
}

bool FutureNode::run_if_queued() {
  if (pool_ != waiting_thread.pool || !state_.queued() || stack_is_half_used()) return false;
  if (waiting_thread.runner->run_newest(this)) return true;  // most often
  if (!try_claim()) return false;
  waiting_thread.runner->run_claimed(*this);
  return true;
}

void FutureNode::run_what_is_queued() {
  if (waiting_thread.runner == nullptr || run_if_queued()) return;
  std::vector<NodePtr<FutureNode>> inputs;
  add_inputs(inputs);
  while (!inputs.empty() && !ready()) {
    const NodePtr<FutureNode> input = std::move(inputs.back());
    inputs.pop_back();
    if (!input->ready() && !input->run_if_queued()) input->add_inputs(inputs);
  }
}

bool FutureNode::spin() const {
  constexpr int kSpins = 2000;  // some 20 us: less than handing over and sleeping would take
  for (int i = 0; i < kSpins; ++i) {
    if (ready()) return true;
    sync::relax();
  }
  return false;
}

Result<bool> FutureNode::wait(Instant until) {
  if (ready()) return true;
  if (until == kNever) run_what_is_queued();
  // What makes this ready may have been put off on this very thread.
  while (!ready() && run_deferred()) {
  }
  if (ready()) return true;  // it was run here: nothing is lent
  if (until < steady_now()) return poll();
  // A worker that lends its slot has better to do.
  if (sync::blocking_hook == nullptr && spin()) return true;
  const sync::BlockingScope blocking;
  if (!blocking.safe()) return tl::unexpected<Error>(no_stand_in());
  return state_.sleep(until);
}

bool FutureNode::poll() {
  if (ready()) return true;
  if (sync::blocking_hook == nullptr) return false;
  constexpr unsigned kPatience = 16;  // polls that a task may do at no cost
  constinit static thread_local unsigned polls = 0;
  if (++polls % kPatience == 0) const sync::BlockingScope turn;
  return ready();
}

}  // namespace artel::pool::detail
