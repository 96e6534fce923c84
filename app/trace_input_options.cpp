#include "app/trace_input_options.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/predict/load_recording.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {

void add_trace_input(Subcommand command, TraceInputOptions& options) {
  command
      .option("file", options.file,
              "Trace recorded by a pool, CSV, or a log (nginx, Envoy, HAProxy, JSON, Slurm, …); "
              "packed with gzip or zstd, too; - is standard input")
      .required()
      .or_standard_input()
      .type_name("FILE");
  add_more_files(command, options);
  add_log_options(command, options);
}

void add_more_files(Subcommand command, TraceInputOptions& options) {
  command
      .option(
          "more", options.more,
          "Further logs of that kind, which are merged by time: those that it was rotated into, "
          "or of other machines")
      .type_name("FILE");
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
  command
      .option("--where", options.where,
              "Of a log: only lines whose field has this value, service.name=shop or %b=api; "
              "several values with | between, several fields by repeating")
      .type_name("FIELD=VALUE")
      .one_value_each();
  command
      .option("--class-by", options.class_by,
              "Of a log: keep the values of this field as names of classes, which are told apart "
              "then; of access logs also path, method and status. Up to 31, the rest is one")
      .type_name("FIELD");
  command.flag("--strict", options.strict, "A line of a log that cannot be read is an error");
}

const char* given_log_option(const TraceInputOptions& options) {
  return !options.columns.empty()      ? "--column"
         : !options.format.empty()     ? "--format"
         : !options.log_format.empty() ? "--log-format"
         : !options.service.empty()    ? "--service"
         : !options.where.empty()      ? "--where"
         : !options.class_by.empty()   ? "--class-by"
         : options.strict              ? "--strict"
                                       : nullptr;
}

namespace {

// An option's name where the library says the word alone.
Error as_option(Error error) {
  if (error.where == "column" || error.where == "service" || error.where == "where")
    error.where = "--" + error.where;
  return error;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const auto& note : notes) fmt::print(stderr, "artel: {}\n", note);
}

}  // namespace

Result<logs::LogOptions> read_log_options(const TraceInputOptions& options) {
  return predict::log_options(options).map_error(as_option);
}

void print_reading(const logs::LogReading& reading) { print_notes(predict::notes_of(reading)); }

Result<trace::TaskTrace> load_trace(const TraceInputOptions& options) {
  auto recording = predict::load_recording(options).map_error(as_option);
  if (!recording) return fail(recording);
  print_notes(recording->notes);
  return std::move(recording->trace);
}

Result<trace::TaskTrace> load_trace_to_predict(const TraceInputOptions& options,
                                               const std::optional<std::uint32_t>& workers) {
  auto recording = predict::load_recording(options).map_error(as_option);
  if (!recording) return fail(recording);
  predict::infer_starts(*recording, workers);
  print_notes(recording->notes);
  return std::move(recording->trace);
}

void print_damage(const trace::TaskTrace& trace) {
  if (trace.damage.empty()) return;
  print_errors(trace.damage);
  fmt::print(stderr, "artel: the file is damaged; {} could be read\n",
             how_many(trace.tasks.size(), "task"));
}

void report_damage(const trace::TaskTrace& trace) {
  print_damage(trace);
  if (!trace.damage.empty()) finish(ExitStatus::bad_input);
}

}  // namespace artel::app
