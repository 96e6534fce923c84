#include "artel/pool/detail/common_queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
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
  if (total_ >= bound_) return Pushed::full;
  accept(priority, job);
  return Pushed::ok;
}

bool CommonQueue::force(Priority priority, Job& job) {
  const std::lock_guard lock(lock_);
  if (closed_) return false;
  accept(priority, job);
  return true;
}

void CommonQueue::accept(Priority priority, Job& job) {
  append(lanes_[static_cast<std::size_t>(priority)], job);
  accepted_.store(accepted_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  add_count(priority, 1);
}

void CommonQueue::put_back(std::span<Job> jobs) {
  if (jobs.empty()) return;
  auto block = std::make_unique<JobBlock>();
  for (Job& job : jobs) {
    if (block->full()) {
      put_back(jobs.subspan(JobBlock::kJobs));  // the later ones first, so that they stay behind
      break;
    }
    block->push(job);
  }
  const auto added = block->size();
  const std::lock_guard lock(lock_);
  Lane& lane = lanes_[static_cast<std::size_t>(Priority::normal)];
  block->next_ = std::move(lane.first);
  if (block->next_ == nullptr) lane.last = block.get();
  lane.first = std::move(block);
  add_count(Priority::normal, added);
}

std::unique_ptr<JobBlock> CommonQueue::take(Priority priority, std::uint32_t max,
                                            std::unique_ptr<JobBlock>& spare) {
  if (count(priority) == 0 || max == 0) return nullptr;
  const std::lock_guard lock(lock_);
  Lane& lane = lanes_[static_cast<std::size_t>(priority)];
  if (!lane.first) return nullptr;
  std::unique_ptr<JobBlock> taken;
  if (lane.first->size() <= max) {
    taken = unlink_first(lane);
  } else {
    taken = spare ? std::move(spare) : fresh_block();
    for (std::uint32_t i = 0; i < max; ++i) {
      taken->push(lane.first->front());
      lane.first->pop_front();
    }
  }
  if (spare) recycle(std::move(spare));
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

void CommonQueue::append(Lane& lane, Job& job) {
  if (lane.last == nullptr || lane.last->full()) {
    auto block = fresh_block();
    JobBlock* const added = block.get();
    (lane.last == nullptr ? lane.first : lane.last->next_) = std::move(block);
    lane.last = added;
  }
  lane.last->push(job);
}

void CommonQueue::add_count(Priority priority, std::size_t change) {
  auto& count = counts_[static_cast<std::size_t>(priority)].value;
  count.store(count.load(std::memory_order_relaxed) + change);
  total_ += change;
}

}  // namespace artel::pool::detail
