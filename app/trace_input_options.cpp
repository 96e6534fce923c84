#include "app/trace_input_options.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/predict/infer_starts.hpp"
#include "artel/scenario/expression.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {

void add_trace_input(Subcommand command, TraceInputOptions& options) {
  command
      .option("file", options.file,
              "Trace recorded by a pool, CSV, or a log (nginx, Envoy, HAProxy, JSON, Slurm, …); "
              "packed with gzip or zstd, too")
      .required()
      .type_name("FILE");
  add_log_options(command, options);
}

void add_log_options(Subcommand command, TraceInputOptions& options) {
  command
      .option("--column", options.columns,
              "For CSV and JSON: what a field is called there, with its unit if it is not seconds: "
              "submitted=arrival, response=duration:ms")
      .type_name("NAME=COLUMN")
      .one_value_each();
  command
      .option("--format", options.format,
              "Of a log, if its content does not tell: nginx, envoy, haproxy, slurm, json, … "
              "(docs/import.md)")
      .type_name("FORMAT");
  command
      .option("--log-format", options.log_format,
              "Of an access log: the format string of the server's configuration")
      .type_name("STRING");
  command
      .option("--service", options.service,
              "Of a log that does not say how long tasks take: 20ms, or a formula over its fields")
      .type_name("FORMULA");
  command.flag("--strict", options.strict, "A line of a log that cannot be read is an error");
}

const char* given_log_option(const TraceInputOptions& options) {
  return !options.columns.empty()      ? "--column"
         : !options.format.empty()     ? "--format"
         : !options.log_format.empty() ? "--log-format"
         : !options.service.empty()    ? "--service"
         : options.strict              ? "--strict"
                                       : nullptr;
}

Result<logs::LogOptions> log_options(const TraceInputOptions& options) {
  logs::LogOptions made{
      .format = options.format, .log_format = options.log_format, .strict = options.strict};
  for (const auto& column : options.columns) {
    const auto equals = column.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorCode::invalid,
                  fmt::format("found '{}'; expected NAME=COLUMN, as in submitted=arrival", column),
                  "--column");
    }
    made.columns.insert_or_assign(column.substr(0, equals), column.substr(equals + 1));
  }
  if (options.service.empty()) return made;
  auto formula = scenario::Expression::compile(options.service);
  if (!formula) return fail(formula.error().code, formula.error().what, "--service");
  const auto shared = std::make_shared<scenario::Expression>(*std::move(formula));
  made.service = logs::ServiceFormula{
      .variables = shared->variables(),
      .seconds = [shared](std::span<const double> values) { return shared->evaluate(values); }};
  return made;
}

void print_reading(const logs::LogReading& reading) {
  fmt::print(stderr, "artel: {}\n", reading.summary());
  for (const auto& note : reading.notes()) fmt::print(stderr, "artel: {}\n", note);
}

Result<trace::TaskTrace> load_trace(const TraceInputOptions& options) {
  const auto how = log_options(options);
  if (!how) return fail(how);
  auto loaded = logs::load_log(options.file, *how);
  if (!loaded) return fail(loaded);
  const auto& reading = loaded->reading;
  if (reading) print_reading(*reading);
  return std::move(loaded->trace);
}

Result<trace::TaskTrace> load_trace_to_predict(const TraceInputOptions& options,
                                               const std::optional<std::uint32_t>& workers) {
  auto trace = load_trace(options);
  if (!trace) return trace;
  if (const auto inferred = predict::infer_starts(*trace, workers)) {
    for (const auto& line : inferred->text()) fmt::print(stderr, "artel: {}\n", line);
  }
  return trace;
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
