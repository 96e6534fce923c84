#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/detail/start_gate.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/job_place.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::command {

/// Runs a command for items, so many jobs at a time: one thread, one loop over events. The jobs are
/// processes of ours, or run at a JobPlace.
///
/// A job is cut from the input, started, over, printed, and noted, in this order.
/// Invariants:
///  P1  The next job is cut from the input when it can start and the last output that is due could
///      be printed, and not before: what exists is what runs.
///  P2  Every job that was started is over once, and its output is put into the store then, but for
///      what was passed to the printer in its turn; so outputs come one after the other.
///  P3  A job is noted (JobLoopOptions::printed) after its last byte was printed, if at all.
///  P4  With JobLoopOptions::journal, an output is there before its first byte is printed, and
///      nothing is printed that a run without the interruption would not have printed next.
/// Memory:  JobLoopOptions::memory_max, two pieces (Capture) and the arguments per job.
/// Threads: one; it must outlive the jobs, see Child. SIGPIPE must be ignored.
class JobLoop final : private detail::JobListener {
 public:
  /// `place`: where the jobs run; null: here. It must outlive this.
  JobLoop(CommandTemplate command, InputItems& items, JobLoopOptions options,
          JobPlace* place = nullptr);
  JobLoop(const JobLoop&) = delete;
  JobLoop& operator=(const JobLoop&) = delete;
  ~JobLoop();

  /// To be called once.
  [[nodiscard]] RunSummary run();

 private:
  void start_jobs();
  [[nodiscard]] bool may_start() const;
  bool cut_job();
  [[nodiscard]] bool is_skipped();
  [[nodiscard]] bool is_wanted(const std::vector<std::string>& command);

  void job_over(detail::CommandJob job, JobReport report, detail::JobOutput output) override;
  [[nodiscard]] std::uint64_t next_turn() override { return turns_++; }
  void run_failed(Error error, bool now) override;
  void add_path(const detail::CommandJob& job, detail::JobOutput& output) const;
  [[nodiscard]] detail::JobOutput keep(std::uint64_t job, detail::JobOutput output);
  void put_earlier(std::optional<std::uint64_t> record);
  void put(std::uint64_t turn, detail::JobOutput output);
  void count_kept();
  void stop(bool now);

  void print();
  [[nodiscard]] bool over() const;
  void wait();
  void handle(std::uint64_t key);
  void request(StopRequest request);
  void pause();
  void tell_progress(Instant now);

  const CommandTemplate command_;
  InputItems& items_;
  const JobLoopOptions options_;

  detail::SpillFile spill_;
  detail::OutputStore store_;
  detail::JobPrinter printer_;
  detail::EventSet events_;
  std::unique_ptr<detail::JobRunner> runner_;
  detail::StartGate gate_;

  std::vector<std::string> next_items_;
  bool input_ended_ = false;
  bool input_waits_ = false;
  std::uint64_t jobs_ = 0;   // cut so far, skipped ones included
  std::uint64_t turns_ = 0;  // given
  Instant progress_due_{};
  Duration untaken_look_{};  // for what the reader has yet to take
  Instant patience_{};       // with it
  bool stopping_ = false;    // no more jobs are started
  bool stopped_now_ = false;
  bool silent_ = false;  // nobody reads stdout any more, or it failed
  RunSummary summary_;
};

}  // namespace artel::command
