// What a simulated fleet's dispatchers know of a task as they decide, what its workers keep of it.
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/prefix_cache.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::fleet::detail {

dispatch::TaskHints SimulatedFleet::hints_of(const FleetTask& task) const {
  dispatch::TaskHints hints = task.hint;
  if (!hinted_) return hints;
  hints.key = task.key;
  hints.task_class = task.task_class == kNoClass ? 0 : task.task_class;
  hints.deadline = task.due;
  return hints;
}

// Somebody has room.
WorkerId SimulatedFleet::choose(const FleetTask& task) {
  auto draw = table_.draw(hints_of(task));
  if (!caches_.empty()) draw.matched = matched_of(task);
  const auto chosen = table_.choose(draw);
  ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
  return *chosen;
}

// Who waits in the common queue goes to workers with room, all of them before callers hear of any.
void SimulatedFleet::bind_held() {
  if (held_.empty()) return;
  table_.advance(now());
  ++whole().handing_on_;
  while (!held_.empty() && table_.open()) {
    const auto id = held_.pop().job.id;
    if (codel_ && codel_->drops(now(), now() - tasks_[id].arrival, held_.empty())) {
      dispatchers_.note_done(tasks_[id].note, now(), false);
      leave(id, Departure::rejected);
    } else {
      bind(id, choose(tasks_[id]));
    }
  }
  --whole().handing_on_;
}

// Several workers may get room at one moment: who waits goes to whom the policy names among all of
// them.
void SimulatedFleet::bind_held_soon() {
  if (held_.empty() || std::exchange(looks_soon_, true)) return;
  emit_self(fleet_event::BindHeld{}, Duration::zero());
}

void SimulatedFleet::on(const fleet_event::BindHeld&) {
  looks_soon_ = false;
  bind_held();
  tell_callers();
}

// What each worker holds of the task's prefix, for policies that want to know.
std::span<const float> SimulatedFleet::matched_of(const FleetTask& task) {
  if (caches_.empty() || !table_.needs().inputs.has(dispatch::PolicyInput::matched)) return {};
  const auto& prefixes = scenario_.workload.trace->prefixes;
  const auto prefix = prefixes.of(task.row);
  const auto all = static_cast<double>(prefixes.tokens_of(task.row, prefix.size()));
  matched_.resize(caches_.size());
  for (std::size_t w = 0; w < caches_.size(); ++w) {
    const auto held = prefixes.tokens_of(task.row, caches_[w].matched(prefix));
    matched_[w] = all > 0 ? static_cast<float>(static_cast<double>(held) / all) : 0;
  }
  return matched_;
}

// Nothing where the table decides when the task is placed, or if the dispatcher knows none with
// room.
std::optional<WorkerId> SimulatedFleet::dispatcher_decides(const FleetTask& task) {
  if (dispatchers_.all_knowing()) return std::nullopt;
  return dispatchers_.decide(table_.chooser(), table_.loads(), hints_of(task), now(),
                             matched_of(task));
}

// The task has come to its worker: it takes less time by what is there.
void SimulatedFleet::use_cache(FleetTask& task) {
  const auto& trace = *scenario_.workload.trace;
  const auto prefix = trace.prefixes.of(task.row);
  auto& cache = caches_[index(task.worker)];
  const auto held = trace.prefixes.tokens_of(task.row, cache.matched(prefix));
  const auto all = trace.prefixes.tokens_of(task.row, prefix.size());
  cache.use(prefix);
  meter_.prefix(held, all, task.counted);
  if (held == 0 || trace.saves.empty()) return;
  const double share = static_cast<double>(held) / static_cast<double>(all);
  auto& part = trace.joins.empty() ? task.size : task.join;
  part -= from_seconds(to_seconds(trace.saves[task.row]) * share);
}

void SimulatedFleet::empty_cache(WorkerId id) {
  const auto& cache = scenario_.pool.worker.cache;
  if (!cache) return;
  while (caches_.size() <= index(id)) caches_.emplace_back(cache->blocks);
  caches_[index(id)].clear();
}

}  // namespace artel::fleet::detail
