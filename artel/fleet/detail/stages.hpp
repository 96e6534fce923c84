#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

/// A fleet as a stage of another one.
class StageFleet {
 public:
  /// Schedules its first events.
  virtual void open() = 0;
  /// Tasks of its common queue go to workers that have room.
  virtual void bind_held() = 0;
  /// A task comes: number `passing` of the first fleet's Stages, with what all stages need of it.
  virtual void serve_stage(std::uint32_t passing, const FleetTask& task) = 0;
  /// Nobody waits for these parts of tasks: what the fleet may still drop leaves it.
  virtual void take_back_parts(const std::vector<std::uint32_t>& parts, bool in_service) = 0;

 protected:
  ~StageFleet() = default;
};

/// What the stages of a fleet ask of it.
class StagesHost {
 public:
  /// The task, or attempt, of that number has been through all stages, or as far as it came.
  virtual void been_through(std::uint32_t number, const FleetTask& task, TaskEnding ending) = 0;
  /// Nobody waits for the attempt, and its workers hear of that.
  [[nodiscard]] virtual bool nobody_hears(const FleetTask& attempt) const = 0;
  /// What stage `stage` had of a task; 0 is the first fleet.
  virtual void note_stage(std::size_t stage, const FleetTask& task, TaskEnding ending) = 0;

 protected:
  ~StagesHost() = default;
};

/// The tasks, or attempts, that stages after a first fleet see to, and where each goes next.
///
/// Invariants:
///  1  A task goes to the stages in order, to each as its probability says, and to the next one
///  only
///     when served.
///  2  A number belongs to one task, from open() until been_through().
/// Cost: O(stages) per task. Threads: its simulation's.
class Stages {
 public:
  /// All references must outlive it. `handing_on` counts the tasks that are just being handed to a
  /// fleet: callers hear of what comes of that afterwards.
  Stages(const scenario::Scenario& scenario, std::uint32_t replication, StagesHost& host,
         std::uint32_t& handing_on)
      : scenario_(scenario),
        host_(host),
        handing_on_(handing_on),
        routes_(scenario.run.seed, "routes", replication) {}

  [[nodiscard]] bool any() const { return !fleets_.empty(); }
  /// In order.
  [[nodiscard]] const std::vector<StageFleet*>& fleets() const { return fleets_; }
  /// The next stage; it must outlive this.
  void add(StageFleet& fleet) { fleets_.push_back(&fleet); }

  /// A number for a task that the first fleet has served.
  [[nodiscard]] std::uint32_t open(const FleetTask& task);
  /// Sends the task to the next stage that it needs.
  void go_on(std::uint32_t number, Instant now);
  /// A stage has ended the task; `start` of its service there.
  void stage_ended(std::uint32_t number, Instant now, Instant start, TaskEnding ending);
  /// Attempts for which nobody waits: they go no further, and what a stage may drop of them it
  /// does, if workers hear of that.
  void take_back(const std::vector<std::uint32_t>& numbers);
  /// Parts of the task in its stage's fleet.
  [[nodiscard]] std::vector<std::uint32_t>& parts_of(std::uint32_t number) {
    return passing_[number].parts;
  }

 private:
  struct Passing {
    FleetTask task;
    Instant entered{};                 // its stage
    std::size_t stage = 0;             // the next one
    std::vector<std::uint32_t> parts;  // of it, in the stage's fleet
  };

  void through(std::uint32_t number, TaskEnding ending);

  const scenario::Scenario& scenario_;
  StagesHost& host_;
  std::uint32_t& handing_on_;
  std::vector<StageFleet*> fleets_;
  random::Stream routes_;
  std::vector<Passing> passing_;
  std::vector<std::uint32_t> free_;
};

}  // namespace artel::fleet::detail
