#include "artel/trace/write_task_timeline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/chrome_trace.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

constexpr std::uint32_t kProcess = 1;

// A change of how many tasks wait and run.
struct Change {
  Instant time;
  int waiting;
  int running;
};

std::vector<Change> changes_of(const std::vector<TaskRecord>& tasks) {
  std::vector<Change> changes;
  for (const TaskRecord& task : tasks) {
    if (task.outcome == TaskOutcome::rejected) continue;
    const int runs = ran(task.outcome) ? 1 : 0;
    changes.push_back({task.submitted, 1, 0});
    changes.push_back({task.started, -1, runs});
    if (runs != 0) changes.push_back({task.finished, 0, -1});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.time < b.time; });
  return changes;
}

/// Writes one trace.
class Timeline {
 public:
  Timeline(ChromeTrace& out, const TaskTrace& trace) : out_(out), trace_(trace) {}

  void write() {
    name_tracks();
    write_tasks();
    write_counters();
  }

 private:
  [[nodiscard]] Instant since_start(Instant time) const {
    return Instant{time - trace_.header.started};
  }
  // From 1; threads outside of the pool come last in number, and first in the picture.
  static std::uint32_t thread_of(WorkerId worker) {
    constexpr std::uint32_t kOutside = 0x7FFFFFFF;
    if (worker == TaskRecord::kNobody) return kOutside;
    return std::min(static_cast<std::uint32_t>(index(worker)) + 1, kOutside - 1);
  }

  void name_tracks() {
    const auto pool = trace_.header.setting("pool.name");
    out_.name_process(kProcess, pool.empty() ? "tasks" : pool);
    std::set<WorkerId> workers;
    for (const TaskRecord& task : trace_.tasks) {
      if (ran(task.outcome)) workers.insert(task.worker);
    }
    for (const WorkerId worker : workers) {
      const bool nobody = worker == TaskRecord::kNobody;
      out_.name_thread({kProcess, thread_of(worker)},
                       nobody ? "waiting threads" : fmt::format("worker {}", index(worker)),
                       nobody ? -1 : static_cast<std::int64_t>(index(worker)));
    }
  }

  void write_tasks() {
    // Slices of one track nest: what starts first and ends last comes first.
    std::vector<std::size_t> order(trace_.tasks.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      const TaskRecord& x = trace_.tasks[a];
      const TaskRecord& y = trace_.tasks[b];
      return std::tie(x.started, y.finished, a) < std::tie(y.started, x.finished, b);
    });
    for (const std::size_t i : order) write_task(i);
  }

  void write_task(std::size_t number) {
    const TaskRecord& task = trace_.tasks[number];
    const auto id = static_cast<std::int64_t>(number);
    const Track track{kProcess, thread_of(task.worker)};
    if (task.started > task.submitted) {
      out_.async_begin(kProcess, "waiting", number, since_start(task.submitted),
                       {{"task", id},
                        {"queued at worker", std::int64_t{task.queued_worker}},
                        {"queued in common", std::int64_t{task.queued_common}}});
      out_.async_end(kProcess, "waiting", number, since_start(task.started));
    }
    if (ran(task.outcome)) {
      out_.slice(track, task.outcome == TaskOutcome::done ? "task" : "failed task",
                 since_start(task.started), task.service(),
                 {{"task", id}, {"waited_ns", std::int64_t{task.queue_delay().count()}}});
    } else {
      out_.instant(track, name(task.outcome), since_start(task.finished), {{"task", id}});
    }
  }

  void write_counters() {
    std::int64_t waiting = 0;
    std::int64_t running = 0;
    const auto changes = changes_of(trace_.tasks);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      waiting += changes[i].waiting;
      running += changes[i].running;
      if (i + 1 < changes.size() && changes[i + 1].time == changes[i].time) continue;
      const Instant time = since_start(changes[i].time);
      out_.counter(kProcess, "waiting tasks", time, static_cast<double>(waiting));
      out_.counter(kProcess, "running tasks", time, static_cast<double>(running));
    }
  }

  ChromeTrace& out_;
  const TaskTrace& trace_;
};

}  // namespace

Result<void> write_task_timeline(const std::filesystem::path& path, const TaskTrace& trace) {
  auto out = ChromeTrace::create(path);
  if (!out) return fail(out);
  Timeline(*out, trace).write();
  return out->finish();
}

}  // namespace artel::trace
