#pragma once

#include <cstdint>
#include <deque>

#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

/// Where the outputs of jobs go while they run.
///
/// Invariant: a job's output is taken in when it can go somewhere: the job in turn, if nothing can
///            make it run again, writes to the printer when that has nothing else to write; the
///            others to memory and to the spill file, unless that is full. Else the job waits, as
///            at any full pipe. What it has written when it ends is always taken in. With a
///            journal, a job writes to the printer itself only if its output is too big to be kept
///            (--spill-max).
/// Threads: the loop's.
class OutputRouting {
 public:
  OutputRouting(const JobLoopOptions& options, SpillFile& spill, JobPrinter& printer,
                JobListener& listener)
      : options_(options), spill_(spill), printer_(printer), listener_(listener) {}

  /// The job has written to one of its streams.
  void read(LocalJob& job, bool is_err);
  /// Takes in all that it has written.
  void drain(LocalJob& job);
  /// Forgets what it has written.
  void discard(LocalJob& job) { fail_unless(job.discard(spill_)); }
  /// Where outputs go may have changed. True: something was passed to the printer.
  bool redirect(std::deque<LocalJob>& jobs);

 private:
  [[nodiscard]] bool streams(const LocalJob& job, bool is_err) const;
  [[nodiscard]] bool may_repeat(const LocalJob& job) const;
  [[nodiscard]] bool is_kept(const LocalJob& job) const;
  void pass_on(LocalJob& job, bool is_err);
  void make_room(std::deque<LocalJob>& jobs);
  void fail_unless(const Result<void>& result);

  const JobLoopOptions& options_;
  SpillFile& spill_;
  JobPrinter& printer_;
  JobListener& listener_;
  // What redirect() has seen last.
  std::uint64_t turn_ = 0;
  bool printer_busy_ = false;
  bool spill_full_ = false;
};

}  // namespace artel::command::detail
