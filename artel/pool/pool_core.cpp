#include "artel/pool/pool_core.hpp"
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

#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/rota.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/pool/common_queue.hpp"
#include "artel/pool/job.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/tally.hpp"
#include "artel/unit/cpu_quota.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> numbers = 0;
  return ++numbers;
}

std::unique_ptr<const dispatch::Rota> make_rota(const PoolOptions& options) {
  std::vector<double> weights(options.workers_max, 1.0);
  std::copy(options.weights.begin(), options.weights.end(), weights.begin());
  return std::make_unique<const dispatch::Rota>(weights);
}

}  // namespace

PoolCore::PoolCore(PoolOptions options)
    : options_(std::move(options)),
      needs_(dispatch::needs(options_.dispatch)),
      processors_(usable_cpus()),
      number_(next_number()),
      observer_(options_.observer.get()),
      places_(std::make_unique<Place[]>(options_.workers_max)),
      rota_(needs_.rota ? make_rota(options_) : nullptr),
      idle_(options_.workers_max),
      common_(options_.common) {
  for (std::size_t i = 0; i < options_.workers_max; ++i) {
    Place& place = places_[i];
    place.id = dispatch::worker(i);
    place.bound = options_.queues.empty() ? options_.queue : options_.queues[i];
    place.weight = options_.weights.empty() ? 1.0F : options_.weights[i];
    place.ring.allocate(place.bound == 0 ? kAutomaticSlots : place.bound);
    place.ring.set_closed(true);
  }
}

void PoolCore::open_place(Place& place) {
  if (!place.paused.load()) admit_to(place, true);
  open_count_.fetch_add(1);
}

void PoolCore::close_place(Place& place) {
  admit_to(place, false);
  open_count_.fetch_sub(1);
}

void PoolCore::admit_to(Place& place, bool tasks) {
  place.ring.set_closed(!tasks);
  place.open.store(tasks);
}

void PoolCore::give_back(std::span<Job> jobs) {
  if (jobs.empty()) return;
  common_.put_back(jobs);
  wake_all();
}

void PoolCore::reclaim(Place& place) {
  std::vector<Job> jobs;
  std::array<Job, JobChunk::kJobs> some;
  while (const auto count = place.ring.steal(some.data(), JobChunk::kJobs)) {
    std::move(some.begin(), some.begin() + count, std::back_inserter(jobs));
  }
  give_back(jobs);
}

void PoolCore::close() {
  for (Place& place : places()) place.ring.set_closed(true);
  common_.close();
  closed_.store(true);
  room_.open();
}

bool PoolCore::anything_queued() const {
  if (common_.count() > 0) return true;
  return std::any_of(places_.get(), places_.get() + options_.workers_max,
                     [](const Place& place) { return !place.ring.empty(); });
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
  for (const Place& place : places()) sum += place.ring.accepted();
  return sum;
}

Outcomes PoolCore::outcomes() const {
  Outcomes sum = outside_counts_.read();
  for (const Place& place : places()) sum.add(place.counts.read());
  return sum;
}

void PoolCore::unclaimed_exception() const {
  if (options_.on_exception) options_.on_exception(std::current_exception());
}

}  // namespace artel::pool
