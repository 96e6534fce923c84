#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/job_trace.hpp"
#include "app/map_command.hpp"
#include "artel/command/job_log_file.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/output_journal.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// What the jobs of artel map leave behind besides their output, and what an earlier run has left.
///
/// Threads: one at a time.
class MapRecords {
 public:
  /// Opens the log that the options ask for and reads what an earlier run left in it; ends the
  /// command if that fails.
  explicit MapRecords(const MapCommand& options);

  /// Begins the log and the trace; ends the command if that fails. To be called when the inputs are
  /// open, none of which they may replace.
  void begin();
  /// Has the loop skip what is in the log, and tell of what is over and printed. This must outlive
  /// the loop.
  /// `commands_vary`: from run to run, so they cannot be compared.
  void listen(command::JobLoopOptions& loop, bool commands_vary);
  /// The commands of the earlier run that failed, by job from 1, their words with kFieldSeparator
  /// between; "" for other jobs. Errors: parse, with file and line.
  [[nodiscard]] Result<std::vector<std::string>> failed_commands() const;

  /// Ends the trace. Errors: io.
  [[nodiscard]] Result<void> finish();
  /// Which jobs have failed, for people; empty: none has.
  [[nodiscard]] std::string failures(std::uint64_t jobs) const;
  /// Where so many outputs are kept, for people; empty: none is.
  [[nodiscard]] std::string kept(std::uint64_t outputs) const;

 private:
  [[nodiscard]] Result<void> open_journal(bool resume);
  [[nodiscard]] bool skips(std::uint64_t job) const;
  [[nodiscard]] Result<void> check_skipped(std::uint64_t job,
                                           std::span<const std::string> command) const;
  [[nodiscard]] Result<std::string> over(const command::JobReport& report);
  void note_failure(const command::JobReport& report);

  const MapCommand& options_;
  command::FinishedJobs earlier_;
  std::optional<command::JobLogFile> log_;
  std::unique_ptr<command::OutputJournal> journal_;
  std::optional<JobTrace> trace_;
  std::uint64_t failed_ = 0;
  std::map<std::uint64_t, std::string> failures_;  // a line each, of the first ones by number
};

}  // namespace artel::app
