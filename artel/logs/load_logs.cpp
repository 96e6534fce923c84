#include "artel/logs/load_logs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/detail/class_names.hpp"
#include "artel/logs/detail/files_progress.hpp"
#include "artel/logs/detail/load_raw_log.hpp"
#include "artel/logs/detail/longest_gap.hpp"
#include "artel/logs/detail/worker_numbers.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {

Result<LoadedLog> load_logs(std::span<const std::filesystem::path> paths, const LogOptions& options,
                            const trace::TraceLimits& limits) {
  if (paths.size() == 1) return load_log(paths.front(), options, limits);
  LoadedLog all;
  detail::WorkerNumbers numbers;
  detail::KeptClasses classes;
  std::vector<std::size_t> ends;  // of each log's tasks
  detail::FilesProgress progress(paths, options.progress);
  auto watched = options;
  for (const auto& path : paths) {
    watched.progress = progress.next();
    auto loaded = detail::load_raw_log(path, watched, limits);
    if (!loaded) return loaded;
    const auto& reading = loaded->reading;
    if (!reading) {
      return fail(ErrorCode::invalid, detail::kOnlyLogs, path.string());
    }
    if (!all.reading) {
      all.reading = *reading;
    } else if (const auto added = all.reading->add(*reading); !added) {
      return fail(added.error().code, added.error().what, path.string());
    }
    auto& tasks = all.trace.tasks;
    for (auto& task : loaded->trace.tasks) {
      numbers.renumber(task, reading->workers);
      tasks.push_back(task);
    }
    ends.push_back(tasks.size());
    classes.add(reading->classes);
    std::ranges::move(loaded->trace.damage, std::back_inserter(all.trace.damage));
    if (tasks.size() > limits.tasks)
      return fail(ErrorCode::too_large, fmt::format("more than {} tasks", limits.tasks),
                  path.string());
  }
  if (!all.reading) return fail(ErrorCode::invalid, "there is no log to read");
  classes.settle(*all.reading);
  for (std::size_t log = 0, i = 0; log < ends.size(); ++log) {
    for (; i < ends[log]; ++i)
      all.trace.tasks[i].task_class = classes.of(log, all.trace.tasks[i].task_class);
  }
  trace::sort_by_submission(all.trace.tasks);
  progress.finish();
  all.trace.header = header_of(*all.reading);
  all.reading->gap = detail::longest_gap(all.trace.tasks);
  if (!all.trace.tasks.empty()) {
    all.trace.header.started = all.trace.tasks.front().submitted;
    all.trace.header.wall = all.trace.header.started.time_since_epoch();
  }
  return all;
}

}  // namespace artel::logs
