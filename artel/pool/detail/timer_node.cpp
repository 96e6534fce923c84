#include "artel/pool/detail/timer_node.hpp"

#include <atomic>
#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <typeinfo>  // IWYU pragma: keep
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/timers.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/blocking_hook.hpp"
#include "artel/sync/futex_wait.hpp"

namespace artel::pool::detail {
namespace {

// The timer whose run is on this thread.
thread_local const TimerNode* running_here = nullptr;

}  // namespace

TimerNode::TimerNode(Submission& submission, std::shared_ptr<Timers> timers, When when)
    : submission_(submission), timers_(std::move(timers)), when_(when) {}

void TimerNode::start(const std::shared_ptr<TimerNode>& node) {
  node->self_ = node;
  if (const auto added = node->timers_->add(*node, node->when_.due); !added) {
    node->fail_with(added.error());
    node->drop_use();
  }
}

// ---- By the user

bool TimerNode::cancel() {
  const bool prevented = (state_.fetch_or(kCancelled) & (kCancelled | kEnded)) == 0;
  if (timers_->cancel(*this)) drop_use();
  return prevented;
}

void TimerNode::cancel_and_wait() {
  cancel();
  if (running_here == this) return;
  if ((state_.load() & kRunning) == 0) return;
  const sync::BlockingScope scope;
  for (;;) {
    const std::uint32_t state = state_.fetch_or(kWaited) | kWaited;
    if ((state & kRunning) == 0) return;
    sync::futex_wait(state_, state);
  }
}

std::optional<Error> TimerNode::error() const {
  return (state_.load() & kFailed) != 0 ? error_ : std::nullopt;
}

// ---- On the timers' thread

Instant TimerNode::on_time(Instant now) {
  if (!active()) return kNever;
  if (when_.period == Duration::zero()) return post_only_run();
  const auto due = (now - when_.due) / when_.period;  // beyond the one that is
  when_.due = later(when_.due, when_.period * due);
  when_.due = later(when_.due, when_.period);
  skipped_.fetch_add(static_cast<std::uint64_t>(post_run(Instant::min()) ? due : due + 1));
  return when_.due;
}

Instant TimerNode::post_only_run() {
  if (!post_run(submission_.patience()) && refusal_ != Admission::accepted) {
    fail_with(error_of(refusal_));
  }
  return kNever;
}

// Whether a run has been queued: not if there is one, or the pool refuses it.
bool TimerNode::post_run(Instant until) {
  refusal_ = Admission::accepted;
  std::uint32_t state = state_.load();
  do {
    if ((state & (kQueued | kRunning | kCancelled)) != 0) return false;
  } while (!state_.compare_exchange_weak(state, state | kQueued));
  uses_.fetch_add(1);
  refusal_ = admit_work(submission_, Run{this}, until);
  if (refusal_ == Admission::accepted) return true;
  state_.fetch_and(~kQueued);
  uses_.fetch_sub(1);  // not the last: the Timers have one
  return false;
}

void TimerNode::let_go(bool stopped) {
  if (stopped) state_.fetch_or(kEnded);
  drop_use();
}

// ---- On a worker's thread

void TimerNode::run() {
  const bool only = when_.period == Duration::zero();
  std::uint32_t state = state_.load();
  do {
    if ((state & kCancelled) != 0) return end_run(kQueued);
  } while (
      !state_.compare_exchange_weak(state, (state & ~kQueued) | kRunning | (only ? kEnded : 0)));
  runs_.fetch_add(1);
  struct Running {
    TimerNode& node;
    const TimerNode* before = std::exchange(running_here, &node);
    explicit Running(TimerNode& self) : node(self) {}
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
      running_here = before;
      node.end_run(kRunning);
    }
  };
  const Running running(*this);
  note_running(typeid(*this));
  if (!call(only)) cancel();
}

// The pool has cancelled the queued run.
void TimerNode::drop_run() {
  if (when_.period == Duration::zero()) state_.fetch_or(kEnded);  // there is no other
  end_run(kQueued);
}

void TimerNode::end_run(std::uint32_t phase) {
  if ((state_.fetch_and(~(phase | kWaited)) & kWaited) != 0) sync::futex_wake(state_, INT_MAX);
  drop_use();
}

void TimerNode::fail_with(Error error) {
  error_ = std::move(error);
  state_.fetch_or(kFailed | kEnded);
}

void TimerNode::drop_use() {
  if (uses_.fetch_sub(1) != 1) return;
  forget();
  const std::shared_ptr<TimerNode> last = std::move(self_);
}

}  // namespace artel::pool::detail
