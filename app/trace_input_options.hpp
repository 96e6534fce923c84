#pragma once

#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {

/// Where a subcommand's trace comes from.
struct TraceInputOptions {
  std::string file;
  std::vector<std::string> columns;
};

/// Adds FILE and --column; `options` must live until the command line has been read.
void add_trace_input(Subcommand command, TraceInputOptions& options);

/// Only --column, for a subcommand whose FILE may be something else, too.
void add_trace_columns(Subcommand command, TraceInputOptions& options);

/// Reads the trace. Errors: those of load_tasks, and of --column.
[[nodiscard]] Result<trace::TaskTrace> load_trace(const TraceInputOptions& options);

/// Says on stderr what of the file could not be read, if anything.
void print_damage(const trace::TaskTrace& trace);

/// For the end of a subcommand: the same, and ends it with `bad_input` if there was such.
void report_damage(const trace::TaskTrace& trace);

}  // namespace artel::app
