#include "app/trace_input_options.hpp"

#include <fmt/core.h>

#include <string>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/trace/load_tasks.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {

void add_trace_input(Subcommand command, TraceInputOptions& options) {
  command.option("file", options.file, "Trace recorded by a pool, job log of GNU parallel, or CSV")
      .required()
      .type_name("FILE");
  add_trace_columns(command, options);
}

void add_trace_columns(Subcommand command, TraceInputOptions& options) {
  command
      .option("--column", options.columns,
              "For CSV: what a column is called there, as submitted=arrival")
      .type_name("NAME=COLUMN")
      .one_value_each();
}

Result<trace::TaskTrace> load_trace(const TraceInputOptions& options) {
  trace::TaskCsvSpec spec;
  for (const auto& column : options.columns) {
    const auto equals = column.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorCode::invalid,
                  fmt::format("found '{}'; expected NAME=COLUMN, as in submitted=arrival", column),
                  "--column");
    }
    spec.columns.insert_or_assign(column.substr(0, equals), column.substr(equals + 1));
  }
  return trace::load_tasks(options.file, spec);
}

void print_damage(const trace::TaskTrace& trace) {
  if (trace.damage.empty()) return;
  print_errors(trace.damage);
  fmt::print(stderr, "artel: the file is damaged; {} tasks could be read\n", trace.tasks.size());
}

void report_damage(const trace::TaskTrace& trace) {
  print_damage(trace);
  if (!trace.damage.empty()) finish(ExitStatus::bad_input);
}

}  // namespace artel::app
