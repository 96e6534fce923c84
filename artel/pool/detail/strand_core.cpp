#include "artel/pool/detail/strand_core.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/automatic_bound.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/pool_access.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/detail/tell_exception.hpp"
#include "artel/pool/detail/work_body.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/blocking_hook.hpp"

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
    : pool_(pool), submission_(PoolAccess::submission(pool)), bound_(bound) {}

bool StrandCore::running_here() const { return running_strand == this; }

Admission StrandCore::push(Job job) {
  // A task of the strand is let in always: nobody makes room while it waits.
  if (!has_room() && !running_here()) {
    if (submission_.patience() == Instant::min()) return Admission::full;
    const sync::BlockingScope scope;
    room_.wait(kNever, [this] { return has_room(); });
  }
  Lock lock(lock_);
  waiting_.push_back(std::move(job));
  queued_.fetch_add(1);
  if (std::exchange(scheduled_, true)) return Admission::accepted;
  return schedule(lock);
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
    if (waiting_.empty()) {
      scheduled_ = false;
      return false;
    }
    batch_.swap(waiting_);
  }
  job = std::move(batch_[next_++]);
  queued_.fetch_sub(1);
  if (room_.has_waiters()) room_.notify_all();
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
  Instant end = later(steady_now(), kTurn);
  Job job;
  while (take(job)) {
    job.run(runner);
    if (steady_now() < end) continue;
    // A pool that has no room for a turn, or takes no more, has this one go on.
    const Admission next = admit_work(submission_, NextTurn{shared_from_this()}, Instant::min());
    if (next == Admission::accepted) return;
    end = later(steady_now(), kTurn);
  }
}

void StrandCore::drop_all() {
  StrandRunner runner(pool_);
  Job job;
  while (take(job)) job.drop(runner, TaskOutcome::cancelled);
}

}  // namespace artel::pool::detail
