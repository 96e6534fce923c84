#include "artel/fleet/detail/task_recorder.hpp"

#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet::detail {
namespace {

// As priorities are recorded.
std::uint8_t recorded_priority(std::int32_t priority) {
  using enum dispatch::Precedence;
  return static_cast<std::uint8_t>(priority == 0 ? usual : priority > 0 ? first : last);
}

}  // namespace

void TaskRecorder::came(FleetTask& task, std::size_t waiting) {
  ARTEL_REQUIRE(records_->size() < UINT32_MAX, "more tasks than a recording has room for");
  task.record = static_cast<std::uint32_t>(records_->size());
  const bool ends = task.expires != kNever;
  const auto now = clock_.now();
  records_->push_back({.submitted = task.arrival,
                       .bound = now,
                       .started = now,
                       .finished = now,
                       .size = task.hint,
                       .patience = ends ? task.expires - task.arrival : kForever,
                       .priority = recorded_priority(task.priority),
                       .task_class = static_cast<std::uint16_t>(task.class_or_first()),
                       .queued_common = static_cast<std::uint32_t>(waiting)});
}

void TaskRecorder::bound(const FleetTask& task, std::uint32_t waiting) {
  auto& record = of(task);
  if (record.worker != trace::TaskRecord::kNobody) return;
  record.bound = clock_.now();
  record.worker = task.worker;
  record.queued_worker = waiting;
}

void TaskRecorder::started(const FleetTask& task) {
  auto& record = of(task);
  record.worker = task.worker;
  record.started = clock_.now();
}

void TaskRecorder::left(const FleetTask& task, TaskEnding ending) {
  auto& record = of(task);
  record.finished = clock_.now();
  if (ending == TaskEnding::rejected) record.outcome = trace::TaskOutcome::rejected;
  if (ending != TaskEnding::gave_up) return;
  record.outcome = trace::TaskOutcome::expired;
  record.bound = record.started = clock_.now();
}

}  // namespace artel::fleet::detail
