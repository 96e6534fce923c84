#include "artel/trace/trace_summary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

std::uint64_t count(Duration duration) { return static_cast<std::uint64_t>(duration.count()); }

}  // namespace

TraceSummary summarise(const TaskTrace& trace) {
  TraceSummary summary;
  std::map<WorkerId, WorkerUse> workers;
  Instant end = Instant::min();
  summary.classes.resize(trace.header.classes.size());
  for (const TaskRecord& task : trace.tasks) {
    ++summary.outcomes[static_cast<std::size_t>(task.outcome)];
    end = std::max(end, task.finished);
    auto* const of_class =
        task.task_class < summary.classes.size() ? &summary.classes[task.task_class] : nullptr;
    if (of_class != nullptr) ++of_class->tasks;
    if (!ran(task.outcome)) continue;
    summary.response_ns.record(count(task.response()));
    summary.queue_delay_ns.record(count(task.queue_delay()));
    summary.service_ns.record(count(task.service()));
    if (of_class != nullptr) {
      of_class->response_ns.record(count(task.response()));
      of_class->service_ns.record(count(task.service()));
      of_class->busy += task.service();
    }
    WorkerUse& use = workers[task.worker];
    use.worker = task.worker;
    ++use.tasks;
    use.busy += task.service();
  }
  if (trace.tasks.empty()) return summary;
  summary.length = end - trace.tasks.front().submitted;
  const double seconds = to_seconds(summary.length);
  for (auto& [id, use] : workers) {
    if (seconds > 0) use.share = to_seconds(use.busy) / seconds;
    summary.workers.push_back(use);
  }
  if (seconds > 0) {
    summary.submitted_per_s = static_cast<double>(trace.tasks.size()) / seconds;
    summary.finished_per_s = static_cast<double>(summary.service_ns.count()) / seconds;
  }
  return summary;
}

}  // namespace artel::trace
