#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "artel/error/error.hpp"
#include "artel/report/output_file.hpp"
#include "artel/report/trace_report.hpp"
#include "artel/trace/task_csv.hpp"
#include "artel/trace/task_timeline.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_input.hpp"
#include "artel/trace/trace_summary.hpp"

namespace artel::app {
namespace {

struct TraceOptions {
  std::string file;
  std::vector<std::string> columns;
  std::string perfetto;
  std::string csv;
  bool json = false;
};

void demand(const Result<void>& result) {
  if (result) return;
  print_errors({result.error()});
  finish(ExitStatus::bad_input);
}

trace::TaskCsvSpec csv_spec(const std::vector<std::string>& columns) {
  trace::TaskCsvSpec spec;
  for (const auto& column : columns) {
    const auto equals = column.find('=');
    if (equals == std::string::npos) {
      demand(fail(ErrorCode::invalid,
                  fmt::format("found '{}'; expected NAME=COLUMN, as in submitted=arrival", column),
                  "--column"));
    }
    spec.columns.insert_or_assign(column.substr(0, equals), column.substr(equals + 1));
  }
  return spec;
}

void summarise(const TraceOptions& options) {
  const auto trace = trace::load_tasks(options.file, csv_spec(options.columns));
  if (!trace) {
    print_errors({trace.error()});
    finish(ExitStatus::bad_input);
  }
  const auto summary = trace::summarise(*trace);
  demand(report::write_stdout(options.json ? report::trace_json(*trace, summary)
                                           : report::trace_table(*trace, summary)));
  if (!options.perfetto.empty()) demand(trace::write_task_timeline(options.perfetto, *trace));
  if (!options.csv.empty()) demand(trace::write_task_csv(options.csv, *trace));
  if (trace->damage.empty()) return;
  print_errors(trace->damage);
  fmt::print(stderr, "artel: the file is damaged; {} tasks could be read\n", trace->tasks.size());
  finish(ExitStatus::bad_input);
}

}  // namespace

void add_trace(CLI::App& artel) {
  auto& command = *artel.add_subcommand("trace", "Look into a recorded run");
  command.require_subcommand(1);
  auto& summary = *command.add_subcommand(
      "summary", "Tasks, rates, response times and utilisation; or another format");
  const auto options = std::make_shared<TraceOptions>();
  summary
      .add_option("file", options->file,
                  "Trace recorded by a pool, job log of GNU parallel, or CSV")
      ->required()
      ->type_name("FILE");
  summary.add_flag("--json", options->json, "The summary as JSON (schema artel.trace/1)");
  summary
      .add_option("--perfetto", options->perfetto,
                  "Write a timeline for ui.perfetto.dev to this file, too")
      ->type_name("OUT");
  summary.add_option("--csv", options->csv, "Write every task to this file, too")->type_name("OUT");
  summary
      .add_option("--column", options->columns,
                  "For CSV: what a column is called there, as submitted=arrival")
      ->type_name("NAME=COLUMN");
  summary.footer(
      "A damaged file is summarised as far as it can be read; stderr says where it is broken, and\n"
      "the exit status is 2.\n\n"
      "Examples:\n"
      "  artel trace summary pool.trace\n"
      "  artel trace summary pool.trace --perfetto pool.json     # open it at ui.perfetto.dev\n"
      "  artel trace summary requests.csv --column submitted=arrival --json\n");
  summary.callback([options] { summarise(*options); });
}

}  // namespace artel::app
