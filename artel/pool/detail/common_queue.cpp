#include "artel/pool/detail/common_queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/priority.hpp"

namespace artel::pool::detail {

CommonQueue::~CommonQueue() {
  // One at a time: the chain would otherwise destroy itself recursively.
  for (auto& lane : lanes_) {
    while (lane.first) lane.first = std::move(lane.first->next_);
  }
  while (spares_) spares_ = std::move(spares_->next_);
}

CommonQueue::Pushed CommonQueue::push(Priority priority, Job& job) {
  const std::lock_guard lock(lock_);
  if (closed_) return Pushed::closed;
  if (count(priority) >= bound_) return Pushed::full;
  accept(priority, job);
  return Pushed::ok;
}

void CommonQueue::push_inside(Priority priority, Job& job) {
  const std::lock_guard lock(lock_);
  accept(priority, job);
}

void CommonQueue::accept(Priority priority, Job& job) {
  Lane& lane = lanes_[static_cast<std::size_t>(priority)];
  if (lane.last == nullptr || lane.last->full()) lane.append(fresh_block());
  lane.last->push(job);
  accepted_.store(accepted_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  add_count(priority, 1);
}

std::size_t CommonQueue::put_back(std::span<Job> jobs) noexcept {
  Lane blocks;
  std::size_t count = 0;
  while (count < jobs.size()) {
    std::unique_ptr<JobBlock> block(new (std::nothrow) JobBlock);
    if (!block) break;
    while (count < jobs.size() && !block->full()) block->push(jobs[count++]);
    blocks.append(std::move(block));
  }
  prepend(std::move(blocks), count);
  return count;
}

void CommonQueue::put_back(JobRing& ring) noexcept {
  Lane blocks;
  std::size_t count = 0;
  while (!ring.empty()) {
    std::unique_ptr<JobBlock> block(new (std::nothrow) JobBlock);
    if (!block) break;  // what is left can still be stolen
    block->end_ = ring.steal(block->jobs_.data(), JobBlock::kJobs);
    count += block->size();
    if (block->size() > 0) blocks.append(std::move(block));
  }
  prepend(std::move(blocks), count);
}

void CommonQueue::prepend(Lane&& blocks, std::size_t jobs) {
  if (jobs == 0) return;
  const std::lock_guard lock(lock_);
  Lane& lane = lanes_[static_cast<std::size_t>(Priority::normal)];
  if (lane.first == nullptr) lane.last = blocks.last;
  blocks.last->next_ = std::move(lane.first);
  lane.first = std::move(blocks.first);
  add_count(Priority::normal, jobs);
}

std::unique_ptr<JobBlock> CommonQueue::take(Priority priority, std::uint32_t max,
                                            std::unique_ptr<JobBlock>& spare) noexcept {
  if (count(priority) == 0 || max == 0) return nullptr;
  const std::lock_guard lock(lock_);
  Lane& lane = lanes_[static_cast<std::size_t>(priority)];
  if (!lane.first) return nullptr;
  std::unique_ptr<JobBlock> taken;
  if (lane.first->size() <= max) {
    taken = unlink_first(lane);
    recycle(std::move(spare));
  } else {
    taken = std::move(spare);
    for (std::uint32_t i = 0; i < max; ++i) {
      taken->push(lane.first->front());
      lane.first->pop_front();
    }
  }
  add_count(priority, std::size_t{0} - taken->size());
  return taken;
}

void CommonQueue::close() {
  const std::lock_guard lock(lock_);
  closed_ = true;
}

std::unique_ptr<JobBlock> CommonQueue::fresh_block() {
  if (!spares_) return std::make_unique<JobBlock>();
  auto block = std::move(spares_);
  spares_ = std::move(block->next_);
  --spare_count_;
  return block;
}

void CommonQueue::recycle(std::unique_ptr<JobBlock> block) {
  if (spare_count_ == kSparesMax) return;
  block->next_ = std::move(spares_);
  spares_ = std::move(block);
  ++spare_count_;
}

std::unique_ptr<JobBlock> CommonQueue::unlink_first(Lane& lane) {
  auto block = std::move(lane.first);
  lane.first = std::move(block->next_);
  if (!lane.first) lane.last = nullptr;
  return block;
}

void CommonQueue::add_count(Priority priority, std::size_t change) {
  auto& count = counts_[static_cast<std::size_t>(priority)].value;
  count.store(count.load(std::memory_order_relaxed) + change);
}

}  // namespace artel::pool::detail
