#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/priority_wait_queue.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

class Resource;

/// Units of a Resource in use; gives them back when it ends. If the resource ends first, it is a
/// lease of nothing. Threads: its simulation's. Cost: as Resource.
class Lease {
 public:
  Lease() = default;
  Lease(Resource& resource, std::uint64_t units);
  Lease(Lease&& other) noexcept;
  Lease& operator=(Lease&& other) noexcept;
  ~Lease() { release(); }

  /// Gives the units back now.
  void release();

 private:
  friend class Resource;

  void take_over(Lease& other);
  void unlist();

  Resource* resource_ = nullptr;
  std::uint64_t units_ = 0;
  Lease* before_ = nullptr;  // of the same resource
  Lease* behind_ = nullptr;
};

/// `Lease lease = co_await resource.acquire(2);`
class Acquire final : public detail::QueuedWait {
 public:
  using Result = Lease;

  Acquire(Resource& resource, std::uint64_t units, std::int64_t priority)
      : resource_(&resource), units_(units), priority_(priority) {}
  Acquire(Acquire&&) = default;
  ~Acquire() override { withdraw(); }

  void withdraw() override;
  Lease take() { return std::move(lease_); }
  void describe(std::string& text) const override;

 private:
  friend struct detail::WaitAccess;
  friend class Resource;

  bool start(detail::Wait* parent, detail::ProcessState& process);
  [[nodiscard]] bool ready(const detail::ProcessState& process) const;

  Resource* resource_;
  std::uint64_t units_;
  std::int64_t priority_;
  Instant since_;
  Lease lease_;
};

/// A number of equal units that processes use for a while: cores, memory, licences, a lock.
///
/// Requests are served by priority, the lowest number first, then in order of arrival. The first in
/// line gets its units as soon as that many are free, a new request that would be the first at
/// once. Until then it blocks those behind it, also those that would fit: small requests do not
/// overtake a large one. A lease that was granted to a process which is cancelled before it runs
/// goes to the next. Cost: O(1), however many wait; with priorities O(log of them). Threads: its
/// simulation's.
class Resource {
 public:
  explicit Resource(std::uint64_t units) : free_(units), total_(units) {}
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  ~Resource();

  /// Requires: 1 <= units <= total().
  [[nodiscard]] Acquire acquire(std::uint64_t units = 1, std::int64_t priority = 0);

  /// Units that nobody has. total(): all.
  [[nodiscard]] std::uint64_t free() const { return free_; }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  /// Requests that wait.
  [[nodiscard]] std::size_t waiting_count() const { return waiting_.size(); }

  /// From now on tells `usage` of every change; nullptr: nobody. See Statistics::watch.
  void measure(std::shared_ptr<Usage> usage);

 private:
  friend class Acquire;
  friend class Lease;

  void give_back(std::uint64_t units);
  void grant();
  void note_granted(const Acquire& acquire);
  void note_change();

  std::uint64_t free_;
  std::uint64_t total_;
  detail::PriorityWaitQueue waiting_;
  Lease* leases_ = nullptr;
  std::shared_ptr<Usage> usage_;  // who wants to know
};

/// A lock: `Lease lock = co_await mutex.lock();` Threads: its simulation's. Cost: O(1).
class Mutex {
 public:
  [[nodiscard]] Acquire lock() { return one_.acquire(); }
  /// Whether somebody has it.
  [[nodiscard]] bool locked() const { return one_.free() == 0; }
  /// What it is made of, for Statistics.
  [[nodiscard]] Resource& resource() { return one_; }

 private:
  Resource one_{1};
};

}  // namespace artel::sim
