#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_slot.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/output_files.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::command {

/// In which order the outputs of jobs are printed.
enum class OutputOrder : std::uint8_t { input, completion };

/// What to do when a job has failed.
enum class Halt : std::uint8_t {
  never,  ///< go on
  soon,   ///< start no more jobs, wait for those that run
  now,    ///< kill those that run
};

/// What somebody outside (a signal) wants.
enum class StopRequest : std::uint8_t { none, soon, now };

/// A job that is over.
struct JobReport {
  std::uint64_t job = 0;   ///< from 1, in order of the input
  std::uint64_t slot = 0;  ///< from 1
  std::span<const std::string> command;
  Duration started_wall{};  ///< of the last attempt, since 1970 (UTC)
  Instant started{};        ///< the same on a steady clock
  Instant finished{};
  std::uint64_t output = 0;  ///< bytes on stdout
  Ending ending;
  bool failed = false;
  bool timed_out = false;
  bool cancelled = false;  ///< killed since the run was stopped; it did not fail by itself
};

/// How far a run is.
struct JobProgress {
  std::uint64_t done = 0;  ///< jobs, skipped ones included
  std::uint64_t failed = 0;
  std::uint64_t running = 0;
  std::optional<double> input;  ///< how much of the input has been started, 0 to 1, if known
};

struct JobLoopOptions {
  std::size_t slots = 1;          ///< jobs at once
  std::size_t items_per_job = 1;  ///< the last one may get fewer
  OutputOrder order = OutputOrder::input;
  Halt halt = Halt::never;
  unsigned retries = 0;                      ///< a job that fails is tried so many times more
  Duration timeout = kForever;               ///< then an attempt is killed, and has failed
  Duration grace = std::chrono::seconds(1);  ///< from SIGTERM to SIGKILL
  bool dry_run = false;                      ///< prints the commands instead
  /// Outputs go to files there, N/stdout and N/stderr for job N, and are not printed; empty: no.
  std::filesystem::path results{};
  std::size_t memory_max = std::size_t{32} << 20U;  ///< of finished outputs; the rest is on disk

  OutputFiles files{};  ///< where outputs are printed

  /// Jobs that are not to be run.
  std::function<bool(std::uint64_t job)> skip{};
  /// Hears of every job that is over. A failure stops the run soon.
  std::function<Result<void>(const JobReport&)> finished{};
  /// Hears how far it is, about ten times a second.
  std::function<void(const JobProgress&)> progress{};
  /// Before an output is printed.
  std::function<void()> before_print{};
  /// A file that is readable when `control` has something to say; -1: none.
  int control_file = -1;
  std::function<StopRequest()> control{};
};

/// How a run ended.
struct RunSummary {
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;  ///< killed
  std::uint64_t skipped = 0;
  bool halted = false;       ///< by Halt
  bool interrupted = false;  ///< by a StopRequest
  /// closed: nobody reads stdout any more; not_found, unsupported: the command cannot be run;
  /// io and others: input, output or log.
  std::optional<Error> failure;
};

/// Runs a command for items, so many jobs at a time: one thread, one loop over events.
///
/// Invariants:
///  P1  The next job is cut from the input when a slot is free and the last output that is due
///      could be printed, and not before: what exists is what runs.
///  P2  A slot is free, runs a job, or waits for the system to have room for its process.
///  P3  Every job that was started gets a turn, and its output is put into the store exactly once,
///      empty if it was cancelled; so outputs come whole, one after the other.
///  P4  A process is waited for only after what is left of its group has been killed, if it was to
///      be ended: until then the group's number cannot be somebody else's.
/// Memory:  JobLoopOptions::memory_max, two pieces (Capture) and the arguments per slot.
/// Threads: one; it must outlive the jobs, see Child. SIGPIPE must be ignored.
class JobLoop {
 public:
  JobLoop(CommandTemplate command, InputItems& items, JobLoopOptions options);

  /// To be called once.
  [[nodiscard]] RunSummary run();

 private:
  void start_jobs();
  bool cut_job();
  void launch(std::size_t index);
  [[nodiscard]] tl::expected<Child, std::error_code> start_child(detail::JobSlot& slot);
  [[nodiscard]] tl::expected<int, std::error_code> open_output(const detail::JobSlot& slot,
                                                               detail::Capture& capture,
                                                               std::uint64_t which,
                                                               const char* name);
  [[nodiscard]] std::uint64_t key_of(const detail::JobSlot& slot, std::uint64_t which) const;
  void cannot_start(std::size_t index, std::error_code error);
  void ended(std::size_t index);
  void finish(std::size_t index, JobReport report);
  void end_job(detail::JobSlot& slot);
  void stop_now();
  void fail_run(Error error, bool now);
  void print();
  [[nodiscard]] bool over() const;
  void wait();
  void handle(std::uint64_t key);
  void request(StopRequest request);
  [[nodiscard]] Duration next_deadline(Instant now) const;
  void meet_deadlines(Instant now);

  const CommandTemplate command_;
  InputItems& items_;
  const JobLoopOptions options_;
  std::string program_;  // if all jobs run the same
  int null_;             // stdin of all jobs

  detail::SpillFile spill_;
  detail::OutputStore store_;
  detail::JobPrinter printer_;
  detail::EventSet events_;

  std::vector<detail::JobSlot> slots_;
  std::vector<std::size_t> free_;
  std::vector<std::size_t> held_;  // P2: wait for room
  std::size_t running_ = 0;        // processes
  std::vector<std::string> next_items_;
  bool input_ended_ = false;
  bool input_waits_ = false;
  std::uint64_t jobs_ = 0;      // cut so far, skipped ones included
  std::uint64_t attempts_ = 0;  // begun
  std::uint64_t turns_ = 0;     // given
  std::uint64_t turns_done_ = 0;
  Instant progress_due_{};
  bool stopping_ = false;  // no more jobs are started
  bool stopped_now_ = false;
  bool silent_ = false;  // nobody reads stdout any more, or it failed
  RunSummary summary_;
};

}  // namespace artel::command
