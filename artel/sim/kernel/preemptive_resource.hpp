#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/priority_wait_queue.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

class PreemptiveResource;
class Seat;

/// The cause of the Interrupted of a process that has lost its unit to a more urgent one.
struct Preempted {
  Instant since;          ///< when it had got the unit
  std::int64_t priority;  ///< of who has it now
};

namespace detail {

/// Those who have units, by priority, equals in order of arrival.
using Seats = std::multimap<std::int64_t, Seat*>;

}  // namespace detail

/// A unit of a PreemptiveResource; gives it back when it ends, unless it was preempted. The process
/// that acquired it is interrupted then, unless hand_to() names another. If the resource ends
/// first, it is a seat of nothing. Threads: its simulation's. Cost: as PreemptiveResource.
class Seat {
 public:
  Seat() = default;
  Seat(Seat&& other) noexcept { take_over(other); }
  Seat& operator=(Seat&& other) noexcept;
  ~Seat() { release(); }

  /// Gives the unit back now, if it has one.
  void release();
  /// From now on that process is interrupted when the unit is taken away.
  void hand_to(const ProcessRef& process) {
    if (holds()) process_ = process;
  }
  /// Whether it still has its unit.
  [[nodiscard]] bool holds() const { return resource_ != nullptr; }

 private:
  friend class PreemptiveAcquire;
  friend class PreemptiveResource;

  void take_over(Seat& other);

  PreemptiveResource* resource_ = nullptr;
  ProcessRef process_;
  Instant since_;
  detail::Seats::iterator place_;  // while it has a unit
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
  Instant came_;
  Seat seat_;
};

/// Equal units that go to the most urgent: whoever asks with a lower number than the least urgent
/// holder takes its unit at once. That process is interrupted with a Preempted where it waits, or
/// waits next, and may ask again. If another interrupt is on its way to it, that comes first.
///
///     sim::Seat seat = co_await machine.acquire(priority);
///     try {
///       co_await context.sleep(work);
///     } catch (const sim::Interrupted& interrupted) {
///       if (const auto* lost = interrupted.cause_as<sim::Preempted>()) work -= now() -
///       lost->since;
///     }
///
/// Among equals whoever came first has it. Threads: its simulation's.
/// Cost: O(log of the units and of the priorities). Source: SimPy's PreemptiveResource.
class PreemptiveResource {
 public:
  explicit PreemptiveResource(std::size_t units = 1) : units_(units) {}
  PreemptiveResource(const PreemptiveResource&) = delete;
  PreemptiveResource& operator=(const PreemptiveResource&) = delete;
  ~PreemptiveResource();

  /// The lower the number, the more urgent.
  [[nodiscard]] PreemptiveAcquire acquire(std::int64_t priority = 0) { return {*this, priority}; }

  /// All units. in_use(): those that somebody has.
  [[nodiscard]] std::size_t units() const { return units_; }
  [[nodiscard]] std::size_t in_use() const { return seats_.size(); }

  /// From now on tells `usage` of every change; nullptr: nobody. See Statistics::watch.
  void measure(std::shared_ptr<Usage> usage);

 private:
  friend class PreemptiveAcquire;
  friend class Seat;

  void grant();
  ProcessRef take_away(Seat& seat);
  void note_change();

  std::size_t units_;
  detail::Seats seats_;
  detail::PriorityWaitQueue waiting_;
  std::shared_ptr<Usage> usage_;  // who wants to know
};

}  // namespace artel::sim
