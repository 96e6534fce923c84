#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/output_options.hpp"
#include "app/trace_input_options.hpp"
#include "artel/core/error.hpp"
#include "artel/file/write_file.hpp"
#include "artel/logs/call_graph.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/log_stream.hpp"
#include "artel/predict/call_stages.hpp"
#include "artel/predict/load_recording.hpp"
#include "artel/report/call_graph_table.hpp"
#include "artel/report/trace_table.hpp"
#include "artel/trace/trace_summary.hpp"

namespace artel::app {
namespace {

struct ImportCommand {
  TraceInputOptions input;
  std::string stages;
  std::string trace;
  OutputOptions output;
};

// Who calls whom, and that as a scenario.
void import_calls(const ImportCommand& options) {
  const auto& file = options.input.file;
  const auto* const other = given_log_option(options.input);
  if (other != nullptr || !options.trace.empty() || !options.input.more.empty()) {
    refuse({ErrorCode::invalid, "goes with a file of OTLP spans and nothing else",
            other != nullptr ? std::string("--stages, ") + other : "--stages"});
  }
  const auto in = logs::LogStream::open(file, logs::LogStream::Pipes::copied);
  demand(in);
  const auto graph = logs::read_call_graph(**in, file);
  demand(graph);
  if (const auto failure = (*in)->failure()) refuse(*failure);
  const auto stages = predict::call_stages(*graph, std::filesystem::path(file).filename().string());
  demand(stages);
  demand(file::write_file(options.stages, stages->toml));
  write_result(options.output, options.output.json ? report::call_graph_json(*graph, *stages)
                                                   : report::call_graph_table(*graph, *stages));
}

void import_log(const ImportCommand& options) {
  if (!options.stages.empty()) return import_calls(options);
  if (!options.trace.empty()) {
    const auto how = read_log_options(options.input);
    demand(how);
    const auto reading = logs::convert_log(predict::files_of(options.input), *how, options.trace);
    demand(reading);
    const auto& of_a_log = *reading;
    if (of_a_log) print_reading(*of_a_log);
    return;
  }
  const auto trace = load_trace(options.input);
  demand(trace);
  const auto summary = trace::summarise(*trace);
  write_result(options.output, options.output.json ? report::trace_json(*trace, summary)
                                                   : report::trace_table(*trace, summary));
  report_damage(*trace);
}

constexpr const char* kImportFooter =
    R"(The content tells what kind of log it is; --format and --log-format go before it. Of a log only
times, lengths and numbers are kept: no address, no path, no user, unless --class-by or --stages
ask for names. Other commands read logs, too: artel plan access.log does not need a trace first.

Examples:
  artel import access.log.gz -o web.trace
  artel import access.log access.log.1 access.log.*.gz -o week.trace
  artel import access.log --log-format '$remote_addr [$time_local] $status $request_time'
  artel import app.jsonl --column finished=time --column response=latency_ms:ms -o app.trace
  artel import access.log --class-by path
  artel import spans.json --stages shop.toml && artel simulate shop.toml
  artel import llm.csv --service '50ms + 0.12ms*ContextTokens + 12ms*GeneratedTokens' -o llm.trace
)";

}  // namespace

void add_import(Subcommand artel) {
  auto command = artel.subcommand("import", "Make a trace of another program's log");
  const auto options = std::make_shared<ImportCommand>();
  add_trace_input(command, options->input);
  command
      .option("-o,--output", options->trace,
              "Write the trace to this file, in memory that does not grow with the log; without "
              "it, a summary is printed")
      .type_name("RUN.trace");
  command
      .option("--stages", options->stages,
              "Of OTLP spans: which service calls which how often, and how long each takes; this "
              "file gets it as a scenario with stages. Names of services are kept")
      .type_name("SCENARIO.toml");
  add_json_option(command, options->output,
                  "The summary as JSON (schema artel.trace/1; with --stages artel.calls/1)");
  command.footer(kImportFooter);
  command.action([options] { import_log(*options); });
}

}  // namespace artel::app
