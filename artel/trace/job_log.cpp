#include "artel/trace/job_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/error/error.hpp"
#include "artel/trace/csv.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/timestamp.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"
#include "artel/unit/parse_number.hpp"

namespace artel::trace {
namespace {

constexpr std::string_view kHeader =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";
constexpr std::size_t kFields = 9;
constexpr std::size_t kStart = 2, kRuntime = 3, kExit = 6, kSignal = 7;

// Cuts at tabs; the command, which is last, may have some of its own.
std::optional<std::array<std::string_view, kFields>> fields_of(std::string_view line) {
  std::array<std::string_view, kFields> fields;
  for (std::size_t i = 0; i + 1 < kFields; ++i) {
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(tab + 1);
  }
  fields.back() = line;
  return fields;
}

std::string_view unpadded(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

Result<TaskRecord> read_job(std::string_view line) {
  const auto fields = fields_of(line);
  if (!fields) {
    return fail(ErrorCode::parse, fmt::format("found '{}'; expected {} fields with tabs between",
                                              line.substr(0, 40), kFields));
  }
  const auto started = parse_timestamp(unpadded((*fields)[kStart]), TimeFormat::seconds);
  if (!started) return fail(ErrorCode::parse, "Starttime: " + started.error().what);
  const auto runtime = parse_timestamp(unpadded((*fields)[kRuntime]), TimeFormat::seconds);
  if (!runtime) return fail(ErrorCode::parse, "JobRuntime: " + runtime.error().what);
  const auto exit_value = parse_number<int>((*fields)[kExit]);
  const auto signal = parse_number<int>((*fields)[kSignal]);
  if (!exit_value || !signal) {
    return fail(ErrorCode::parse,
                fmt::format("found Exitval '{}' and Signal '{}'; expected whole "
                            "numbers",
                            (*fields)[kExit].substr(0, 40), (*fields)[kSignal].substr(0, 40)));
  }
  TaskRecord job;
  job.submitted = job.bound = job.started = Instant{*started};
  job.finished = later(job.started, *runtime);
  job.outcome = *exit_value == 0 && *signal == 0 ? TaskOutcome::done : TaskOutcome::failed;
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

bool is_job_log(std::string_view first_line) {
  return first_line.substr(0, kHeader.size()) == kHeader;
}

Result<TaskTrace> read_job_log(std::istream& in, const std::string& name) {
  constexpr CsvLimits kLimits;
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
