// What happens to tasks after a simulated fleet has served them: the stages.
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/experiment/class_meter.hpp"
#include "artel/experiment/simulated_fleet.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::experiment {

void SimulatedFleet::add_stage(SimulatedFleet& stage) {
  stages_.push_back(&stage);
  stage.first_ = this;
}

// Nothing will happen here any more.
bool SimulatedFleet::over() const {
  const bool closed = first_ != nullptr ? first_->over() : !source_open_;
  return closed && in_system_ == 0;
}

// As a stage: a task comes, and goes back to the first fleet when it is done.
void SimulatedFleet::serve_stage(std::uint32_t passing) {
  FleetTask task{.arrival = now()};
  task.passing = passing;
  task.key = first_->passing_[passing].task.key;
  begin(task);
}

void SimulatedFleet::pass_on(const FleetTask& task) {
  if (free_passing_.empty()) {
    free_passing_.push_back(static_cast<std::uint32_t>(passing_.size()));
    passing_.emplace_back();
  }
  const auto number = free_passing_.back();
  free_passing_.pop_back();
  passing_[number] = {.task = task};
  ++in_system_;
  go_on(number);
}

// To the next stage that it needs.
void SimulatedFleet::go_on(std::uint32_t number) {
  auto& passing = passing_[number];
  while (passing.stage < stages_.size()) {
    const auto stage = passing.stage++;
    const double probability = scenario_.stages[stage].probability;
    if (probability < 1 && routes_.uniform() >= probability) continue;
    passing.entered = now();
    return stages_[stage]->serve_stage(number);
  }
  const auto task = passing.task;
  free_passing_.push_back(number);
  --in_system_;
  conclude(task, Departure::served);
}

void SimulatedFleet::stage_ended(std::uint32_t number, Instant start, Departure ending) {
  const auto& passing = passing_[number];
  auto part = passing.task;
  part.arrival = passing.entered;
  part.start = start;
  note_stage(passing.stage, part, ending);
  if (ending == Departure::served) return go_on(number);
  const auto task = passing.task;
  free_passing_.push_back(number);
  --in_system_;
  conclude(task, ending);
}

// Stage 0 is this fleet.
void SimulatedFleet::note_stage(std::size_t stage, const FleetTask& task, Departure ending) {
  const auto group = static_cast<std::uint32_t>(scenario_.workload.classes.size() + stage);
  classes_.arrived(group, task.counted);
  note_group(group, task, ending);
}

}  // namespace artel::experiment
