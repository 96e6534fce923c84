#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_scaler.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// What the size of a fleet asks of the fleet.
class SizeHost {
 public:
  /// Nothing will happen in the fleet any more.
  [[nodiscard]] virtual bool over() const = 0;
  /// Workers that take tasks.
  [[nodiscard]] virtual std::uint32_t members() const = 0;
  /// Tasks wait in the common queue, and no other task will come before they are served.
  [[nodiscard]] virtual bool waits_alone() const = 0;
  /// One more takes tasks from now on.
  virtual void join() = 0;
  /// One of them takes no more.
  virtual void send_away() = 0;

 protected:
  ~SizeHost() = default;
};

/// How many workers a simulated fleet has, if a scaling policy decides about that.
///
/// Invariants:
///  1  The size is what the policy said last: the workers that take tasks, and those on their way.
///  2  If the fleet is to shrink, the workers on their way go first, the youngest before.
/// Cost: O(1) per step of a task; O(workers on their way) per decision. Threads: its simulation's.
class FleetSize {
 public:
  /// All references must outlive it; `events` handles the events and gives them to on().
  FleetSize(const scenario::Scenario& scenario, std::uint32_t replication, SizeHost& host,
            Meter& meter, sim::Context& events)
      : by_the_clock_(is_of_threads(scenario)), host_(host), meter_(meter), events_(events) {
    if (scenario.pool.scaling) scaler_ = std::make_unique<FleetScaler>(scenario, replication);
  }

  [[nodiscard]] bool scales() const { return scaler_ != nullptr; }
  /// Schedules the first look. A pool of threads looks at once: it follows the clock.
  void open() {
    if (!scaler_) return;
    if (by_the_clock_) return look_at_the_clock();
    events_.emit_self(fleet_event::Look{}, scaler_->period());
  }

  // What the policy hears of.
  void arrived() {
    if (scaler_) scaler_->arrived();
  }
  void entered() {
    if (scaler_) scaler_->entered(events_.now());
  }
  void left(std::optional<Duration> served) {
    if (!scaler_) return;
    scaler_->left(events_.now());
    if (served) scaler_->served(*served);
  }
  void busy(double change) {
    if (scaler_) scaler_->busy(events_.now(), change);
  }

  void on(const fleet_event::Look&);
  void on(const fleet_event::Resize& event);
  void on(const fleet_event::WorkerReady& event);

 private:
  // A worker on its way.
  struct Newcomer {
    std::uint64_t order = 0;
    sim::EventId join{};
  };

  [[nodiscard]] std::uint32_t size() const {
    return host_.members() + static_cast<std::uint32_t>(newcomers_.size());
  }
  void resize(std::uint32_t wanted);
  void look_at_the_clock();

  bool by_the_clock_;
  std::unique_ptr<FleetScaler> scaler_;  // if there is a policy
  SizeHost& host_;
  Meter& meter_;
  sim::Context& events_;
  std::vector<Newcomer> newcomers_;
  std::uint64_t newcomers_ever_ = 0;
};

}  // namespace artel::fleet::detail
