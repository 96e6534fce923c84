#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::trace {

/// What a job log starts with.
inline constexpr std::string_view kJobLogTitles =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";

/// One line of a job log, in GNU parallel's columns: Seq Host Starttime JobRuntime Send Receive
/// Exitval Signal Command. Send is always 0.
struct JobLogEntry {
  std::uint64_t job = 0;     ///< from 1
  Duration started{};        ///< since 1970 (UTC); milliseconds in the log
  Duration runtime{};        ///< of the last attempt; milliseconds in the log
  std::uint64_t output = 0;  ///< bytes on stdout
  int exit_status = 0;       ///< 0 also if a signal ended it
  int signal = 0;            ///< that ended it; 0: none
  std::string host = ":";    ///< where it ran, without tabs and line breaks; ":": here
  std::string command;       ///< without tabs and line breaks, as shell_quote writes it

  /// Whether nothing went wrong.
  [[nodiscard]] bool succeeded() const { return exit_status == 0 && signal == 0; }
};

/// The line, line break included.
[[nodiscard]] std::string format_job_log(const JobLogEntry& entry);

/// Errors: parse, without a place: what was found, what was expected.
[[nodiscard]] Result<JobLogEntry> parse_job_log(std::string_view line);

}  // namespace artel::trace
