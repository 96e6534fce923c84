#include "artel/pool/detail/worker_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

WorkerThreads::WorkerThreads(PoolCore& core) : core_(core) {
  leavers_.reserve(core.options.workers_max);
}

WorkerThreads::~WorkerThreads() = default;

void WorkerThreads::start(unsigned workers) {
  const std::lock_guard lock(lock_);
  for (; size_ < workers; ++size_) open(core_.queues.slots()[size_]);
}

// Opens the slot and starts its thread; throws, and has done nothing then.
void WorkerThreads::open(WorkerSlot& slot) {
  core_.queues.open(slot);
  if (slot.owner.load() != nullptr) return;  // was forced out
  try {
    reap();
    if (extra() > core_.options.spares) {  // W6
      throw std::runtime_error("threads of workers that were forced out have not ended");
    }
    slot.owner.store(add(slot));
  } catch (...) {
    core_.queues.close(slot);
    throw;
  }
  slot.begin_service(steady_now());
}

// A new thread; it waits for the lock before it looks whether it owns the slot. Throws.
Worker* WorkerThreads::add(WorkerSlot& slot) {
  workers_.push_back(std::make_unique<Worker>(*this, core_, slot));
  try {
    workers_.back()->start();
  } catch (...) {
    workers_.pop_back();
    throw;
  }
  return workers_.back().get();
}

void WorkerThreads::reap() {
  if (finished_.load() == 0) return;
  for (auto it = workers_.begin(); it != workers_.end();) {
    if ((*it)->finished()) {
      (*it)->join();
      finished_.fetch_sub(1);
      it = workers_.erase(it);
    } else {
      ++it;
    }
  }
}

// ---- From thread to thread

Worker* WorkerThreads::stand_in_for(WorkerSlot& slot) {
  if (Worker* const spare = slot.spare) {
    slot.spare = spare->next;
    spare->spare = false;
    return spare;
  }
  reap();
  if (extra() >= core_.options.spares) return nullptr;  // W6
  try {
    return add(slot);
  } catch (const std::exception&) {  // no more threads, or memory
    return nullptr;
  }
}

void WorkerThreads::end_pause(WorkerSlot& slot) {
  if (!slot.paused.exchange(false)) return;
  if (index(slot.id) < size_ && !core_.queues.closed()) PoolQueues::let_in(slot, true);
}

// The slot's owner has stopped serving it. The stand-in sleeps until there is something to do, so
// that a lender that comes back before finds everything as it was.
void WorkerThreads::install(WorkerSlot& slot, Worker& stand_in) {
  stand_in.resting = true;
  slot.owner.store(&stand_in);
  slot.in_task.store(false);
  slot.begin_idle(steady_now());
  core_.queues.idle().insert(slot.id);
  if (core_.queues.anything_queued() || core_.queues.closed() || slot.attention.load()) {
    core_.wakeups.wake(slot);
  }
}

bool WorkerThreads::hand_over(Worker& worker) {
  const std::lock_guard lock(lock_);
  WorkerSlot& slot = worker.home();
  if (Worker* const returned = first_returning(slot)) {
    slot.owner.store(returned);
    returned->unpark();
    return true;
  }
  Worker* const stand_in = stand_in_for(slot);
  if (stand_in == nullptr) return false;
  install(slot, *stand_in);
  return true;
}

void WorkerThreads::take_back(Worker& worker) {
  switch (come_back(worker)) {
    case Back::vacant:
      return;
    case Back::owner:
      return core_.wakeups.leave_queues_watched();  // as a worker that comes from idling
    case Back::in_line:
      core_.wakeups.wake(worker.home());
      static_cast<void>(worker.park());
  }
}

WorkerThreads::Back WorkerThreads::come_back(Worker& worker) {
  const std::lock_guard lock(lock_);
  WorkerSlot& slot = worker.home();
  auto* const owner = static_cast<Worker*>(slot.owner.load());
  if (owner == nullptr) {
    slot.owner.store(&worker);
    slot.end_idle(steady_now());
    return Back::vacant;
  }
  if (core_.queues.idle().claim(slot.id)) {
    slot.owner.store(&worker);
    slot.end_idle(steady_now());
    if (std::exchange(owner->resting, false)) {
      rest(*owner);
    } else {
      // It sleeps in the middle of serving the slot, or is about to. Under the lock, because only
      // then the token comes before the slot's bit is set again (P7).
      owner->unpark();
    }
    return Back::owner;
  }
  worker.next = nullptr;
  (slot.first_returning == nullptr ? slot.first_returning : slot.last_returning->next) = &worker;
  slot.last_returning = &worker;
  slot.returning.fetch_add(1);  // before the wake-up: parker.hpp, P1
  return Back::in_line;
}

// Takes the first in line; null: nobody has come back.
Worker* WorkerThreads::first_returning(WorkerSlot& slot) {
  Worker* const first = slot.first_returning;
  if (first == nullptr) return nullptr;
  slot.first_returning = first->next;
  slot.returning.fetch_sub(1);
  return first;
}

bool WorkerThreads::give_way(Worker& owner) {
  const std::lock_guard lock(lock_);
  WorkerSlot& slot = owner.home();
  Worker* const returned = first_returning(slot);
  if (returned == nullptr) return false;
  slot.owner.store(returned);
  returned->unpark();
  return true;
}

bool WorkerThreads::take_over(WorkerSlot& slot, std::uint64_t phase) {
  const std::lock_guard lock(lock_);
  if (slot.phase.load() != phase) return false;
  const bool somebody_returns = slot.first_returning != nullptr;
  Worker* const stand_in = somebody_returns ? nullptr : stand_in_for(slot);  // first: W1
  if (stand_in == nullptr && !somebody_returns) return false;
  core_.accounts.enter_outside();  // before it can leave
  if (!slot.phase.compare_exchange_strong(phase, Phase::between(phase))) {
    if (stand_in != nullptr) rest(*stand_in);
    core_.accounts.leave_outside();
    return false;
  }
  if (stand_in != nullptr) {
    install(slot, *stand_in);
    return true;
  }
  Worker* const returned = first_returning(slot);
  slot.owner.store(returned);
  returned->unpark();
  return true;
}

// The worker sleeps, or is about to, until it is wanted.
void WorkerThreads::rest(Worker& worker) {
  if (std::exchange(worker.spare, true)) return;
  worker.next = std::exchange(worker.home().spare, &worker);
}

void WorkerThreads::remove_spare(Worker& worker) {
  if (!std::exchange(worker.spare, false)) return;
  Worker** each = &worker.home().spare;
  while (*each != &worker) each = &(*each)->next;
  *each = worker.next;
}

// Out of the list first: then it becomes no owner, whose tokens mean that its bit was taken.
void WorkerThreads::end_spares(WorkerSlot& slot) {
  while (Worker* const spare = slot.spare) {
    slot.spare = spare->next;
    spare->ended = true;
    spare->unpark();
  }
}

bool WorkerThreads::await_turn(Worker& worker) {
  const WorkerSlot& slot = worker.home();
  const auto owns = [&] { return slot.owner.load() == &worker; };
  {
    const std::lock_guard lock(lock_);
    if (worker.ended) return false;
    if (owns() && !worker.resting) return true;
    if (!owns() && (ending_ || slot.owner.load() == nullptr)) {
      remove_spare(worker);  // a new thread may have been sent to rest before it came here
      return false;
    }
    if (!owns()) rest(worker);
  }
  for (;;) {
    const bool called = worker.park(owns() ? kForever : kKeepAlive);
    const std::lock_guard lock(lock_);
    if (worker.ended) return false;
    if (owns()) {
      if (!called) continue;
      worker.resting = false;
      core_.wakeups.parking().watchdog().answer();
      return true;
    }
    remove_spare(worker);  // nobody has wanted it for long
    return false;
  }
}

bool WorkerThreads::pause(const Worker& worker, WorkerSlot& slot) {
  {
    const std::lock_guard lock(lock_);
    if (slot.owner.load() != &worker) return false;
    slot.paused.store(true);
    PoolQueues::let_in(slot, false);
  }
  core_.wakeups.reclaim(slot);
  return true;
}

void WorkerThreads::resume(const Worker& worker, WorkerSlot& slot) {
  const std::lock_guard lock(lock_);
  if (slot.owner.load() == &worker) end_pause(slot);
}

bool WorkerThreads::has_member(const WorkerSlot& slot) const {
  const std::lock_guard lock(lock_);
  return index(slot.id) < size_;
}

bool WorkerThreads::vacate(Worker& owner) {
  const std::lock_guard lock(lock_);
  WorkerSlot& slot = owner.home();
  end_pause(slot);  // W4
  if (slot.open.load() && !core_.queues.closed()) return false;
  if (slot.first_returning != nullptr) return false;
  slot.owner.store(nullptr);
  slot.begin_idle(steady_now());
  end_spares(slot);
  owner.ended = true;
  for (Leaver& leaver : leavers_) {
    if (leaver.slot == &slot) leaver.last = &owner;
  }
  return true;
}

void WorkerThreads::note_finished(Worker& worker) {
  {
    const std::lock_guard lock(lock_);
    std::erase_if(leavers_, [&](const Leaver& leaver) { return leaver.last == &worker; });
    worker.set_finished();
    finished_.fetch_add(1);
  }
  resized_.notify_all();
  if (joined_.has_waiters()) joined_.notify_all();
}

// ---- Size

Result<void> WorkerThreads::resize(unsigned workers) {
  const std::lock_guard lock(lock_);
  const unsigned low = core_.options.workers_min;
  const unsigned high = core_.options.workers_max;
  if (core_.queues.closed()) return fail(ErrorCode::closed, "the pool has stopped; it has no size");
  if (workers < low || workers > high) {
    return fail(ErrorCode::invalid,
                fmt::format("cannot resize to {}: {} is the {}; possible: {} to {}, now {}",
                            how_many(workers, "worker"), workers < low ? low : high,
                            workers < low ? "minimum" : "maximum", low, high, size_));
  }
  if (!leavers_.empty() && workers != size_) {
    return fail(ErrorCode::invalid, fmt::format("already shrinking by {}; possible now: {}",
                                                how_many(leavers_.size(), "worker"), size_));
  }
  const Instant force_at = later(steady_now(), core_.options.shrink_timeout);
  while (size_ > workers) {
    WorkerSlot& slot = core_.queues.slots()[--size_];
    leavers_.push_back({&slot, force_at});
    core_.queues.close(slot);
    core_.wakeups.wake(slot);
  }
  for (; size_ < workers; ++size_) {
    try {
      open(core_.queues.slots()[size_]);
    } catch (const std::exception& error) {
      return fail(ErrorCode::unsupported,
                  fmt::format("no thread for worker {}: {}", size_, error.what()));
    }
  }
  return {};
}

unsigned WorkerThreads::size() const {
  const std::lock_guard lock(lock_);
  return size_;
}

bool WorkerThreads::wait_resized(Instant until) {
  return resized_.wait(until, [this] {
    const std::lock_guard lock(lock_);
    return leavers_.empty();
  });
}

Instant WorkerThreads::force_leavers(Instant now) {
  std::vector<WorkerSlot*> forced;
  Instant next = kNever;
  {
    const std::lock_guard lock(lock_);
    std::erase_if(leavers_, [&](const Leaver& leaver) {
      if (leaver.last != nullptr) return false;
      if (leaver.force_at > now) {
        next = std::min(next, leaver.force_at);
        return false;
      }
      forced.push_back(leaver.slot);
      return true;
    });
  }
  if (forced.empty()) return next;
  for (WorkerSlot* const slot : forced) core_.wakeups.reclaim(*slot);
  resized_.notify_all();
  return next;
}

}  // namespace artel::pool::detail
