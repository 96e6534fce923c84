#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/priority_wait_queue.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/process.hpp"

namespace artel::sim {

class PreemptiveResource;

/// The cause of the Interrupted of a process that has lost its unit to a more urgent one.
struct Preempted {
  Instant since;          ///< when it had got the unit
  std::int64_t priority;  ///< of who has it now
};

/// A unit of a PreemptiveResource; gives it back when it ends, unless it was preempted.
class Seat {
 public:
  Seat() = default;
  Seat(Seat&& other) noexcept { take_over(other); }
  Seat& operator=(Seat&& other) noexcept;
  ~Seat() { release(); }

  /// Gives the unit back now, if it has one.
  void release();
  /// Whether it still has its unit.
  [[nodiscard]] bool holds() const { return resource_ != nullptr; }

 private:
  friend class PreemptiveAcquire;
  friend class PreemptiveResource;

  void take_over(Seat& other);

  PreemptiveResource* resource_ = nullptr;
  ProcessRef process_;
  std::int64_t priority_ = 0;
  Instant since_;
};

/// `Seat seat = co_await resource.acquire(priority);`
class PreemptiveAcquire final : public detail::QueuedWait {
 public:
  using Result = Seat;

  PreemptiveAcquire(PreemptiveResource& resource, std::int64_t priority)
      : resource_(&resource), priority_(priority) {}
  PreemptiveAcquire(PreemptiveAcquire&&) = default;
  ~PreemptiveAcquire() override { withdraw(); }

  void withdraw() override;
  Seat take() { return std::move(seat_); }
  void describe(std::string& text) const override { text += "a unit of a preemptive resource"; }

 private:
  friend struct detail::WaitAccess;
  friend class PreemptiveResource;

  bool start(detail::Wait* parent, detail::ProcessState& process);
  void sit();

  PreemptiveResource* resource_;
  std::int64_t priority_;
  Seat seat_;
};

/// Equal units that go to the most urgent: whoever asks with a lower number than the least urgent
/// holder takes its unit at once. That process is interrupted with a Preempted where it waits, and
/// may ask again.
///
///     sim::Seat seat = co_await machine.acquire(priority);
///     try {
///       co_await context.sleep(work);
///     } catch (const sim::Interrupted& interrupted) {
///       if (const auto* lost = interrupted.cause_as<sim::Preempted>()) work -= now() -
///       lost->since;
///     }
///
/// Among equals whoever came first keeps or gets it. Requires: outlives its seats.
/// Cost: O(log of the units and of those that wait). Source: SimPy's PreemptiveResource.
class PreemptiveResource {
 public:
  explicit PreemptiveResource(std::size_t units = 1) : units_(units) {}
  PreemptiveResource(const PreemptiveResource&) = delete;
  PreemptiveResource& operator=(const PreemptiveResource&) = delete;

  /// The lower the number, the more urgent.
  [[nodiscard]] PreemptiveAcquire acquire(std::int64_t priority = 0) { return {*this, priority}; }

  /// All units. in_use(): those that somebody has.
  [[nodiscard]] std::size_t units() const { return units_; }
  [[nodiscard]] std::size_t in_use() const { return seats_.size(); }

 private:
  friend class PreemptiveAcquire;
  friend class Seat;

  void grant();

  std::size_t units_;
  std::multimap<std::int64_t, Seat*> seats_;  // by priority, equals in order of arrival
  detail::PriorityWaitQueue waiting_;
};

}  // namespace artel::sim
