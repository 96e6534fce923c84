#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/arrival_counts.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {

/// A time in which nothing came.
struct LogGap {
  Duration after{};   ///< since the first task came
  Duration length{};  ///< how long it was
};

/// Tasks that one value of LogOptions::class_by names.
struct ClassCount {
  std::string name;         ///< printable, see trace::class_name()
  std::uint64_t tasks = 0;  ///< that it names
};

/// What of several files is of the same time.
struct ClockCheck {
  std::string name;                 ///< of the file
  std::optional<ClockSkew> skew{};  ///< to those before it; nothing: nobody can tell
};

/// How the reading of a log went.
struct LogReading {
  std::string name;                 ///< of the file, the first one
  std::string title;                ///< of its format: "nginx log (combined, request time)"
  std::vector<std::string> fields;  ///< those that were used
  Knowledge knows{};                ///< what can be said of the tasks
  std::uint64_t tasks = 0;          ///< tasks
  std::uint64_t passed_over = 0;  ///< lines that are not about a task, or not yet about a whole one
  std::uint64_t bad = 0;          ///< lines that are written otherwise
  std::optional<Error> first_bad{};  ///< the first of these, "name:line:column"
  /// Ends, or submissions, were known to the second only; each is drawn from its second.
  bool whole_seconds = false;
  std::uint64_t files = 1;                             ///< that it was read from
  std::vector<std::uint64_t> workers{};                ///< hashes of their names, by number
  Instant earliest = kNever, latest = Instant::min();  ///< submissions
  ArrivalCounts arrivals{};                            ///< of the files that do not overlap
  /// Of the files that are of the same time as one before them: clocks that differ mix up what came
  /// when.
  std::vector<ClockCheck> overlaps{};
  /// Processes that began, and that ended, while the others went on; where the log names them.
  std::uint64_t began = 0, ended = 0;
  /// The longest, if chance does not make it; only where all tasks were read into memory.
  std::optional<LogGap> gap{};
  /// By TaskRecord::task_class; none without LogOptions::class_by. What read_log() gives has all
  /// that there were, but a few beyond 65 535; what load_log() gives is what the trace keeps.
  std::vector<ClassCount> classes{};
  std::string class_by{};           ///< what names them
  std::uint64_t classes_seen = 0;   ///< how many there were
  std::string remark{};             ///< what of such a log is left out
  bool filtered = false;            ///< LogOptions::where passed over some of the lines
  bool zoneless = false;            ///< times without a zone: taken as UTC
  std::uint64_t clock_changes = 0;  ///< the clock went back an hour: what follows was moved
  std::uint64_t clock_jumps = 0;    ///< an hour is left out: likewise

  /// Takes in how the reading of another log went. Errors: invalid: it knows something else of its
  /// tasks, so that both are no one log.
  [[nodiscard]] Result<void> add(const LogReading& other);

  /// One line: "nginx log, 120 000 requests, 3 fields used".
  [[nodiscard]] std::string summary() const;
  /// What was taken for granted, and what could not be read; a line each, often none.
  [[nodiscard]] std::vector<std::string> notes() const;
};

/// A trace, and where it came from.
struct LoadedLog {
  trace::TaskTrace trace;
  /// Nothing: it was a trace recorded by artel, a job log of GNU parallel, or CSV in artel's own
  /// columns.
  std::optional<LogReading> reading{};
};

}  // namespace artel::logs
