#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_workers.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

/// What outages ask of the fleet that they happen to.
class OutageHost {
 public:
  /// Nothing will happen in the fleet any more.
  [[nodiscard]] virtual bool over() const = 0;
  /// Something has happened at the worker: what its server has ended leaves it, served or, `lost`,
  /// not.
  virtual void settle_after(WorkerId worker, bool lost) = 0;
  /// The worker has forgotten what its cache held.
  virtual void empty_cache(WorkerId worker) = 0;
  /// Dispatchers send the worker nothing from now on, until every reason for that is gone.
  virtual void shut(WorkerId worker) = 0;
  /// One reason for that is gone.
  virtual void reopen(WorkerId worker) = 0;

 protected:
  ~OutageHost() = default;
};

/// When the workers of a simulated fleet break and are whole again, slow down and speed up: by
/// chance, by timetable, and after they have started.
///
/// Invariants:
///  1  A worker works while no failure of it lasts; failures by chance and by timetable count
///     apart.
///  2  Dispatchers learn of either after the detection time, of the state at that moment.
///  3  Nothing is planned once the fleet is over.
/// Cost: O(1) per event, O(log points) per entry of a timetable. Threads: its simulation's.
class Outages {
 public:
  /// All references must outlive it; `events` handles the events and gives them to on().
  Outages(const scenario::Scenario& scenario, FleetWorkers& workers, OutageHost& host,
          sim::Context& events);

  /// Schedules what happens to the workers at the start.
  void open();
  /// A worker joins, or joins again.
  void joined(WorkerId id);
  /// It has started up after it was cold; to be called where its clock has been moved.
  void started(WorkerId id);
  /// Whether a task that comes to the worker now is lost at once.
  [[nodiscard]] bool answers_errors(WorkerId id) const {
    return failures_.task == scenario::FailureSettings::TaskFate::error && workers_.at(id).down > 0;
  }
  /// It has left, with nothing more to do.
  void retired(WorkerId id);

  void on(const fleet_event::Fail& event);
  void on(const fleet_event::Repair& event);
  void on(const fleet_event::OutageStep&);
  void on(const fleet_event::Detected& event);
  void on(const fleet_event::SpeedChange& event);
  void on(const fleet_event::UpToSpeed& event);

 private:
  using SpeedPoint = scenario::SpeedTimetable::Point;
  struct OneWorker {
    bool known_down = false;           // to the dispatchers
    std::size_t state = 0;             // of the speeds that it goes through …
    std::vector<SpeedPoint> points{};  // … by the clock, if it has its own
    sim::EventId turn{};               // it breaks, or is whole again
    sim::EventId next_speed{};
    sim::EventId up_to_speed{};
  };
  // What a timetable of outages does to a worker.
  struct OutageChange {
    enum class Kind : std::uint8_t { drain, fail, repair, reopen };
    Instant at{};
    WorkerId worker{};
    Kind kind = Kind::fail;
  };

  [[nodiscard]] OneWorker& at(WorkerId id);
  void plan_outages();
  void plan_failure(WorkerId id);
  void plan_speed(WorkerId id);
  void fail(WorkerId id);
  void repair(WorkerId id);
  void detect_later(WorkerId id);
  void follow_timetable(WorkerId id, const scenario::SpeedTimetable& timetable);
  [[nodiscard]] std::span<const SpeedPoint> points_of(WorkerId id,
                                                      const scenario::SpeedTimetable& timetable);

  const scenario::WorkerSettings& settings_;
  scenario::FailureSettings failures_;  // if there are any
  bool speeds_alike_;                   // of all workers, by the clock
  FleetWorkers& workers_;
  OutageHost& host_;
  sim::Context& events_;
  std::vector<OneWorker> each_;
  std::vector<OutageChange> changes_;  // in order of time …
  std::size_t next_change_ = 0;        // … and which comes next
};

}  // namespace artel::fleet::detail
