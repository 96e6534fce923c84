#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/task_table.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

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
         int& handing_on)
      : scenario_(scenario),
        host_(host),
        handing_on_(handing_on),
        routes_(scenario.run.seed, "routes", replication) {}

  [[nodiscard]] bool any() const { return !pools_.empty(); }
  /// How many tasks they see to.
  [[nodiscard]] std::size_t tasks() const { return passing_.size(); }
  /// The next stage; it must outlive this.
  void add(FleetPool& pool) { pools_.push_back(&pool); }
  /// Schedules their first events.
  void open();
  /// Tasks of their common queues go to workers with room.
  void bind_held();

  /// A number for a task that the first fleet has served.
  [[nodiscard]] std::uint32_t open(const FleetTask& task) {
    return passing_.add({.task = task, .parts = {}});
  }
  /// Sends the task to the next stage that it needs.
  void go_on(std::uint32_t number, Instant now);
  /// A stage has ended the task; `start` of its service there.
  void stage_ended(std::uint32_t number, Instant now, Instant start, TaskEnding ending);
  /// Attempts for which nobody waits: they go no further, and what a stage may drop of them it
  /// does, if workers hear of that.
  void take_back(const std::vector<std::uint32_t>& numbers);
  /// Parts of the task in its stage's pool.
  [[nodiscard]] std::vector<std::uint32_t>& parts_of(std::uint32_t number) {
    return passing_[number].parts;
  }

 private:
  struct Passing {
    FleetTask task;
    Instant entered{};                 // its stage
    std::size_t stage = 0;             // the next one
    std::vector<std::uint32_t> parts;  // of it, in the stage's pool
  };

  void through(std::uint32_t number, TaskEnding ending);
  void serve(FleetPool& pool, std::uint32_t number, Instant now);

  const scenario::Scenario& scenario_;
  StagesHost& host_;
  int& handing_on_;
  std::vector<FleetPool*> pools_;
  random::Stream routes_;
  TaskTable<Passing> passing_;
};

}  // namespace artel::fleet::detail
