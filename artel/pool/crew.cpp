#include "artel/pool/crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/error/error.hpp"
#include "artel/pool/futex.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_core.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/worker.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

Crew::Crew(PoolCore& core)
    : core_(core), threads_max_(std::size_t{core.options().workers_max} + core.options().spares) {}

Crew::~Crew() = default;

void Crew::start(unsigned workers) {
  const std::lock_guard lock(lock_);
  for (; size_ < workers; ++size_) {
    Place& place = core_.places()[size_];
    core_.open_place(place);
    try {
      add(place);
    } catch (...) {
      core_.close_place(place);
      throw;
    }
  }
}

void Crew::add(Place& place) {
  reap();
  auto worker = std::make_unique<Worker>(*this, core_, place);
  place.busy.store(true);
  if (place.started_ns.load() == 0) place.started_ns.store(now().time_since_epoch().count());
  Worker* const before = place.owner.exchange(worker.get());
  try {
    worker->start();
  } catch (...) {
    place.owner.store(before);
    throw;
  }
  workers_.push_back(std::move(worker));
}

void Crew::reap() {
  for (auto it = workers_.begin(); it != workers_.end();) {
    if ((*it)->finished()) {
      (*it)->join();
      it = workers_.erase(it);
    } else {
      ++it;
    }
  }
}

bool Crew::room_for_thread() const { return workers_.size() < threads_max_; }

bool Crew::hand_over(Place& place) {
  const std::lock_guard lock(lock_);
  reap();
  if (!room_for_thread()) return false;
  try {
    add(place);
    return true;
  } catch (const std::system_error&) {
    return false;  // the system has no more threads: wait with what we have
  }
}

bool Crew::take_over(Place& place, std::uint64_t phase) {
  const std::lock_guard lock(lock_);
  reap();
  if (!room_for_thread() || !place.phase.compare_exchange_strong(phase, Phase::between(phase))) {
    return false;
  }
  try {
    add(place);
    return true;
  } catch (const std::system_error&) {
    return false;  // nobody serves the place until the pool is resized; others take what waits
  }
}

bool Crew::pause(const Worker& worker, Place& place) {
  {
    const std::lock_guard lock(lock_);
    if (place.owner.load() != &worker) return false;
    place.paused.store(true);
    PoolCore::admit_to(place, false);
  }
  core_.reclaim(place);
  return true;
}

void Crew::resume(const Worker& worker, Place& place) {
  const std::lock_guard lock(lock_);
  if (place.owner.load() != &worker) return;
  place.paused.store(false);
  if (index(place.id) < size_ && !core_.closed()) PoolCore::admit_to(place, true);
}

bool Crew::has_member(const Place& place) const {
  const std::lock_guard lock(lock_);
  return index(place.id) < size_;
}

bool Crew::vacate(Place& place) {
  const std::lock_guard lock(lock_);
  if (place.open.load() && !core_.closed()) return false;
  place.owner.store(nullptr);
  std::erase_if(leavers_, [&](const Leaver& leaver) { return leaver.place == &place; });
  resized_.open();
  return true;
}

Result<void> Crew::resize(unsigned workers) {
  const std::lock_guard lock(lock_);
  const unsigned low = core_.options().workers_min;
  const unsigned high = core_.options().workers_max;
  if (core_.closed()) return fail(ErrorCode::closed, "the pool has stopped; it has no size");
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
  const Instant force_at = later(now(), core_.options().shrink_timeout);
  while (size_ > workers) {
    Place& place = core_.places()[--size_];
    leavers_.push_back({&place, force_at});
    core_.close_place(place);
    core_.wake(place);
  }
  for (; size_ < workers; ++size_) {
    Place& place = core_.places()[size_];
    core_.open_place(place);
    if (place.owner.load() != nullptr) continue;  // was forced out, and goes on where it is
    try {
      add(place);
    } catch (const std::system_error& error) {
      core_.close_place(place);
      return fail(ErrorCode::unsupported,
                  fmt::format("no thread for worker {}: {}", size_, error.what()));
    }
  }
  return {};
}

unsigned Crew::size() const {
  const std::lock_guard lock(lock_);
  return size_;
}

bool Crew::wait_resized(Instant until) {
  return resized_.wait(until, [this] {
    const std::lock_guard lock(lock_);
    return leavers_.empty();
  });
}

Instant Crew::force_leavers(Instant now) {
  std::vector<Place*> forced;
  Instant next = kNever;
  {
    const std::lock_guard lock(lock_);
    std::erase_if(leavers_, [&](const Leaver& leaver) {
      if (leaver.force_at > now) {
        next = std::min(next, leaver.force_at);
        return false;
      }
      forced.push_back(leaver.place);
      return true;
    });
  }
  if (forced.empty()) return next;
  for (Place* const place : forced) core_.reclaim(*place);
  resized_.open();
  return next;
}

void Crew::close() {
  const std::lock_guard lock(lock_);
  core_.close();
}

void Crew::join_all() {
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

std::size_t Crew::thread_count() const {
  const std::lock_guard lock(lock_);
  return static_cast<std::size_t>(std::count_if(
      workers_.begin(), workers_.end(), [](const auto& worker) { return !worker->finished(); }));
}

}  // namespace artel::pool
