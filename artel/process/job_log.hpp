#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "artel/error/error.hpp"
#include "artel/process/job_set.hpp"
#include "artel/unit/instant.hpp"

namespace artel::process {

/// One line of a job log, in GNU parallel's columns: Seq Host Starttime JobRuntime Send Receive
/// Exitval Signal Command. Send is always 0, the host always ":".
struct JobLogEntry {
  std::uint64_t job = 0;     ///< from 1
  Duration started{};        ///< since 1970 (UTC); milliseconds in the log
  Duration runtime{};        ///< of the last attempt; milliseconds in the log
  std::uint64_t output = 0;  ///< bytes on stdout
  int exit_status = 0;
  int signal = 0;       ///< that ended it; 0: none
  std::string command;  ///< without tabs and line breaks, as shell_quote writes it

  [[nodiscard]] bool succeeded() const { return exit_status == 0 && signal == 0; }
};

/// The line, line break included.
[[nodiscard]] std::string format_job_log(const JobLogEntry& entry);

/// Errors: parse; what was found, without a place.
[[nodiscard]] Result<JobLogEntry> parse_job_log(std::string_view line);

/// What a log says of jobs that are over. A job may have several lines: the last one counts.
struct FinishedJobs {
  JobSet succeeded;
  JobSet failed;
  std::uint64_t bytes = 0;  ///< of the log, up to a last line that was cut off
};

/// Reads a log of artel or of GNU parallel; a last line without line break is left out.
/// Errors: io; parse, with file and line. A file that does not exist has no jobs.
[[nodiscard]] Result<FinishedJobs> read_job_log(const std::filesystem::path& path);

/// A job log in the making: whole up to the last job, whenever the process dies.
///
/// Cost:    a system call per job.
/// Errors:  io, with the path and the system's reason.
/// Threads: one at a time.
class JobLog {
 public:
  /// Writes after the first `keep` bytes of the file; the rest is cut off.
  [[nodiscard]] static Result<JobLog> open(const std::filesystem::path& path, std::uint64_t keep);
  JobLog(JobLog&& other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  JobLog& operator=(JobLog&&) = delete;
  ~JobLog();

  [[nodiscard]] Result<void> add(const JobLogEntry& entry);

 private:
  JobLog(std::string path, int file) : path_(std::move(path)), file_(file) {}
  [[nodiscard]] Result<void> write(std::string_view text);

  std::string path_;
  int file_;
};

}  // namespace artel::process
