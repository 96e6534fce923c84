#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_guard.hpp"
#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {

/// Runs jobs as processes of ours.
///
/// Invariants:
///  L1  A slot number belongs to one job that is held or runs, or is free.
///  L2  A process is seen to end only after what is left of its group and its descendants has been
///      killed, if it was to be ended: until then the group's number cannot be somebody else's.
///  L3  A job's output is taken in when it can go somewhere: the job in turn, if
///      nothing can make it run again, writes to the printer when that has nothing else to write;
///      the others to memory and to the spill file, unless that is full. Else the job waits, as at
///      any full pipe. What it has written when it ends is always taken in. With a journal, a job
///      writes to the printer itself only if its output is too big to be kept (--spill-max).
///  L4  A process is told to end only after a look whether it has ended by itself.
class LocalJobs final : public JobRunner {
 public:
  struct Outputs {
    EventSet& events;
    SpillFile& spill;
    JobPrinter& printer;
  };

  /// `fixed_program`: all jobs run the same.
  LocalJobs(const JobLoopOptions& options, bool fixed_program, Outputs outputs,
            JobListener& listener);
  LocalJobs(const LocalJobs&) = delete;
  LocalJobs& operator=(const LocalJobs&) = delete;

  [[nodiscard]] std::optional<std::size_t> free_slot() override;
  void start(CommandJob job) override;
  [[nodiscard]] std::size_t jobs() const override { return jobs_.size() - unused_.size(); }
  [[nodiscard]] std::size_t running() const override { return running_; }
  void handle(std::uint64_t key) override;
  [[nodiscard]] Duration next_deadline(Instant now) override;
  void meet_deadlines(Instant now) override;
  bool redirect_outputs() override;
  void stop(bool now) override;
  void pause() override;
  void resume(Duration paused) override;

 private:
  using State = LocalJob::State;

  // Keys of events: the attempt (32 bits of its number), the job's place, and one of these.
  static constexpr std::uint64_t kChild = 0;
  static constexpr std::uint64_t kOut = 1;
  static constexpr std::uint64_t kErr = 2;
  static constexpr std::uint64_t kKeysPerJob = 4;
  static constexpr unsigned kAttemptShift = 32;

  // ---- Starting
  void launch(std::size_t index);
  [[nodiscard]] tl::expected<Child, std::error_code> start_child(std::size_t index);
  [[nodiscard]] tl::expected<file::OpenFile, std::error_code> open_output(std::size_t index,
                                                                          bool is_err);
  [[nodiscard]] tl::expected<file::OpenFile, std::error_code> open_result(
      const std::filesystem::path& path);
  void cannot_start(std::size_t index, std::error_code error);
  [[nodiscard]] std::optional<std::size_t> vacant_slot();
  void claim(std::size_t slot);
  [[nodiscard]] bool has_host(std::size_t index);
  void no_host_is_left();
  [[nodiscard]] std::uint64_t key_of(std::size_t index, std::uint64_t which) const;

  // ---- Output
  void read(LocalJob& job, bool is_err);
  [[nodiscard]] bool streams(const LocalJob& job, bool is_err) const;
  [[nodiscard]] bool may_repeat(const LocalJob& job) const;
  [[nodiscard]] bool is_kept(const LocalJob& job) const;
  void pass_on(LocalJob& job, bool is_err);
  void make_room();

  // ---- Ending
  void ended(std::size_t index);
  void run_elsewhere(std::size_t index);
  void drain(LocalJob& job);
  void over(std::size_t index, JobReport report);
  void meet_deadline(std::size_t index, Instant now);
  void look_for_stopped();
  void fail_unless(const Result<void>& result);

  const JobLoopOptions& options_;
  const bool fixed_program_;
  const Outputs outputs_;
  JobListener& listener_;
  std::string program_;  // if all jobs run the same
  file::OpenFile in_;    // stdin of all jobs
  bool has_terminal_;
  std::optional<JobGuard> guard_;  // from the first start on

  std::deque<LocalJob> jobs_;
  std::vector<std::size_t> unused_;      // of jobs_
  std::vector<std::size_t> free_slots_;  // below slots_
  std::size_t slots_ = 0;                // so many there were
  std::vector<std::size_t> held_;
  std::size_t running_ = 0;
  std::size_t heard_ = 0;
  bool stopping_ = false;
  bool stopped_now_ = false;

  // What redirect_outputs() has seen last.
  std::uint64_t turn_ = 0;
  bool printer_busy_ = false;
  bool spill_full_ = false;
  Instant next_look_{};  // for jobs that were stopped
};

}  // namespace artel::command::detail
