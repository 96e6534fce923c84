#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <system_error>
#include <vector>

#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/job_slots.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/output_routing.hpp"
#include "artel/command/detail/process_starter.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// Runs jobs as processes of ours.
///
/// Invariants:
///  L1  A job that is held or runs has a slot; one that is only heard has given it back.
///  L2  A process is seen to end only after what is left of its group and its descendants has been
///      killed, if it was to be ended: until then the group's number cannot be somebody else's.
///  L3  A process is told to end only after a look whether it has ended by itself.
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
  bool redirect_outputs() override { return outputs_.redirect(jobs_); }
  void stop(bool now) override;
  void pause() override;
  void resume(Duration paused) override;

 private:
  using State = LocalJob::State;

  // ---- Starting
  void launch(std::size_t index);
  void cannot_start(std::size_t index, std::error_code error);
  [[nodiscard]] bool has_host(std::size_t index);
  void no_host_is_left();

  // ---- Ending
  void ended(std::size_t index);
  void run_elsewhere(std::size_t index);
  void over(std::size_t index, JobReport report);
  void meet_deadline(std::size_t index, Instant now);
  void look_for_stopped();

  const JobLoopOptions& options_;
  const bool fixed_program_;
  EventSet& events_;
  JobListener& listener_;
  const bool has_terminal_;

  std::deque<LocalJob> jobs_;
  std::vector<std::size_t> unused_;  // of jobs_
  std::vector<std::size_t> held_;
  std::size_t running_ = 0;
  std::size_t heard_ = 0;
  bool stopping_ = false;
  bool stopped_now_ = false;
  Instant next_look_{};  // for jobs that were stopped

  JobSlots slots_;
  ProcessStarter starter_;
  OutputRouting outputs_;
};

}  // namespace artel::command::detail
