#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet::detail {

/// Writes the life of every task of a simulated fleet as a real pool records it; with `fork`, of
/// every part. Where nothing is recorded, active() is false, and nothing else may be told.
///
/// Cost: O(1) each; memory for all tasks. Threads: its simulation's.
class TaskRecorder {
 public:
  explicit TaskRecorder(const sim::Context& clock) : clock_(clock) {}

  /// Into `records`, in order of arrival; they must outlive the fleet.
  void record_into(std::vector<trace::TaskRecord>& records) { records_ = &records; }
  [[nodiscard]] bool active() const { return records_ != nullptr; }

  /// A task has come; so many wait in the common queue.
  void came(FleetTask& task, std::size_t waiting);
  /// It is bound to a worker at which so many wait. One that was taken over was bound before.
  void bound(const FleetTask& task, std::uint32_t waiting);
  void started(const FleetTask& task);
  void left(const FleetTask& task, TaskEnding ending);

 private:
  [[nodiscard]] trace::TaskRecord& of(const FleetTask& task) { return (*records_)[task.record]; }

  const sim::Context& clock_;
  std::vector<trace::TaskRecord>* records_ = nullptr;
};

}  // namespace artel::fleet::detail
