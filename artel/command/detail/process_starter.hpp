#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <tl/expected.hpp>

#include "artel/command/child.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_guard.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {

/// Starts the processes of jobs: finds their program, opens what they read and write, and has them
/// guarded should this process die.
///
/// Threads: the loop's.
class ProcessStarter {
 public:
  /// `fixed_program`: all jobs run the same.
  ProcessStarter(const JobLoopOptions& options, bool fixed_program, EventSet& events,
                 JobListener& listener);

  /// Begins an attempt of the job with this index. Errors: the system's; operation_canceled: its
  /// file for results cannot be made, which the listener has been told.
  [[nodiscard]] tl::expected<Child, std::error_code> start(LocalJob& job, std::size_t index);
  /// Its process has ended, or was not started.
  void ended(std::size_t index) const {
    if (guard_) guard_->clear(index);
  }

 private:
  using File = tl::expected<file::OpenFile, std::error_code>;
  [[nodiscard]] File open_output(LocalJob& job, std::size_t index, bool is_err);
  [[nodiscard]] File open_result(const std::filesystem::path& path);

  const JobLoopOptions& options_;
  const bool fixed_program_;
  EventSet& events_;
  JobListener& listener_;
  std::string program_;            // if all jobs run the same
  file::OpenFile in_;              // stdin of all jobs
  std::optional<JobGuard> guard_;  // from the first start on
};

}  // namespace artel::command::detail
