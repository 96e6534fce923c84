// What happens to tasks after a simulated fleet has served them: the stages.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

void SimulatedFleet::add_stage(SimulatedFleet& stage) {
  stages_.add(stage);
  stage.first_ = this;
}

// Nothing will happen here any more.
bool SimulatedFleet::over() const {
  const bool closed = first_ != nullptr ? first_->over() : !source_open_;
  return closed && in_system_ == 0;
}

// As a stage: a task comes, and goes back to the first fleet when it is done.
void SimulatedFleet::serve_stage(std::uint32_t passing, const FleetTask& whole) {
  FleetTask task{.arrival = now()};
  task.passing = passing;
  task.key = whole.key;
  task.due = whole.due;
  task.priority = whole.priority;
  begin(task);
}

void SimulatedFleet::pass_on(const FleetTask& task) {
  const auto number = stages_.open(task);
  if (task.of_request()) callers_.passes_on(task, number);
  ++in_system_;
  stages_.go_on(number, now());
}

void SimulatedFleet::been_through(std::uint32_t number, const FleetTask& task, TaskEnding ending) {
  --in_system_;
  if (task.request == FleetTask::kNoRequest) return conclude(task, ending);
  if (task.of_request()) callers_.been_through(task, number);
  tell_end(task, ending);
}

void SimulatedFleet::take_back_parts(const std::vector<std::uint32_t>& parts, bool in_service) {
  const std::vector<std::uint32_t> ids(parts.begin(), parts.end());  // parts become fewer
  for (const auto id : ids) {
    if (take_back(id, in_service)) leave(id, TaskEnding::taken_back);
  }
}

void SimulatedFleet::note_stage(std::size_t stage, const FleetTask& task, TaskEnding ending) {
  const auto group = static_cast<std::uint32_t>(scenario_.workload.classes.size() + stage);
  classes_.arrived(group, task.counted);
  note_group(group, task, ending);
}

}  // namespace artel::fleet::detail
