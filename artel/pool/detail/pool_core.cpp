#include "artel/pool/detail/pool_core.hpp"
#include "artel/dispatch/load_view.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/worker_slot.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> numbers = 0;
  return ++numbers;
}

std::unique_ptr<const dispatch::WeightedCycle> make_cycle(const PoolOptions& options) {
  std::vector<double> weights(options.workers_max, 1.0);
  std::copy(options.weights.begin(), options.weights.end(), weights.begin());
  return std::make_unique<const dispatch::WeightedCycle>(weights);
}

}  // namespace

PoolCore::PoolCore(PoolOptions options)
    : options_(std::move(options)),
      needs_(dispatch::needs(options_.dispatch)),
      processors_(usable_cpus()),
      number_(next_number()),
      observer_(options_.observer.get()),
      slots_(std::make_unique<WorkerSlot[]>(options_.workers_max)),
      cycle_(needs_.cycle ? make_cycle(options_) : nullptr),
      idle_(options_.workers_max),
      common_(options_.common) {
  for (std::size_t i = 0; i < options_.workers_max; ++i) {
    WorkerSlot& slot = slots_[i];
    slot.id = dispatch::worker(i);
    slot.bound = options_.queues.empty() ? options_.queue : options_.queues[i];
    slot.weight = options_.weights.empty() ? 1.0F : options_.weights[i];
    slot.ring.allocate(slot.bound == 0 ? kAutomaticCapacity : slot.bound);
    slot.ring.set_closed(true);
  }
}

void PoolCore::open_slot(WorkerSlot& slot) {
  if (!slot.paused.load()) admit_to(slot, true);
  open_count_.fetch_add(1);
}

void PoolCore::close_slot(WorkerSlot& slot) {
  admit_to(slot, false);
  open_count_.fetch_sub(1);
}

void PoolCore::admit_to(WorkerSlot& slot, bool tasks) {
  slot.ring.set_closed(!tasks);
  slot.open.store(tasks);
}

void PoolCore::give_back(std::span<Job> jobs) {
  if (jobs.empty()) return;
  common_.put_back(jobs);
  wake_all();
}

void PoolCore::reclaim(WorkerSlot& slot) {
  std::vector<Job> jobs;
  std::array<Job, JobBlock::kJobs> some;
  while (const auto count = slot.ring.steal(some.data(), JobBlock::kJobs)) {
    std::move(some.begin(), some.begin() + count, std::back_inserter(jobs));
  }
  give_back(jobs);
}

void PoolCore::close() {
  for (WorkerSlot& slot : slots()) slot.ring.set_closed(true);
  common_.close();
  closed_.store(true);
  room_.notify_all();
}

bool PoolCore::anything_queued() const {
  if (common_.count() > 0) return true;
  return std::any_of(slots_.get(), slots_.get() + options_.workers_max,
                     [](const WorkerSlot& slot) { return !slot.ring.empty(); });
}

bool PoolCore::wait_idle(Instant until) {
  return quiescence_.wait(until, [this] {
    // A worker counts, then enters the idle set: reading the set first makes the counts visible.
    static_cast<void>(idle_.any());
    const std::uint64_t ended = outcomes().ended();
    return ended == accepted();  // read in this order: accepted can only have grown in between
  });
}

void PoolCore::wait_for_claims() {
  quiescence_.wait(kNever, [this] { return open_claims_.load() == 0; });
}

void PoolCore::publish(std::shared_ptr<const dispatch::Shares> shares) {
  const std::lock_guard lock(shares_lock_);
  shares_ = std::move(shares);
  shares_version_.fetch_add(1);
}

std::uint64_t PoolCore::accepted() const {
  std::uint64_t sum = common_.accepted();
  for (const WorkerSlot& slot : slots()) sum += slot.ring.accepted();
  return sum;
}

Outcomes PoolCore::outcomes() const {
  Outcomes sum = outside_counts_.read();
  for (const WorkerSlot& slot : slots()) sum.add(slot.counts.read());
  return sum;
}

void PoolCore::unclaimed_exception() const {
  if (options_.on_exception) options_.on_exception(std::current_exception());
}

}  // namespace artel::pool::detail
