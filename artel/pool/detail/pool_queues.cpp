#include "artel/pool/detail/pool_queues.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "artel/dispatch/automatic_bound.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"

namespace artel::pool::detail {

PoolQueues::PoolQueues(const PoolOptions& options)
    : size_(options.workers_max),
      slots_(std::make_unique<WorkerSlot[]>(size_)),
      idle_(size_),
      common_(options.common) {
  for (std::size_t i = 0; i < size_; ++i) {
    WorkerSlot& slot = slots_[i];
    slot.id = dispatch::worker(i);
    slot.bound = options.queues.empty() ? options.queue : options.queues[i];
    slot.weight = options.weights.empty() ? 1.0F : options.weights[i];
    slot.ring.allocate(slot.bound == 0 ? dispatch::kAutomaticCapacity : slot.bound);
    slot.ring.set_closed(true);
  }
}

void PoolQueues::open(WorkerSlot& slot) {
  if (!slot.paused.load()) let_in(slot, true);
  open_count_.fetch_add(1);
}

void PoolQueues::close(WorkerSlot& slot) {
  let_in(slot, false);
  open_count_.fetch_sub(1);
}

void PoolQueues::let_in(WorkerSlot& slot, bool tasks) {
  slot.ring.set_closed(!tasks);
  slot.open.store(tasks);
}

void PoolQueues::close() {
  // The queues first: who sees closed() may rely on nothing being added any more.
  for (WorkerSlot& slot : slots()) slot.ring.set_closed(true);
  common_.close();
  closed_.store(true);
}

bool PoolQueues::anything_queued() const {
  if (common_.count() > 0) return true;
  const auto all = slots();
  return std::any_of(all.begin(), all.end(),
                     [](const WorkerSlot& slot) { return !slot.ring.empty(); });
}

std::size_t PoolQueues::drop_all(Runner& runner) {
  std::size_t count = 0;
  const auto drop = [&](Job& job) {
    ++count;
    if (const auto outcome = job.drop(runner, TaskOutcome::cancelled)) runner.account(*outcome);
  };
  drops_.fetch_add(1);
  std::unique_ptr<JobBlock> spare(new (std::nothrow) JobBlock);
  for (std::size_t lane = 0; lane < kPriorities; ++lane) {
    const auto priority = static_cast<Priority>(lane);
    std::size_t left = common_.queued(priority);
    while (left > 0 || closed()) {
      // Without a spare block whole ones are taken.
      const bool rest = left > 0 && left < JobBlock::kJobs && spare;
      auto block =
          common_.take(priority, rest ? static_cast<std::uint32_t>(left) : JobBlock::kJobs, spare);
      if (!block) break;
      left -= std::min<std::size_t>(left, block->size());
      for (Job& job : block->jobs()) drop(job);
      block->reset();
      spare = std::move(block);
    }
  }
  for (WorkerSlot& slot : slots()) {
    Job job;
    for (std::uint32_t left = slot.ring.size_approx(); (left > 0 || closed()) && slot.ring.pop(job);
         left -= left > 0 ? 1 : 0) {
      drop(job);
    }
  }
  return count;
}

std::uint64_t PoolQueues::accepted() const {
  std::uint64_t sum = common_.accepted();
  for (const WorkerSlot& slot : slots()) sum += slot.ring.accepted();
  return sum;
}

}  // namespace artel::pool::detail
