#pragma once

#include <cstdint>
#include <optional>

#include "app/command_line.hpp"
#include "artel/core/error.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/predict/load_recording.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {

/// Where a subcommand's trace comes from.
using TraceInputOptions = predict::RecordingSource;

/// Adds FILE and what says how to read it; `options` must live until the command line has been
/// read.
void add_trace_input(Subcommand command, TraceInputOptions& options);

/// Further logs behind FILE.
void add_more_files(Subcommand command, TraceInputOptions& options);

/// Only what says how to read it, for a subcommand whose FILE may be something else, too.
void add_log_options(Subcommand command, TraceInputOptions& options);

/// Of the options of add_log_options() the first that was given; nullptr: none.
[[nodiscard]] const char* given_log_option(const TraceInputOptions& options);

/// What the options say, for artel/logs. Errors: of --column, --service.
[[nodiscard]] Result<logs::LogOptions> read_log_options(const TraceInputOptions& options);

/// Says on stderr what was read of a log, and what was taken for granted.
void print_reading(const logs::LogReading& reading);

/// Reads the trace or the log, and says on stderr what it was if it was a log. Errors: those of
/// logs::load_log(), and of the options.
[[nodiscard]] Result<trace::TaskTrace> load_trace(const TraceInputOptions& options);

/// The same for a prediction: where the log has response times only, starts are inferred, for so
/// many workers if that is known, and stderr says how.
[[nodiscard]] Result<trace::TaskTrace> load_trace_to_predict(
    const TraceInputOptions& options, const std::optional<std::uint32_t>& workers);

/// Says on stderr what of the file could not be read, if anything.
void print_damage(const trace::TaskTrace& trace);

/// For the end of a subcommand: the same, and ends it with `bad_input` if there was such.
void report_damage(const trace::TaskTrace& trace);

}  // namespace artel::app
