// How the threads of a pool end.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/running_type.hpp"
#include "artel/pool/detail/worker.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/detail/worker_threads.hpp"
#include "artel/pool/stop_mode.hpp"

namespace artel::pool::detail {

void WorkerThreads::close() {
  const std::lock_guard lock(lock_);
  core_.queues.close();
}

bool WorkerThreads::wait_finished(Instant until) {
  {
    const std::lock_guard lock(lock_);
    ending_ = true;
    for (WorkerSlot& slot : core_.queues.slots()) end_spares(slot);
  }
  return joined_.wait(until, [this] { return thread_count() == 0; });
}

std::vector<RunningTask> WorkerThreads::running_since(Instant then) const {
  const Duration running = steady_now() - then;
  std::vector<RunningTask> tasks;
  const std::lock_guard lock(lock_);
  for (const auto& worker : workers_) {
    const std::type_info* const type = worker->running();
    if (type == nullptr) continue;
    tasks.push_back({.worker = worker->home().id, .task = name_of_task(*type), .running = running});
  }
  return tasks;
}

void WorkerThreads::join_all() {
  static_cast<void>(wait_finished(kNever));  // so that none that still runs is taken from workers_
  while (const std::unique_ptr<Worker> next = next_to_join()) {
    next->join();
    {
      const std::lock_guard lock(lock_);
      --joining_;
    }
    joined_.notify_all();
  }
  // Somebody else may be waiting for the others.
  joined_.wait(kNever, [this] {
    const std::lock_guard lock(lock_);
    return workers_.empty() && joining_ == 0;
  });
}

std::unique_ptr<Worker> WorkerThreads::next_to_join() {
  const std::lock_guard lock(lock_);
  if (workers_.empty()) return nullptr;
  std::unique_ptr<Worker> next = std::move(workers_.front());
  workers_.pop_front();
  ++joining_;
  return next;
}

std::size_t WorkerThreads::thread_count() const {
  const std::lock_guard lock(lock_);
  return static_cast<std::size_t>(std::count_if(
      workers_.begin(), workers_.end(), [](const auto& worker) { return !worker->finished(); }));
}

}  // namespace artel::pool::detail
