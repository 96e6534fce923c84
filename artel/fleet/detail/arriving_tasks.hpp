#pragma once

#include <cstdint>

#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

/// The tasks of a source come one after the other: each is told to Fleet::take_arrival(), and the
/// end of the source to the meter.
///
/// Cost: an event per task. Threads: its simulation's.
template <class Fleet, class Events>
class ArrivingTasks : public Events {
 public:
  void on(const fleet_event::TaskArrival& event) {
    if (is_early(*this, event)) [[unlikely]] {
      put_off(*this, event);
      return;
    }
    static_cast<Fleet&>(*this).take_arrival();
    schedule_arrival();
  }

 protected:
  // A TaskPath may stand between the two. NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility)
  ArrivingTasks(const scenario::Scenario& scenario, std::uint32_t replication, Meter& meter)
      : meter_(meter), source_(scenario, replication) {}
  ~ArrivingTasks() = default;

  void schedule_arrival() {
    if (const auto arrival = source_.next_arrival()) {
      this->emit_self(fleet_event::TaskArrival{}, *arrival - this->now());
    } else {
      end_source();
    }
  }
  /// No further task comes.
  void end_source() {
    source_open_ = false;
    meter_.source_ended(this->now());
  }

  Meter& meter_;
  TaskSource source_;
  bool source_open_ = true;
};

}  // namespace artel::fleet::detail
