#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "artel/command/job_set.hpp"
#include "artel/core/error.hpp"
#include "artel/trace/job_log_entry.hpp"

namespace artel::command {

/// What a log says of jobs that are over. A job may have several lines: the last one counts.
struct FinishedJobs {
  JobSet succeeded;
  JobSet failed;
  std::uint64_t bytes = 0;  ///< of the log, up to a last line that was cut off
};

/// Reads a log of artel or of GNU parallel; a last line without line break is left out.
/// Errors: io; parse, with file and line. A file that does not exist has no jobs.
[[nodiscard]] Result<FinishedJobs> read_finished_jobs(const std::filesystem::path& path);

/// A job log in the making: whole up to the last job, whenever the process dies.
///
/// Cost:    a system call per job.
/// Errors:  io, with the path and the system's reason.
/// Threads: one at a time.
class JobLogFile {
 public:
  /// Writes after the first `keep` bytes of the file; the rest is cut off.
  [[nodiscard]] static Result<JobLogFile> open(const std::filesystem::path& path,
                                               std::uint64_t keep);
  JobLogFile(JobLogFile&& other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  JobLogFile& operator=(JobLogFile&&) = delete;
  ~JobLogFile();

  [[nodiscard]] Result<void> add(const trace::JobLogEntry& entry);

 private:
  JobLogFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  [[nodiscard]] Result<void> write(const std::string& text);

  std::string path_;
  int file_;
};

}  // namespace artel::command
