#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/trace_input_options.hpp"
#include "artel/report/output_file.hpp"
#include "artel/report/trace_report.hpp"
#include "artel/trace/task_csv.hpp"
#include "artel/trace/task_timeline.hpp"
#include "artel/trace/trace_summary.hpp"

namespace artel::app {
namespace {

struct TraceOptions {
  TraceInputOptions input;
  std::string perfetto;
  std::string csv;
  bool json = false;
};

void summarise(const TraceOptions& options) {
  const auto trace = load_trace(options.input);
  demand(trace);
  const auto summary = trace::summarise(*trace);
  demand(report::write_stdout(options.json ? report::trace_json(*trace, summary)
                                           : report::trace_table(*trace, summary)));
  if (!options.perfetto.empty()) demand(trace::write_task_timeline(options.perfetto, *trace));
  if (!options.csv.empty()) demand(trace::write_task_csv(options.csv, *trace));
  report_damage(*trace);
}

}  // namespace

void add_trace(CLI::App& artel) {
  auto& command = *artel.add_subcommand("trace", "Look into a recorded run");
  command.require_subcommand(1);
  auto& summary = *command.add_subcommand(
      "summary", "Tasks, rates, response times and utilisation; or another format");
  const auto options = std::make_shared<TraceOptions>();
  add_trace_input(summary, options->input);
  summary.add_flag("--json", options->json, "The summary as JSON (schema artel.trace/1)");
  summary
      .add_option("--perfetto", options->perfetto,
                  "Write a timeline for ui.perfetto.dev to this file, too")
      ->type_name("OUT");
  summary.add_option("--csv", options->csv, "Write every task to this file, too")->type_name("OUT");
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
