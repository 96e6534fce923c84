#include "artel/trace/task_csv_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/file/whole_file.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

// NOLINTBEGIN(readability-identifier-naming): constants of this file
enum Column : std::size_t {
  kSubmitted,
  kBound,
  kStarted,
  kFinished,
  kService,
  kSize,
  kWorker,
  kOutcome,
  kPriority,
  kQueuedWorker,
  kQueuedCommon,
  kPatience,
  kColumns
};
// NOLINTEND(readability-identifier-naming)
constexpr std::array<std::string_view, kColumns> kNames{
    "submitted", "bound",   "started",  "finished",      "service",       "size",
    "worker",    "outcome", "priority", "queued_worker", "queued_common", "patience"};

/// Turns records of a CSV file into tasks.
class TaskCsvReader {
 public:
  TaskCsvReader(std::istream& in, const std::string& name, const TaskCsvSpec& spec)
      : csv_(in, name), name_(name), spec_(spec) {}

  Result<TaskTrace> read() {
    if (const auto found = find_columns(); !found) return fail(found);
    for (;;) {
      const auto more = csv_.next();
      if (!more) return fail(more);
      if (!*more) break;
      if (const auto whole = header_.check_length(csv_); !whole) return fail(whole);
      auto task = read_task();
      if (!task) return fail(task);
      trace_.tasks.push_back(*task);
    }
    sort_by_submission(trace_.tasks);
    if (!trace_.tasks.empty()) trace_.header.started = trace_.tasks.front().submitted;
    trace_.header.settings.emplace("source", "csv");
    if (!columns_[kStarted]) trace_.header.settings.emplace("starts", "unknown");
    return std::move(trace_);
  }

 private:
  Result<void> find_columns() {
    const auto some = csv_.next();
    if (!some) return fail(some);
    if (!*some) {
      return fail(ErrorCode::invalid, "the trace is empty; expected a line with column names",
                  name_);
    }
    header_ = file::CsvHeader(csv_);
    for (const auto& [ours, theirs] : spec_.columns) {
      if (std::find(kNames.begin(), kNames.end(), ours) == kNames.end()) {
        return fail(ErrorCode::invalid, unknown_name("value of a task", ours, kNames), name_);
      }
    }
    for (std::size_t i = 0; i < kColumns; ++i) {
      const auto given = spec_.columns.find(kNames[i]);
      const std::string_view column =
          given == spec_.columns.end() ? kNames[i] : std::string_view(given->second);
      const bool wanted = i == kSubmitted || given != spec_.columns.end();
      if (!wanted && !header_.has(column)) continue;
      const auto found = header_.find(column);
      if (!found) return fail(found);
      columns_[i] = *found;
    }
    if (!columns_[kService] && !columns_[kFinished]) {
      return fail(ErrorCode::invalid,
                  "no column says how long a task took; expected 'service' (seconds) or 'finished' "
                  "(a time), or one named by --column service=NAME",
                  csv_.where());
    }
    return {};
  }

  // Empty when there is none.
  // NOLINTBEGIN(bugprone-unchecked-optional-access): looked at first, or a column that was read
  [[nodiscard]] std::string_view text(Column column) const {
    return columns_[column] ? file::trimmed(csv_[*columns_[column]]) : std::string_view{};
  }

  [[nodiscard]] tl::unexpected<Error> refuse(Column column, const std::string& what) const {
    return fail(ErrorCode::parse,
                fmt::format("column '{}': {}", header_.name(*columns_[column]), what),
                csv_.where(*columns_[column]));
  }
  // NOLINTEND(bugprone-unchecked-optional-access)

  Result<Instant> time(Column column, Instant otherwise) const {
    const auto written = text(column);
    if (written.empty() && column != kSubmitted) return otherwise;
    const auto time = file::parse_timestamp(written, spec_.time_format);
    if (!time) return refuse(column, time.error().what);
    return Instant{*time};
  }

  Result<Duration> seconds(Column column) const {
    const auto written = text(column);
    if (written.empty()) return Duration::zero();
    const auto length = file::parse_timestamp(written, file::TimeFormat::seconds);
    if (!length || *length < Duration::zero()) {
      return refuse(column, fmt::format("found '{}'; expected a number of seconds", written));
    }
    return *length;
  }

  template <class Number>
  Result<Number> number(Column column, Number otherwise) const {
    const auto written = text(column);
    if (written.empty()) return otherwise;
    if (const auto value = parse_number<Number>(written)) return *value;
    return refuse(column, fmt::format("found '{}'; expected a whole number", written));
  }

  Result<void> read_times(TaskRecord& task) const {
    const auto submitted = time(kSubmitted, {});
    if (!submitted) return fail(submitted);
    const auto bound = time(kBound, *submitted);
    if (!bound) return fail(bound);
    const auto started = time(kStarted, *bound);
    if (!started) return fail(started);
    const auto service = seconds(kService);
    if (!service) return fail(service);
    const auto finished = time(kFinished, later(*started, *service));
    if (!finished) return fail(finished);
    task.submitted = *submitted;
    task.bound = *bound;
    task.started = *started;
    task.finished = *finished;
    return {};
  }

  Result<TaskRecord> read_task() const {
    TaskRecord task;
    if (const auto read = read_times(task); !read) return fail(read);
    const auto size = seconds(kSize);
    if (!size) return fail(size);
    task.size = *size;
    const auto worker = number(kWorker, static_cast<std::uint32_t>(index(TaskRecord::kNobody)));
    if (!worker) return fail(worker);
    task.worker = WorkerId{*worker};
    if (const auto outcome = text(kOutcome); !outcome.empty()) {
      const auto found = find_task_outcome(outcome);
      if (!found) {
        return refuse(kOutcome, fmt::format("found '{}'; expected done, failed, cancelled, expired "
                                            "or rejected",
                                            outcome.substr(0, 40)));
      }
      task.outcome = *found;
    }
    const auto priority = number(kPriority, task.priority);
    if (!priority) return fail(priority);
    task.priority = *priority;
    const auto queued_worker = number(kQueuedWorker, task.queued_worker);
    if (!queued_worker) return fail(queued_worker);
    task.queued_worker = *queued_worker;
    const auto queued_common = number(kQueuedCommon, task.queued_common);
    if (!queued_common) return fail(queued_common);
    task.queued_common = *queued_common;
    if (!text(kPatience).empty()) {
      const auto patience = seconds(kPatience);
      if (!patience) return fail(patience);
      task.patience = *patience;
    }
    if (!plausible(task)) {
      return fail(ErrorCode::invalid,
                  "expected submitted <= bound <= started <= finished, within 36 years each",
                  csv_.where());
    }
    return task;
  }

  file::CsvReader csv_;
  const std::string& name_;
  const TaskCsvSpec& spec_;
  file::CsvHeader header_;
  std::array<std::optional<std::size_t>, kColumns> columns_{};
  TaskTrace trace_;
};

// "12.000000345"
void append_seconds(std::string& out, Duration duration) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t ns = duration.count();
  if (ns < 0) out += '-';
  const auto size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  fmt::format_to(std::back_inserter(out), "{}.{:09}", size / kSecond, size % kSecond);
}

// In quotes, of which those within are doubled.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

void append_task(std::string& out, const TaskRecord& task, const TraceHeader& header) {
  for (const Instant time : {task.submitted, task.bound, task.started, task.finished}) {
    append_seconds(out, time - header.started);
    out += ',';
  }
  if (task.size > Duration::zero()) append_seconds(out, task.size);
  out += ',';
  if (task.worker != TaskRecord::kNobody) out += std::to_string(index(task.worker));
  fmt::format_to(std::back_inserter(out), ",{},{},{},{},", name(task.outcome), task.priority,
                 task.queued_worker, task.queued_common);
  if (task.patience != kForever) append_seconds(out, task.patience);
  if (!header.classes.empty()) {
    out += ',';
    append_quoted(out, header.classes[task.task_class]);
  }
  out += '\n';
}

}  // namespace

Result<TaskTrace> read_task_csv(std::istream& in, const std::string& name,
                                const TaskCsvSpec& spec) {
  return TaskCsvReader(in, name, spec).read();
}

Result<void> write_task_csv(const std::filesystem::path& path, const TaskTrace& trace) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  auto file = file::WholeFile::create(path);
  if (!file) return fail(file);
  std::string text =
      "submitted,bound,started,finished,size,worker,outcome,priority,queued_worker,"
      "queued_common,patience";
  text += trace.header.classes.empty() ? "\n" : ",class\n";
  for (const TaskRecord& task : trace.tasks) {
    append_task(text, task, trace.header);
    if (text.size() < kPiece) continue;
    if (auto written = file->write(text); !written) return written;
    text.clear();
  }
  if (auto written = file->write(text); !written) return written;
  return file->commit();
}

}  // namespace artel::trace
