#include "artel/pool/detail/worker.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/automatic_bound.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/wakeups.hpp"
#include "artel/pool/detail/watchdog.hpp"
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

// Pins the thread to the n-th processor it may use, going round.
void pin_to(std::size_t n) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  n %= static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || n-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

// Asks for short slices, so that a worker that is woken soon gets to run (Linux 6.12; elsewhere it
// has no effect).
void ask_for_short_slices() {
#ifdef SYS_sched_setattr
  struct {
    std::uint32_t size = 48;
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime_ns = 100'000;
    std::uint64_t deadline_ns = 0;
    std::uint64_t period_ns = 0;
  } attributes;
  attributes.nice = 0;
  errno = 0;
  const int nice = ::nice(0);
  if (errno == 0) attributes.nice = nice;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

}  // namespace

Worker* this_worker() { return this_worker_thread; }

Worker* worker_of(const PoolCore& core) {
  Worker* const worker = this_worker_thread;
  return worker != nullptr && &worker->core() == &core ? worker : nullptr;
}

Worker::Worker(WorkerThreads& threads, PoolCore& core, WorkerSlot& slot)
    : ThreadRunner(core, &slot), threads_(threads), home_(slot) {}

void Worker::start() {
  thread_ = std::thread([this] { run(); });
}

void Worker::run() {
  this_worker_thread = this;
  home_slot = &home_;
  sync::blocking_hook = this;
  prepare_thread();
  const PoolOptions& options = core_.options;
  if (options.on_start) options.on_start(home_.id);
  serve();
  if (options.on_stop) options.on_stop(home_.id);
  sync::blocking_hook = nullptr;
  home_slot = nullptr;
  this_worker_thread = nullptr;
  core_.accounts.look_for_quiescence();
  finished_.store(true);
}

void Worker::prepare_thread() {
  constexpr std::size_t kNameMax = 15;
  const std::string number = "-" + std::to_string(index(home_.id));
  const std::string name = core_.options.name.substr(0, kNameMax - number.size()) + number;
  pthread_setname_np(pthread_self(), name.c_str());
  if (core_.options.pin) pin_to(index(home_.id));
  ask_for_short_slices();
}

void Worker::serve() {
  while (slot_ != nullptr) {
    if (home_.attention.load(std::memory_order_relaxed)) [[unlikely]]
      attend();
    if (!work_once() && !idle() && threads_.vacate(home_)) return;
  }
}

void Worker::attend() {
  home_.attention.store(false);
  if (core_.options.on_attend) core_.options.on_attend(home_.id);
}

bool Worker::work_once() {
  CommonQueue& common = core_.queues.common();
  if (common.count(Priority::high) != 0 && run_from_common(Priority::high)) return true;
  Job job;
  if (home_.ring.pop(job)) {
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
  return common.count(Priority::low) != 0 && run_from_common(Priority::low);
}

void Worker::run_job(Job& job) {
  if (std::exchange(fresh_, false)) core_.wakeups.leave_queues_watched();
  go_on();
  const bool guarded = core_.guarded;
  if (guarded) begin_phase();
  const auto outcome =
      core_.queues.cancelling() ? job.drop(*this, TaskOutcome::cancelled) : job.run(*this);
  if (outcome) account(*outcome);
  if (guarded) static_cast<void>(end_phase());
  core_.wakeups.room_made();
}

void Worker::run_claimed(FutureNode& node) {
  pause_between();
  // Most often it is the task that this worker submitted last.
  Job entry;
  const bool unpushed = home_.ring.unpush(entry, [&node](Job& job) {
    return job.holds<NodeBody>() && job.body<NodeBody>().node == &node;
  });
  node.run_here(*this);
  if (unpushed) node.release();  // the queue's reference
}

bool Worker::run_from_common(Priority priority) {
  std::uint32_t max = 1;
  if (priority == Priority::normal) {
    max += home_.bound != 0
               ? home_.bound
               : dispatch::automatic_bound(core_.accounts.service(), true, home_.ring.capacity());
    max = std::min(max, JobBlock::kJobs);
  }
  auto block = core_.queues.common().take(priority, max, spare_);
  if (!block) return false;
  const auto jobs = block->jobs();
  core_.accounts.rebind(jobs, home_, true);
  Job first = std::move(jobs.front());
  keep(jobs.subspan(1));
  block->reset();
  spare_ = std::move(block);
  run_job(first);
  return true;
}

bool Worker::may_steal_from(const WorkerSlot& victim) const {
  if (&victim == &home_ || victim.ring.empty()) return false;
  return rescues_ || core_.queues.closed() ||
         core_.wakeups.stealing_pays(victim.ring.size_approx(), home_);
}

bool Worker::steal() {
  std::array<Job, dispatch::kStolenMax> stolen;
  const auto max =
      home_.bound != 0 ? std::min(dispatch::kStolenMax, home_.bound + 1) : dispatch::kStolenMax;
  const auto slots = core_.queues.slots();
  for (std::size_t i = 1; i < slots.size(); ++i) {
    WorkerSlot& victim = slots[(index(home_.id) + i) % slots.size()];
    if (!may_steal_from(victim)) continue;
    const std::uint32_t count = victim.ring.steal(stolen.data(), max);
    if (count == 0) continue;
    pause_between();
    core_.accounts.rebind({stolen.data(), count}, home_, false);
    keep({&stolen[1], count - 1});
    run_job(stolen[0]);
    return true;
  }
  return false;
}

void Worker::keep(std::span<Job> jobs) {
  if (jobs.empty()) return;
  const std::uint32_t kept =
      home_.ring.refill(jobs.data(), static_cast<std::uint32_t>(jobs.size()));
  core_.queues.common().put_back(jobs.subspan(kept));
}

// ---- Idle

bool Worker::must_leave() const {
  if (!home_.ring.empty()) return false;
  return core_.queues.closed() ? !core_.queues.anything_queued() : !home_.open.load();
}

bool Worker::sees_work() const {
  if (!home_.ring.empty() || home_.attention.load()) return true;
  if (core_.queues.closed()) return core_.queues.anything_queued();
  if (!home_.open.load()) return false;
  if (core_.queues.common().count() > 0) return true;
  const auto slots = core_.queues.slots();
  return std::any_of(slots.begin(), slots.end(),
                     [this](const WorkerSlot& slot) { return may_steal_from(slot); });
}

bool Worker::idle() {
  pause_between();
  const Instant since = steady_now();
  home_.busy.store(false, std::memory_order_relaxed);
  home_.idle_since_ns.store(since.time_since_epoch().count(), std::memory_order_relaxed);
  const bool stay = spin(since) || sleep();
  home_.busy.store(true);
  fresh_ = true;
  const Duration spell = steady_now() - since;
  home_.idle_since_ns.store(0, std::memory_order_relaxed);
  home_.idle_ns.store(home_.idle_ns.load(std::memory_order_relaxed) + spell.count(),
                      std::memory_order_relaxed);
  // Spinning pays if work comes soon, as it did last time.
  spin_ = spell < kSpinMax ? std::clamp(spin_ * 2, kSpinMin, kSpinMax) : spin_ / 2;
  return stay;
}

bool Worker::spin(Instant since) {
  constexpr int kPauses = 16;  // between two looks, so that a submitter may add more than one task
  if (spin_ < kSpinMin || !core_.wakeups.spinning_pays()) return false;
  while (steady_now() - since < spin_) {
    for (int i = 0; i < kPauses; ++i) sync::relax();
    if (!home_.ring.empty() || core_.queues.common().count() > 0) return true;
  }
  return false;
}

bool Worker::sleep() {
  core_.queues.idle().insert(home_.id);
  if (must_leave()) {
    withdraw();
    core_.wakeups.leave_queues_watched();  // it may have been summoned
    return false;
  }
  if (sees_work()) {
    withdraw();
    return true;
  }
  core_.accounts.look_for_quiescence();
  core_.wakeups.room_made();  // a submitter may have missed the last job being taken
  const bool others_awake = core_.queues.idle().count_approx() < core_.queues.open_count();
  if (others_awake && core_.wakeups.watchdog().take(home_.id)) {
    watch();
  } else {
    static_cast<void>(home_.parker.park());
  }
  core_.wakeups.watchdog().answer();
  return true;
}

void Worker::withdraw() {
  // If somebody has claimed us, the token is on its way.
  if (core_.queues.idle().claim(home_.id)) return;
  static_cast<void>(home_.parker.park());
  core_.wakeups.watchdog().answer();
}

void Worker::watch() {
  Watchdog& watchdog = core_.wakeups.watchdog();
  std::vector<std::uint64_t> taken = look_at_queues();
  for (Duration pause = Watchdog::kFirstLook;; pause = std::min(pause * 2, Watchdog::kLastLook)) {
    if (home_.parker.park(pause)) {
      watchdog.resign();
      if (core_.queues.anything_queued()) core_.wakeups.summon_watchdog();
      return;
    }
    if (!core_.queues.anything_queued()) {
      watchdog.resign();
      if (!core_.queues.anything_queued() || !watchdog.take(home_.id)) {
        static_cast<void>(home_.parker.park());
        return;
      }
    }
    auto taken_now = look_at_queues();
    if (needs_help(taken, taken_now, pause)) {
      watchdog.resign();
      withdraw();
      rescues_ = true;
      core_.wakeups.summon_watchdog();
      return;
    }
    taken = std::move(taken_now);
  }
}

std::vector<std::uint64_t> Worker::look_at_queues() const {
  std::vector<std::uint64_t> taken;
  for (const WorkerSlot& slot : core_.queues.slots()) taken.push_back(slot.ring.taken_approx());
  taken.push_back(core_.queues.common().taken_approx());
  return taken;
}

// Whether tasks wait somewhere and move no faster than long tasks do. (What was measured may not
// show that yet: tasks may have become longer.)
bool Worker::needs_help(const std::vector<std::uint64_t>& before,
                        const std::vector<std::uint64_t>& after, Duration pause) const {
  const auto slow = [&](std::size_t i) {
    return static_cast<std::int64_t>(after[i] - before[i]) * Wakeups::kLong <= pause;
  };
  const auto slots = core_.queues.slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slow(i) && !slots[i].ring.empty()) return true;
  }
  return slow(slots.size()) && core_.queues.common().count() > 0;
}

// ---- Giving the slot away

bool Worker::before_block() {
  if (slot_ == nullptr || (core_.guarded && !end_phase())) return true;
  if (threads_.hand_over(home_)) {
    slot_ = nullptr;
    return true;
  }
  if (core_.guarded) begin_phase();
  return false;
}

void Worker::begin_phase() {
  phase_ = Phase::next(home_.phase.load(std::memory_order_relaxed));
  home_.phase.store(phase_);
}

bool Worker::end_phase() {
  if (slot_ == nullptr) return false;
  std::uint64_t running = phase_;
  if (home_.phase.compare_exchange_strong(running, Phase::between(phase_))) return true;
  slot_ = nullptr;  // the monitor took it
  return false;
}

}  // namespace artel::pool::detail
