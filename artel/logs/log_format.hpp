#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::logs {

/// What a field of a log says of a task.
enum class Role : std::uint8_t {
  submitted,  ///< a time
  started,    ///< a time
  finished,   ///< a time
  before,     ///< a length: time that passes before the task counts as submitted
  wait,       ///< a length: from submission to start; several add up
  service,    ///< a length: from start to end
  response,   ///< a length: from submission to end
  backend,    ///< a length: like response, but of the workers alone; goes before it
  size,       ///< a length: hinted service time
  worker,     ///< a name; it becomes a number, in order of appearance
  process,    ///< what is another one after a restart: a host, a pid; several make one name
  outcome,    ///< done, failed, cancelled, expired, rejected; or what FieldForm says
  event,      ///< what happened to the task `key` at `submitted`: see EventWord
  key,        ///< which task an event belongs to: of several fields the last that is there
  number,     ///< what a formula for the service time uses
};

/// How a field is written.
enum class FieldForm : std::uint8_t {
  automatic,     ///< times: ISO, "10/Oct/2000:13:55:36 -0700", or a number since 1970 of any unit
  seconds,       ///< a number, or since 1970
  milliseconds,  ///< the same
  microseconds,  ///< the same
  nanoseconds,   ///< the same
  clock,         ///< a length: "1-02:03:04.5", days-hours:minutes:seconds
  http_status,   ///< 500 and above: failed
  job_state,     ///< COMPLETED, FAILED, CANCELLED, …; success, failure, …
};

/// As the name of a field of JSON: the number of the document, so that equal keys of several
/// differ.
inline constexpr std::string_view kDocument = "#document";

/// One field of a log, and what it is used for.
struct LogField {
  std::string_view name;  ///< of the variable, the column or the path
  Role role{};
  FieldForm form = FieldForm::automatic;
};

/// Lines are used only if this field has one of these values.
struct LogFilter {
  std::string_view field;
  std::string_view values;  ///< with | between; "!." as the only one: has no dot
};

/// Which part of a field's value names the class of a task.
enum class ClassPart : std::uint8_t {
  whole,   ///< all of it
  method,  ///< of "GET /a?b HTTP/1.1", whatever is around it
  path,  ///< "/a" of that, or of "/a?b": without the query, and with * for parts like 17, 3fa85f64
};

/// What names the class of a task; no name: nothing does.
struct ClassField {
  std::string_view name{};  ///< of the field
  ClassPart part = ClassPart::whole;
};

/// What an event says of its task.
struct EventWord {
  std::string_view word;  ///< as written in the log
  Role time{};            ///< what the time of the event is: submitted, started or finished
  bool failed = false;    ///< whether the task failed, if it is its end
};

/// How the lines of a log are cut into fields.
enum class LogShape : std::uint8_t {
  pattern,    ///< by a log_format
  separated,  ///< by one character, or by blanks
  json,       ///< objects, one per line or in one document
};

/// What a log knows of its tasks.
enum class Knowledge : std::uint8_t {
  everything,  ///< submission, start and end
  responses,   ///< not the start: waiting and work are one length
  starts,      ///< not the submission: a task counts as submitted when it started
  services,    ///< submission and how long the work takes, not when it began
};

/// A kind of log: one row of a table.
struct LogFormat {
  std::string_view name;   ///< for --format
  std::string_view title;  ///< as people call it, with the version whose documents say so
  LogShape shape{};
  /// pattern: the log_format. separated: the character (' ': any blanks), then the names of the
  /// columns if no line has them. json: the paths of the objects, with | between.
  std::string_view layout;
  std::vector<LogField> fields;         ///< what the log tells of a task
  Knowledge knows{};                    ///< what that is enough for
  std::vector<LogFilter> filters = {};  ///< lines that do not match are passed over
  std::vector<EventWord> events = {};   ///< for logs of events, several lines a task
  /// Texts that must be there near the start, with | between; for separated and json.
  std::string_view signature = {};
  std::string_view ignored = {};  ///< lines that end so are passed over
  std::string_view advice = {};   ///< why nothing can be read of it as it is, and what to do
  std::string_view remark = {};   ///< what of it is left out
  ClassField class_field = {};    ///< of LogOptions::class_by
};

/// All of them, those that are more particular first.
[[nodiscard]] std::span<const LogFormat> log_formats();

/// Errors: invalid, with the nearest name.
[[nodiscard]] Result<LogFormat> find_log_format(std::string_view name);

/// A format by the string that a server's configuration has: of nginx ($request_time), Envoy
/// (%DURATION%), HAProxy (%Tr) or Apache (%D). `layout` of the result is `pattern` itself, which
/// must outlive it.
/// Errors: invalid: nothing in it says when, or how long.
[[nodiscard]] Result<LogFormat> parse_log_format(std::string_view pattern);

}  // namespace artel::logs
