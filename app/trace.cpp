#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/output_options.hpp"
#include "app/trace_input_options.hpp"
#include "artel/report/trace_table.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/trace_summary.hpp"
#include "artel/trace/write_task_timeline.hpp"

namespace artel::app {
namespace {

struct TraceCommand {
  TraceInputOptions input;
  std::string perfetto;
  std::string csv;
  OutputOptions output;
};

void summarise(const TraceCommand& options) {
  const auto trace = load_trace(options.input);
  demand(trace);
  const auto summary = trace::summarise(*trace);
  write_result(options.output, options.output.json ? report::trace_json(*trace, summary)
                                                   : report::trace_table(*trace, summary));
  if (!options.perfetto.empty()) demand(trace::write_task_timeline(options.perfetto, *trace));
  if (!options.csv.empty()) demand(trace::write_task_csv(options.csv, *trace));
  report_damage(*trace);
}

constexpr const char* kTraceFooter =
    R"(A damaged file is summarised as far as it can be read; stderr says where it is broken, and
the exit status is 2.

Examples:
  artel trace summary pool.trace
  artel trace summary pool.trace --perfetto pool.json     # open it at ui.perfetto.dev
  artel trace summary requests.csv --column submitted=arrival --json
)";

}  // namespace

void add_trace(Subcommand artel) {
  auto command = artel.subcommand("trace", "Look into a recorded run");
  command.footer(kTraceFooter);
  auto summary = command.subcommand(
      "summary", "Tasks, rates, response times and utilisation; or another format");
  const auto options = std::make_shared<TraceCommand>();
  add_trace_input(summary, options->input);
  add_json_option(summary, options->output, "The summary as JSON (schema artel.trace/1)");
  summary
      .option("--perfetto", options->perfetto,
              "Write a timeline for ui.perfetto.dev to this file, too")
      .type_name("OUT");
  summary.option("--csv", options->csv, "Write every task to this file, too").type_name("OUT");
  summary.footer(kTraceFooter);
  summary.action([options] { summarise(*options); });
}

}  // namespace artel::app
