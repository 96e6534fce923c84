#include "artel/pool/detail/future_node.hpp"

#include <atomic>
#include <climits>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/sync/blocking_hook.hpp"
#include "artel/sync/futex_wait.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool::detail {
namespace {

// Continuations that became ready on this thread while another one ran: they wait for their turn,
// so that a long chain does not grow the stack.
thread_local std::vector<Continuation*> waiting_continuations;
thread_local bool in_continuation = false;

bool run_waiting_continuation() {
  if (waiting_continuations.empty()) return false;
  Continuation* const next = waiting_continuations.back();
  waiting_continuations.pop_back();
  next->ready();
  return true;
}

void call_in_turn(Continuation& continuation) {
  if (in_continuation) {
    waiting_continuations.push_back(&continuation);
    return;
  }
  in_continuation = true;
  continuation.ready();
  while (run_waiting_continuation()) {
  }
  in_continuation = false;
}

}  // namespace

Error error_of(TaskOutcome outcome) {
  if (outcome == TaskOutcome::expired) {
    return {ErrorCode::timeout, "the task was not started by its deadline", ""};
  }
  return {ErrorCode::cancelled, "the task was cancelled before it started", ""};
}

void FutureNode::enqueue(TaskHost& host, bool claimable) {
  host_ = &host;
  state_.store(kQueued | (claimable ? kClaimable : 0), std::memory_order_relaxed);
}

bool FutureNode::try_claim() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  while ((state & kStates) == kQueued) {
    if (state_.compare_exchange_weak(state, state - kQueued + kRunning,
                                     std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

std::optional<TaskOutcome> FutureNode::run_queued(Runner& runner) {
  if (try_claim()) {
    run_here(runner);
  } else if (!ready()) {  // claimed, and still running elsewhere: N3
    TaskHost& host = *host_;
    host.claims_open(1);
    if ((state_.fetch_or(kClaimedEntry) & kStates) == kReady) host.claims_open(-1);
  }
  release();
  return std::nullopt;
}

std::optional<TaskOutcome> FutureNode::drop_queued(Runner& runner, TaskOutcome outcome) {
  if (!try_claim()) return run_queued(runner);
  store_error(error_of(outcome));
  if (conditions_.wanted()) runner.discard(conditions_, outcome);
  finish(runner, outcome);
  release();
  return std::nullopt;
}

void FutureNode::run_here(Runner& runner) {
  if (!conditions_.wanted()) return finish(runner, call());
  if (const auto refused = runner.begin(conditions_)) {
    store_error(error_of(*refused));
    runner.discard(conditions_, *refused);
    return finish(runner, *refused);
  }
  const TaskOutcome outcome = call();
  runner.end(conditions_, outcome);
  finish(runner, outcome);
}

void FutureNode::finish(Runner& runner, TaskOutcome outcome) {
  runner.account(outcome);
  publish();
}

void FutureNode::publish() {
  TaskHost* const host = host_;
  Continuation* continuation = nullptr;
  const std::uint32_t before = state_.exchange(kReady);
  // From here on the owner may destroy the node; only what the flags guarantee is still there.
  if ((before & kChained) != 0) continuation = continuation_;
  if ((before & kWaited) != 0) sync::futex_wake(state_, INT_MAX);
  if ((before & kClaimedEntry) != 0) host->claims_open(-1);
  if (continuation != nullptr) call_in_turn(*continuation);
}

void FutureNode::refuse(Error error) {
  store_error(std::move(error));
  publish();
}

bool FutureNode::attach(Continuation& continuation) {
  continuation_ = &continuation;
  return (state_.fetch_or(kChained) & kStates) != kReady;
}

bool FutureNode::run_claimed_here() {
  if ((state_.load(std::memory_order_relaxed) & kClaimable) == 0 || !try_claim()) return false;
  host_->run_claimed(*this);
  return true;
}

bool FutureNode::spin() const {
  constexpr int kSpins = 2000;  // some 20 us: less than handing over and sleeping would take
  for (int i = 0; i < kSpins; ++i) {
    if (ready()) return true;
    sync::relax();
  }
  return false;
}

void FutureNode::help_here() {
  if (!ready() && !run_claimed_here()) help();
}

void FutureNode::wait() {
  help_here();
  // What makes this ready may wait for its turn on this very thread.
  while (!ready() && run_waiting_continuation()) {
  }
  if (spin()) return;
  static_cast<void>(sync::before_block());
  wait_until(kNever);
}

bool FutureNode::wait_until(Instant until) {
  for (;;) {
    std::uint32_t state = state_.fetch_or(kWaited) | kWaited;
    if ((state & kStates) == kReady) return true;
    const Duration left = until == kNever ? kForever : until - steady_now();
    if (left <= Duration::zero()) return false;
    sync::futex_wait(state_, state, left);
  }
}

}  // namespace artel::pool::detail
