#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_options.hpp"  // IWYU pragma: export
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {

/// So many bytes at the start of a file tell its format.
inline constexpr std::size_t kTellingBytes = std::size_t{1} << 16U;

/// Which of the formats these bytes, the start of a log, are in; nothing: none of them. `columns`
/// and the like of the options play no part.
/// Cost: looks at kTellingBytes at most.
[[nodiscard]] const LogFormat* recognise_log(std::string_view start);

/// Reads a log line by line and hands every task that ended to `sink`, in the order of the lines.
/// `name` is for messages.
///
/// Nothing of the log is kept but times, lengths and numbers: no address, path or user's name,
/// unless `options.class_by` asks for it.
/// A task whose start the log does not know has started = submitted: LogReading::knows.
/// Cost:   memory of one line, and of tasks under way in a log of events.
/// Errors: not recognised; what the format needs is missing; no line could be read, or more than
///         half are bad; with `strict` the first bad line; `cancelled` when stopped.
[[nodiscard]] Result<LogReading> read_log(
    std::istream& in, const std::string& name, const LogOptions& options,
    const std::function<void(const trace::TaskRecord&)>& sink);

/// The same, of a stream that may have more whenever it has come to an end: it gives what is there,
/// and waits for more as long as it likes. `sink` hears how the reading goes, too.
/// Errors: those of read_log().
[[nodiscard]] Result<LogReading> follow_log(
    std::istream& in, const std::string& name, const LogOptions& options,
    const std::function<void(const trace::TaskRecord&, const LogReading& so_far)>& sink);

/// What a trace made of such a log says in its header.
[[nodiscard]] trace::TraceHeader header_of(const LogReading& reading);

}  // namespace artel::logs
