#include "artel/fleet/detail/stages.hpp"

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

void Stages::go_on(std::uint32_t number, Instant now) {
  auto& passing = passing_[number];
  if (host_.nobody_hears(passing.task)) return through(number, TaskEnding::taken_back);
  while (passing.stage < pools_.size()) {
    const auto stage = passing.stage++;
    const double probability = scenario_.stages[stage].probability;
    if (probability < 1 && routes_.uniform() >= probability) continue;
    passing.entered = now;
    ++handing_on_;
    serve(*pools_[stage], number, now);
    --handing_on_;
    return;
  }
  through(number, TaskEnding::served);
}

// As a task of the stage's own: it comes back when it is done.
void Stages::serve(FleetPool& pool, std::uint32_t number, Instant now) {
  const auto& whole = passing_[number].task;
  FleetTask task;
  task.arrival = now;
  task.passing = number;
  task.key = whole.key;
  task.due = whole.due;
  task.priority = whole.priority;
  pool.placement().task_arrives();
  pool.begin(task);
}

void Stages::open() {
  for (auto* pool : pools_) {
    pool->open_views();
    pool->open_workers();
  }
}

void Stages::bind_held() {
  for (auto* pool : pools_) pool->bind_held();
}

void Stages::through(std::uint32_t number, TaskEnding ending) {
  const auto task = passing_[number].task;
  passing_.remove(number);
  host_.been_through(number, task, ending);
}

void Stages::stage_ended(std::uint32_t number, Instant now, Instant start, TaskEnding ending) {
  const auto& passing = passing_[number];
  auto part = passing.task;
  part.arrival = passing.entered;
  part.start = start;
  host_.note_stage(passing.stage, part, ending);
  ending == TaskEnding::served ? go_on(number, now) : through(number, ending);
}

void Stages::take_back(const std::vector<std::uint32_t>& numbers) {
  const auto spares = scenario_.workload.callers.cancel;
  for (const auto number : numbers) passing_[number].task.request = FleetTask::kNobody;
  if (spares == scenario::Spared::nothing) return;
  for (const auto number : numbers) {
    const auto parts = passing_[number].parts;  // they become fewer
    auto& pool = *pools_[passing_[number].stage - 1];
    for (const auto id : parts) {
      if (pool.take_back(id, spares == scenario::Spared::all))
        pool.leave(id, TaskEnding::taken_back);
    }
  }
}

}  // namespace artel::fleet::detail
