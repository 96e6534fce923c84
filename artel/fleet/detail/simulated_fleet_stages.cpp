// What happens to tasks after a simulated fleet has served them: the stages.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

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
  const auto& whole = first_->passing_[passing].task;
  task.key = whole.key;
  task.due = whole.due;
  task.priority = whole.priority;
  begin(task);
}

void SimulatedFleet::pass_on(const FleetTask& task) {
  if (free_passing_.empty()) {
    free_passing_.push_back(static_cast<std::uint32_t>(passing_.size()));
    passing_.emplace_back();
  }
  const auto number = free_passing_.back();
  free_passing_.pop_back();
  passing_[number] = {.task = task, .parts = {}};
  if (task.request < kNobody) requests_[task.request].passing.push_back(number);
  ++in_system_;
  go_on(number);
}

// To the next stage that it needs.
void SimulatedFleet::go_on(std::uint32_t number) {
  auto& passing = passing_[number];
  if (nobody_hears(passing.task)) return through(number, Departure::taken_back);
  while (passing.stage < stages_.size()) {
    const auto stage = passing.stage++;
    const double probability = scenario_.stages[stage].probability;
    if (probability < 1 && routes_.uniform() >= probability) continue;
    passing.entered = now();
    ++handing_on_;
    stages_[stage]->serve_stage(number);
    --handing_on_;
    return;
  }
  through(number, Departure::served);
}

// All stages, or as far as it came.
void SimulatedFleet::through(std::uint32_t number, Departure ending) {
  const auto task = passing_[number].task;
  free_passing_.push_back(number);
  --in_system_;
  if (task.request == kNoRequest) return conclude(task, ending);
  if (task.request != kNobody) std::erase(requests_[task.request].passing, number);
  tell_end(task, ending);
}

void SimulatedFleet::stage_ended(std::uint32_t number, Instant start, Departure ending) {
  const auto& passing = passing_[number];
  auto part = passing.task;
  part.arrival = passing.entered;
  part.start = start;
  note_stage(passing.stage, part, ending);
  ending == Departure::served ? go_on(number) : through(number, ending);
}

// Attempts for which nobody waits: they go no further, and what of them a stage may drop it does.
void SimulatedFleet::take_back_passing(const std::vector<std::uint32_t>& numbers) {
  const auto spares = scenario_.workload.callers.cancel;
  for (const auto number : numbers) passing_[number].task.request = kNobody;
  if (spares == scenario::Spared::nothing) return;
  for (const auto number : numbers) {
    const auto& passing = passing_[number];
    stages_[passing.stage - 1]->take_back_parts(passing.parts, spares == scenario::Spared::all);
  }
}

void SimulatedFleet::take_back_parts(const std::vector<std::uint32_t>& parts, bool in_service) {
  const std::vector<std::uint32_t> ids(parts.begin(), parts.end());  // parts become fewer
  for (const auto id : ids) {
    if (take_back(id, in_service)) leave(id, Departure::taken_back);
  }
}

// Stage 0 is this fleet.
void SimulatedFleet::note_stage(std::size_t stage, const FleetTask& task, Departure ending) {
  const auto group = static_cast<std::uint32_t>(scenario_.workload.classes.size() + stage);
  classes_.arrived(group, task.counted);
  note_group(group, task, ending);
}

}  // namespace artel::fleet::detail
