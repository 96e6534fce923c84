#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/job_set.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {

/// A command as a line of a job log has it.
struct LoggedCommand {
  std::string spelling;    ///< as log_spelling() writes it; another program's is its own
  std::uint64_t line = 0;  ///< from 1
};

/// What a log says of jobs that are over. A job may have several lines: the last one counts.
struct FinishedJobs {
  JobSet succeeded;         ///< numbers from 0
  JobSet failed;            ///< numbers from 0
  std::uint64_t bytes = 0;  ///< of the log, up to a last line that was cut off
  std::uint64_t lines = 0;  ///< of those, and of what add_line() has added
  std::string last_line;    ///< of the log, without its line break
  /// By job less 1, of its command, without how it is quoted; 0: it is not in the log.
  std::vector<std::uint32_t> fingerprints;
  std::map<std::uint64_t, LoggedCommand> failed_commands;  ///< by job from 1

  /// Whether the job's command was this one, however it is quoted.
  [[nodiscard]] bool had_command(std::uint64_t job, std::string_view command) const;
};

/// Reads a log of artel or of GNU parallel; a last line without line break is left out.
/// Errors: io; parse, with file and line. A file that does not exist has no jobs.
[[nodiscard]] Result<FinishedJobs> read_finished_jobs(const std::filesystem::path& path);

/// Adds a line, without its line break, as if the log had it. Errors: parse, without a place.
[[nodiscard]] Result<void> add_line(FinishedJobs& finished, std::string_view line);

/// A job log in the making: whole up to the last job, whenever the process dies. Nobody else can
/// open it as one meanwhile.
///
/// Cost:    a system call per job.
/// Errors:  io, with the path and the system's reason.
/// Threads: one at a time.
class JobLogFile {
 public:
  /// Makes the file if there is none. Errors: also closed, when another run has it open; invalid,
  /// when it holds something other than a job log.
  [[nodiscard]] static Result<JobLogFile> open(const std::filesystem::path& path);
  /// The descriptor, for as long as this object is there.
  [[nodiscard]] int file() const { return file_.get(); }
  /// Jobs are added after the first `keep` bytes; the rest is cut off. To be called first, when the
  /// inputs are open. Errors: also invalid, when the log is one of them.
  [[nodiscard]] Result<void> begin(std::uint64_t keep);

  /// `entry`: as trace::format_job_log() writes it.
  [[nodiscard]] Result<void> add(const std::string& entry) { return write(entry); }

 private:
  JobLogFile(std::string path, file::OpenFile file)
      : path_(std::move(path)), file_(std::move(file)) {}
  [[nodiscard]] Result<void> write(const std::string& text);

  std::string path_;
  file::OpenFile file_;
};

}  // namespace artel::command
