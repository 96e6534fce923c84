#include "artel/pool/detail/strand_core.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/automatic_bound.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_access.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/room_line.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tell_exception.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"

namespace artel::pool::detail {
namespace {

// The strand whose turn is on this thread.
thread_local const StrandCore* running_strand = nullptr;

// Runs the tasks of a strand: the pool measures and counts its turns.
class StrandRunner final : public Runner {
 public:
  explicit StrandRunner(const Pool& pool) : pool_(pool) {}
  std::optional<TaskOutcome> begin(TaskTimes& /*times*/, Instant& /*started*/) override {
    return std::nullopt;
  }
  void end(TaskTimes& /*times*/, Instant /*started*/, TaskOutcome /*outcome*/) override {}
  void put_off() override {}
  [[nodiscard]] bool put_back(Job& /*job*/) override { return false; }
  void discard(TaskTimes& /*times*/, TaskOutcome /*outcome*/) override {}
  void account(TaskOutcome /*outcome*/) override {}
  void unclaimed_exception() override { tell_exception(pool_.options()); }

 private:
  const Pool& pool_;
};

}  // namespace

StrandCore::StrandCore(Pool& pool, std::size_t bound)
    : pool_(pool),
      submission_(PoolAccess::submission(pool)),
      bound_(bound),
      purges_seen_(submission_.drops()) {}

bool StrandCore::running_here() const { return running_strand == this; }

Admission StrandCore::push(Job job) {
  if (submission_.closed_here()) return Admission::closed;
  Lock lock(lock_);
  const bool full = queued_.load() >= bound_ || line_.in_line() != 0;
  if (full && !running_here()) {
    if (submission_.patience() == Instant::min()) return Admission::full;
    if (!never_waits_for_room) return wait_for_room(lock, job);
    submission_.count_over_bound();
  }
  add(job);
  if (std::exchange(scheduled_, true)) return Admission::accepted;
  return schedule(lock);
}

void StrandCore::add(Job& job) {
  note_purge();
  waiting_.push_back(std::move(job));
  ++added_;
  queued_.fetch_add(1);
}

Admission StrandCore::wait_for_room(Lock& lock, Job& job) {
  RoomLine::Waiter waiter(job);
  line_.join(waiter, Priority::normal);
  admit_waiting(0);  // D3
  lock.unlock();
  while (!waiter.sleep(kNever) && !submission_.closed_here()) {
  }
  lock.lock();
  return line_.leave(waiter) == RoomLine::State::admitted ? Admission::accepted : Admission::closed;
}

// While there is room, and so many in any case.
void StrandCore::admit_waiting(std::size_t at_least) {
  const auto accept = [this](Job& job) {
    try {
      add(job);
      return true;
    } catch (const std::bad_alloc&) {
      return false;  // it waits on
    }
  };
  while (line_.in_line() != 0 && (queued_.load() < bound_ || at_least > 0)) {
    if (!line_.admit_first(Priority::normal, accept)) return;
    at_least -= at_least > 0 ? 1 : 0;
  }
}

void StrandCore::offer_room() {
  if (line_.in_line() != 0) {
    const Lock lock(lock_);
    admit_waiting(1);  // for the one taken, however many tasks submit over the bound
  }
  if (waking_pays(queued_.load(), bound_, task_time_)) line_.wake(lock_, Priority::normal);
}

// D4
void StrandCore::note_purge() {
  const std::uint64_t purges = submission_.drops();
  if (purges == purges_seen_.load()) return;
  purged_.store(added_);
  purges_seen_.store(purges);
}

// The task taken last.
bool StrandCore::purged() {
  if (submission_.drops() != purges_seen_.load()) {
    const Lock lock(lock_);
    note_purge();
  }
  return taken_ <= purged_.load();
}

// Queues a turn for the only task that waits, or takes it back. Under the lock, so that nobody else
// relies on a turn that is refused; only who waits for room leaves the lock, and is refused by a
// pool that has stopped.
Admission StrandCore::schedule(Lock& lock) {
  Admission admission = admit_work(submission_, NextTurn{shared_from_this()}, Instant::min());
  if (admission == Admission::full && submission_.patience() != Instant::min()) {
    lock.unlock();
    admission = admit_work(submission_, NextTurn{shared_from_this()}, kNever);
    lock.lock();
  }
  if (admission == Admission::accepted) return admission;
  const Job refused = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  queued_.fetch_sub(1);
  ++taken_;
  const bool others = !waiting_.empty();
  scheduled_ = others;
  lock.unlock();
  if (others) drop_all();
  return admission;
}

// ---- The turn

bool StrandCore::take(Job& job) {
  if (next_ == batch_.size()) {
    batch_.clear();
    next_ = 0;
    const Lock lock(lock_);
    admit_waiting(0);
    if (waiting_.empty()) {
      scheduled_ = false;
      return false;
    }
    batch_.swap(waiting_);
  }
  job = std::move(batch_[next_++]);
  ++taken_;
  queued_.fetch_sub(1);
  if (line_.any()) offer_room();
  return true;
}

void StrandCore::run_turn() {
  // A turn is as much as waits at one worker: other strands, and other tasks, come next.
  constexpr Duration kTurn = dispatch::kBoundWork;
  struct Running {
    const StrandCore* before;
    explicit Running(const StrandCore& strand) : before(std::exchange(running_strand, &strand)) {}
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() { running_strand = before; }
  };
  const Running running(*this);
  StrandRunner runner(pool_);
  Instant now = steady_now();
  Instant end = later(now, kTurn);
  Job job;
  while (take(job)) {
    if (submission_.cancelling() || purged()) {
      job.drop(runner, TaskOutcome::cancelled);
      continue;
    }
    note_running(job.type());
    job.run(runner);
    const Instant begun = std::exchange(now, steady_now());
    task_time_ = now - begun;
    if (now < end) continue;
    // A pool without memory for the turn has this one go on.
    if (admit_behind(submission_, NextTurn{shared_from_this()}) == Admission::accepted) return;
    end = later(now, kTurn);
  }
}

void StrandCore::drop_all() {
  StrandRunner runner(pool_);
  Job job;
  while (take(job)) job.drop(runner, TaskOutcome::cancelled);
}

}  // namespace artel::pool::detail
