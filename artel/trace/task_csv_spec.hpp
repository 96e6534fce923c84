#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// How to read tasks from a CSV file whose first line names the columns.
///
/// Read are, by these names or those that `columns` gives instead: submitted (the one that must be
/// there), bound, started, finished (times), service (in seconds, instead of finished), size (in
/// seconds), worker, outcome, priority, queued_worker, queued_common, patience (in seconds). What
/// is missing or empty has its usual value. Without a column for the starts tasks are taken to
/// start at once, and the trace says so (TraceHeader::starts_known).
struct TaskCsvSpec {
  std::map<std::string, std::string, std::less<>> columns = {};  ///< {"submitted", "arrival"}
  file::TimeFormat time_format = file::TimeFormat::automatic;
};

/// Errors: "name:line:column: …" for missing columns (with the nearest name; one of service and
/// finished must be there), texts that are no
/// numbers or outcomes, times that go backwards within a task, and anything beyond the limits of
/// CsvReader.
[[nodiscard]] Result<TaskTrace> read_task_csv(std::istream& in, const std::string& name,
                                              const TaskCsvSpec& spec = {});

/// Writes what read_task_csv() reads, times in seconds since the start of the recording, exact to
/// the nanosecond; the file appears whole or not at all. Errors: io.
[[nodiscard]] Result<void> write_task_csv(const std::filesystem::path& path,
                                          const TaskTrace& trace);

}  // namespace artel::trace
