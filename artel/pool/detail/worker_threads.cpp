#include "artel/pool/detail/worker_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/thread_runner.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

WorkerThreads::WorkerThreads(PoolCore& core)
    : core_(core), threads_max_(std::size_t{core.options.workers_max} + core.options.spares) {}

WorkerThreads::~WorkerThreads() = default;

void WorkerThreads::start(unsigned workers) {
  const std::lock_guard lock(lock_);
  for (; size_ < workers; ++size_) {
    WorkerSlot& slot = core_.queues.slots()[size_];
    core_.queues.open(slot);
    try {
      add(slot);
    } catch (...) {
      core_.queues.close(slot);
      throw;
    }
  }
}

void WorkerThreads::add(WorkerSlot& slot) {
  reap();
  auto worker = std::make_unique<Worker>(*this, core_, slot);
  slot.busy.store(true);
  if (slot.started_ns.load() == 0) slot.started_ns.store(steady_now().time_since_epoch().count());
  Worker* const before = slot.owner.exchange(worker.get());
  try {
    worker->start();
  } catch (...) {
    slot.owner.store(before);
    throw;
  }
  workers_.push_back(std::move(worker));
}

void WorkerThreads::reap() {
  for (auto it = workers_.begin(); it != workers_.end();) {
    if ((*it)->finished()) {
      (*it)->join();
      it = workers_.erase(it);
    } else {
      ++it;
    }
  }
}

bool WorkerThreads::room_for_thread() const { return workers_.size() < threads_max_; }

bool WorkerThreads::hand_over(WorkerSlot& slot) {
  const std::lock_guard lock(lock_);
  reap();
  if (!room_for_thread()) return false;
  try {
    add(slot);
    return true;
  } catch (const std::system_error&) {
    return false;  // the system has no more threads: wait with what we have
  }
}

bool WorkerThreads::take_over(WorkerSlot& slot, std::uint64_t phase) {
  const std::lock_guard lock(lock_);
  reap();
  if (!room_for_thread() || !slot.phase.compare_exchange_strong(phase, Phase::between(phase))) {
    return false;
  }
  try {
    add(slot);
    return true;
  } catch (const std::system_error&) {
    return false;  // nobody serves the slot until the pool is resized; others take what waits
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
  if (slot.owner.load() != &worker) return;
  slot.paused.store(false);
  if (index(slot.id) < size_ && !core_.queues.closed()) PoolQueues::let_in(slot, true);
}

bool WorkerThreads::has_member(const WorkerSlot& slot) const {
  const std::lock_guard lock(lock_);
  return index(slot.id) < size_;
}

bool WorkerThreads::vacate(WorkerSlot& slot) {
  const std::lock_guard lock(lock_);
  if (slot.open.load() && !core_.queues.closed()) return false;
  slot.owner.store(nullptr);
  std::erase_if(leavers_, [&](const Leaver& leaver) { return leaver.slot == &slot; });
  resized_.notify_all();
  return true;
}

Result<void> WorkerThreads::resize(unsigned workers) {
  const std::lock_guard lock(lock_);
  const unsigned low = core_.options.workers_min;
  const unsigned high = core_.options.workers_max;
  if (core_.queues.closed()) return fail(ErrorCode::closed, "the pool has stopped; it has no size");
  if (workers < low || workers > high) {
    return fail(ErrorCode::invalid,
                fmt::format("cannot resize to {} workers: {} is the {}; possible: {} to {}, now {}",
                            workers, workers < low ? low : high,
                            workers < low ? "minimum" : "maximum", low, high, size_));
  }
  if (!leavers_.empty() && workers != size_) {
    return fail(ErrorCode::invalid,
                fmt::format("already shrinking: {} workers are leaving; possible now: {}",
                            leavers_.size(), size_));
  }
  const Instant force_at = later(steady_now(), core_.options.shrink_timeout);
  while (size_ > workers) {
    WorkerSlot& slot = core_.queues.slots()[--size_];
    leavers_.push_back({&slot, force_at});
    core_.queues.close(slot);
    core_.wakeups.wake(slot);
  }
  for (; size_ < workers; ++size_) {
    WorkerSlot& slot = core_.queues.slots()[size_];
    core_.queues.open(slot);
    if (slot.owner.load() != nullptr) continue;  // was forced out, and goes on where it is
    try {
      add(slot);
    } catch (const std::system_error& error) {
      core_.queues.close(slot);
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

void WorkerThreads::run_claimed(FutureNode& node) {
  if (Worker* const worker = worker_of(core_)) {
    worker->run_claimed(node);
  } else {
    ThreadRunner runner(core_, nullptr);
    node.run_here(runner);
  }
}

void WorkerThreads::claims_open(int change) { core_.accounts.claims_open(change); }

void WorkerThreads::close() {
  const std::lock_guard lock(lock_);
  core_.queues.close();
  core_.wakeups.end_waits_for_room();
}

void WorkerThreads::join_all() {
  for (;;) {
    std::unique_ptr<Worker> next;
    {
      const std::lock_guard lock(lock_);
      if (workers_.empty()) return;
      next = std::move(workers_.front());
      workers_.pop_front();
    }
    next->join();
  }
}

std::size_t WorkerThreads::thread_count() const {
  const std::lock_guard lock(lock_);
  return static_cast<std::size_t>(std::count_if(
      workers_.begin(), workers_.end(), [](const auto& worker) { return !worker->finished(); }));
}

}  // namespace artel::pool::detail
