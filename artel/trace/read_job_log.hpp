#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// Whether this is the first line of a job log.
[[nodiscard]] bool is_job_log(std::string_view first_line);

/// Reads what `parallel --joblog` and `artel map --joblog` write: lines of Seq, Host, Starttime,
/// JobRuntime, Send, Receive, Exitval, Signal, Command, with tabs between.
///
/// The log does not know when a job was submitted, nor its slot: it counts as submitted when it
/// started, and as run by the lowest slot that was free then. The loop is closed. Exit values and
/// signals other than 0 are failures.
/// Errors: "name:line: …" for what is not such a line; more than the limits of CsvReader.
[[nodiscard]] Result<TaskTrace> read_job_log(std::istream& in, const std::string& name);

}  // namespace artel::trace
