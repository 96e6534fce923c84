#include "artel/pool/detail/worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/automatic_bound.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/detail/thread_manners.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/wakeups.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/blocking_hook.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool::detail {
namespace {

thread_local Worker* this_worker_thread = nullptr;

}  // namespace

Worker* this_worker() { return this_worker_thread; }

Worker* worker_of(const PoolCore& core) {
  Worker* const worker = this_worker_thread;
  return worker != nullptr && &worker->core() == &core ? worker : nullptr;
}

Worker::Worker(WorkerThreads& threads, PoolCore& core, WorkerSlot& slot)
    : ThreadRunner(core, nullptr), threads_(threads), home_(slot) {}

void Worker::start() {
  thread_ = std::thread([this] { run(); });
}

void Worker::run() {
  this_worker_thread = this;
  never_waits_for_room = true;
  running_type = &running_;
  home_slot = &home_;
  waiting_thread = {.pool = &core_, .runner = this, .stack_limit = ThreadManners::half_of_stack()};
  sync::blocking_hook = this;
  prepare_thread();
  const PoolOptions& options = core_.options;
  if (options.on_start) options.on_start(home_.id);
  while (threads_.await_turn(*this)) serve();
  home_slot = nullptr;  // what on_stop submits comes from outside
  if (options.on_stop) options.on_stop(home_.id);
  sync::blocking_hook = nullptr;
  waiting_thread = {};
  this_worker_thread = nullptr;
  core_.accounts.look_for_quiescence();
  threads_.note_finished(*this);
}

void Worker::prepare_thread() {
  ThreadManners::watch_exit();
  ThreadManners::name(core_.options.name, index(home_.id));
  if (core_.options.pin) ThreadManners::pin(index(home_.id));
  ThreadManners::ask_for_short_slices();
}

void Worker::serve() {
  slot_ = &home_;
  while (slot_ != nullptr) {
    if (home_.attention.load(std::memory_order_relaxed)) [[unlikely]]
      attend();
    const bool worked = work_once();
    if (slot_ == nullptr) return;  // lost to a stand-in: the task took too long
    // After a task, not before: so that tasks that only ask whether others have ended let them.
    const bool gives_way =
        home_.returning.load(std::memory_order_relaxed) != 0 && threads_.give_way(*this);
    if (gives_way || (!worked && !idle() && threads_.vacate(*this))) slot_ = nullptr;
  }
}

void Worker::attend() {
  home_.attention.store(false);
  if (core_.options.on_attend) core_.options.on_attend(home_.id);
}

// ---- Taking tasks

bool Worker::work_once() {
  if (core_.queues.paused()) return false;
  CommonQueue& common = core_.queues.common();
  bool urgent = common.count(Priority::high) != 0;
  if (++turn_ % kTurn == 0) [[unlikely]] {
    if (work_in_turn(urgent)) return true;
    urgent = false;
  }
  if (urgent && run_from_common(Priority::high)) return true;
  if (turn_ % kCommonLook == 0 && common_has_waited(kTurn) && run_from_common(Priority::normal))
    return true;
  if (home_.ring.drained()) let_some_gather();
  Job job;
  if (home_.ring.pop(job)) {
    ++popped_;
    run_job(job);
    return true;
  }
  const bool closed = core_.queues.closed();
  if (!home_.open.load(std::memory_order_relaxed) && !closed) return false;
  // A task that waits behind a long one came before those in the common queue: it was placed when
  // its worker seemed to be idle.
  const bool overtaken = core_.accounts.service() > dispatch::kBoundWork;
  if (overtaken && steal()) return true;
  if (common.count(Priority::normal) != 0 && run_from_common(Priority::normal)) return true;
  if (!overtaken && steal()) return true;
  rescues_ = false;
  return run_from_common(Priority::high) || run_from_common(Priority::low);
}

// A submitter that adds very short tasks one by one, as they are run, and a worker that looks after
// each whether there is another, would both wait for that line with every task.
void Worker::let_some_gather() {
  constexpr unsigned kFew = 8;
  constexpr Duration kOutweighs = std::chrono::nanoseconds(300);
  const unsigned popped = std::exchange(popped_, 0);
  const bool again = std::exchange(saw_few_, popped != 0 && popped < kFew);
  if (!again || !saw_few_ || core_.accounts.service() >= kOutweighs) return;
  for (int i = 0; i < kPauses; ++i) sync::relax();
}

// F1. While tasks wait in the common queue only our own tasks' children are added to our queue.
// A single worker does not take what came from outside for children: the common queue was not empty
// between two looks (but for purge()), because run_from_common() has the counting begin anew.
bool Worker::common_has_waited(std::uint64_t patience) {
  if (core_.queues.common().count(Priority::normal) == 0) {
    common_waits_ = false;
    return false;
  }
  const std::uint64_t accepted = home_.ring.accepted();
  if (!std::exchange(common_waits_, true)) accepted_before_ = accepted;
  return accepted - accepted_before_ >= patience && home_.open.load(std::memory_order_relaxed);
}

// F2 to F4. If it does nothing, urgent tasks wait for once.
bool Worker::work_in_turn(bool urgent) {
  if (!home_.open.load(std::memory_order_relaxed)) return false;
  const bool low = turn_ % kLowTurn == 0 && run_from_common(Priority::low);
  if (slot_ != nullptr && !urgent) return run_what_stands_still() || low;
  if (slot_ != nullptr) run_what_stands_still();
  if (slot_ == nullptr) return true;
  return common_has_waited(1) && run_from_common(Priority::normal);
}

// Looks at one queue after the other, at each twice.
bool Worker::run_what_stands_still() {
  const auto slots = core_.queues.slots();
  WorkerSlot& slot = slots[watched_];
  const std::uint64_t taken = slot.ring.taken_approx();
  const bool waits = &slot != &home_ && !slot.ring.empty();
  if (waits && taken == std::exchange(watched_taken_, taken)) return steal_from(slot);
  if (!waits) {
    watched_ = (watched_ + 1) % slots.size();
    watched_taken_ = ~std::uint64_t{0};
  }
  return false;
}

// A task was taken from a queue.
void Worker::offer_room() {
  if (slot_ != nullptr && core_.queues.common().in_line() != 0) {
    core_.submission.fill_queue(home_, spare_);
  }
  core_.wakeups.wake_admitted();
}

void Worker::run_job(Job& job) {
  if (core_.wakeups.room_wanted()) [[unlikely]]
    offer_room();  // first: it may run for long
  if (std::exchange(fresh_, false)) core_.wakeups.leave_queues_watched();
  go_on();
  if (slot_ != nullptr) home_.in_task.store(true, std::memory_order_relaxed);
  const bool guarded = core_.guarded && slot_ != nullptr;
  if (guarded) begin_phase();
  running_.store(&job.type(), std::memory_order_relaxed);
  const auto outcome =
      core_.queues.cancelling() ? job.drop(*this, TaskOutcome::cancelled) : job.run(*this);
  running_.store(nullptr, std::memory_order_relaxed);
  if (outcome) account(*outcome);
  if (guarded && !end_phase()) {
    core_.accounts.leave_outside();
    if (core_.queues.closed()) core_.wakeups.wake_all();  // they may have waited for this one
  } else if (slot_ != nullptr) {
    home_.in_task.store(false, std::memory_order_release);
  }
}

void Worker::run_claimed(FutureNode& node) {
  pause_between();
  if (core_.queues.cancelling()) return node.drop_here(*this, TaskOutcome::cancelled);
  node.run_here(*this);
}

bool Worker::run_newest(const void* group) {
  Job entry;
  const bool found = home_.ring.unpush(entry, [group](Job& job) {
    return job.holds<NodeBody>() && job.body<NodeBody>().node->group() == group;
  });
  if (!found) return false;
  if (core_.wakeups.room_wanted()) [[unlikely]]
    offer_room();
  pause_between();
  if (core_.queues.cancelling()) {
    static_cast<void>(entry.drop(*this, TaskOutcome::cancelled));
  } else {
    entry.body<NodeBody>().node->run_taken_back(*this);
  }
  return true;
}

bool Worker::run_from_common(Priority priority) {
  if (core_.queues.common().count(priority) == 0) return false;
  std::uint32_t max = 1;
  if (priority == Priority::normal) {
    max += home_.bound != 0
               ? home_.bound
               : dispatch::automatic_bound(core_.accounts.service(), true, home_.ring.capacity());
    max = std::min(max, JobBlock::kJobs);
  }
  if (!spare_) max = JobBlock::kJobs;  // within a task of a block that found no place: see keep()
  auto block = core_.queues.common().take(priority, max, spare_);
  if (!block) return false;
  if (priority == Priority::normal) common_waits_ = false;
  run_block(std::move(block), true);
  return true;
}

// The first of them at once, and the others in its own queue.
void Worker::run_block(std::unique_ptr<JobBlock> block, bool from_common) {
  popped_ = 0;
  core_.accounts.rebind(block->jobs(), home_, from_common);
  Job first = std::move(block->front());
  const auto left = keep(block->jobs().subspan(1));
  if (!left.empty()) run_job(first);
  for (Job& job : left) run_job(job);
  block->reset();
  spare_ = std::move(block);
  if (first) run_job(first);
}

bool Worker::may_steal_from(const WorkerSlot& victim) const {
  if (&victim == &home_ || victim.ring.empty()) return false;
  return rescues_ || core_.queues.closed() ||
         core_.wakeups.stealing_pays(victim.ring.size_approx(), home_);
}

bool Worker::steal() {
  const auto slots = core_.queues.slots();
  for (std::size_t i = 1; i < slots.size(); ++i) {
    WorkerSlot& victim = slots[(index(home_.id) + i) % slots.size()];
    if (may_steal_from(victim) && steal_from(victim)) return true;
  }
  return false;
}

bool Worker::steal_from(WorkerSlot& victim) {
  if (!spare_) return false;
  const auto max =
      home_.bound != 0 ? std::min(dispatch::kStolenMax, home_.bound + 1) : dispatch::kStolenMax;
  spare_->fill(
      [&victim, max](Job* to, std::uint32_t /*space*/) { return victim.ring.steal(to, max); });
  if (spare_->size() == 0) return false;
  if (core_.queues.common().in_line() != 0) [[unlikely]] {
    std::unique_ptr<JobBlock> block;
    core_.submission.fill_queue(victim, block);
  }
  pause_between();
  run_block(std::move(spare_), false);
  return true;
}

// Into its own queue, or else back to the common one. Those that find no place (no memory) are left
// to be run at once.
std::span<Job> Worker::keep(std::span<Job> jobs) {
  if (jobs.empty()) return {};
  const std::uint32_t kept =
      home_.ring.relocate_in(jobs.data(), static_cast<std::uint32_t>(jobs.size()));
  jobs = jobs.subspan(kept);
  return jobs.subspan(core_.queues.common().put_back(jobs));
}

// ---- Waiting inside a task

sync::BlockingHook::Lent Worker::before_block() {
  if (slot_ == nullptr) return Lent::no;
  const bool in_phase = in_phase_;
  if (in_phase && !end_phase()) return Lent::no;
  in_task_ = home_.in_task.load(std::memory_order_relaxed);
  if (threads_.hand_over(*this)) {
    slot_ = nullptr;
    in_phase_ = in_phase;  // goes on in after_block()
    return Lent::yes;
  }
  if (in_phase) begin_phase();
  return Lent::refused;
}

void Worker::after_block() {
  threads_.take_back(*this);
  slot_ = &home_;
  home_.in_task.store(in_task_, std::memory_order_relaxed);
  if (in_phase_) begin_phase();
}

void Worker::begin_phase() {
  phase_ = Phase::next(home_.phase.load(std::memory_order_relaxed));
  home_.phase.store(phase_);
  in_phase_ = true;
}

bool Worker::end_phase() {
  if (slot_ == nullptr) return false;
  in_phase_ = false;
  std::uint64_t running = phase_;
  if (home_.phase.compare_exchange_strong(running, Phase::between(phase_))) return true;
  slot_ = nullptr;  // the monitor took it
  return false;
}

}  // namespace artel::pool::detail
