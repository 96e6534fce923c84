#include "artel/trace/read_job_log.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <istream>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/trace/job_log_entry.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

Result<TaskRecord> read_job(std::string_view line) {
  const auto entry = parse_job_log(line);
  if (!entry) return fail(entry);
  TaskRecord job;
  job.submitted = job.bound = job.started = Instant{entry->started};
  job.finished = later(job.started, entry->runtime);
  job.outcome = entry->succeeded() ? TaskOutcome::done : TaskOutcome::failed;
  if (!plausible(job)) return fail(ErrorCode::invalid, "a time is out of range");
  return job;
}

// Gives every job, in order of start, the lowest slot that is free.
void assign_slots(std::vector<TaskRecord>& jobs) {
  using Busy = std::pair<Instant, std::uint32_t>;  // until when, which
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::uint32_t slots = 0;
  for (TaskRecord& job : jobs) {
    for (; !busy.empty() && busy.top().first <= job.started; busy.pop()) {
      free.push(busy.top().second);
    }
    if (free.empty()) free.push(slots++);
    job.worker = WorkerId{free.top()};
    busy.emplace(job.finished, free.top());
    free.pop();
  }
}

}  // namespace

bool is_job_log(std::string_view first_line) { return first_line.starts_with(kJobLogTitles); }

Result<TaskTrace> read_job_log(std::istream& in, const std::string& name) {
  constexpr file::CsvLimits kLimits;
  TaskTrace trace;
  std::string line;
  if (!std::getline(in, line) || !is_job_log(line)) {
    return fail(ErrorCode::parse, "expected a line with Seq, Host, Starttime, … first",
                name + ":1");
  }
  for (std::uint64_t number = 2; std::getline(in, line); ++number) {
    if (line.empty() || is_job_log(line)) continue;  // runs may be appended to one log
    const auto where = fmt::format("{}:{}", name, number);
    if (number > kLimits.records) {
      return fail(ErrorCode::too_large, fmt::format("more than {} lines", kLimits.records), where);
    }
    const auto job = read_job(line);
    if (!job) return fail(job.error().code, job.error().what, where);
    trace.tasks.push_back(*job);
  }
  if (in.bad()) return fail(ErrorCode::io, "reading failed", name);
  sort_by_submission(trace.tasks);
  assign_slots(trace.tasks);
  trace.header.loop = Loop::closed;
  trace.header.settings = {{"source", "job log"}};
  if (!trace.tasks.empty()) {
    trace.header.started = trace.tasks.front().submitted;
    trace.header.wall = trace.header.started.time_since_epoch();
  }
  return trace;
}

}  // namespace artel::trace
