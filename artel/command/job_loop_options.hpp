#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "artel/command/child.hpp"
#include "artel/command/halt_rule.hpp"
#include "artel/command/job_hosts.hpp"
#include "artel/command/output_files.hpp"
#include "artel/command/output_journal.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::command {

/// In which order the outputs of jobs are printed.
enum class OutputOrder : std::uint8_t { input, completion };

/// What of a job's output stays together.
enum class Grouping : std::uint8_t {
  job,    ///< all of it: stdout, then stderr
  lines,  ///< each line, as soon as it is there
  none,   ///< nothing: jobs write to our files themselves
};

/// What somebody outside (a signal) wants.
enum class StopRequest : std::uint8_t {
  none,   ///< go on
  soon,   ///< start nothing more, and finish what runs
  now,    ///< end what runs, too
  pause,  ///< as Ctrl-Z wants; then JobLoopOptions::wait_for_continue is called
};

/// A job that is over.
struct JobReport {
  std::uint64_t job = 0;                 ///< from 1, in order of the input
  std::uint64_t slot = 0;                ///< from 1
  std::span<const std::string> command;  ///< what was run, word by word
  Duration started_wall{};               ///< of the last attempt, since 1970 (UTC)
  Instant started{};                     ///< the same on a steady clock
  Instant finished{};                    ///< of the last attempt
  std::uint64_t output = 0;              ///< bytes on stdout
  Ending ending;
  bool failed = false;     ///< after all attempts
  bool timed_out = false;  ///< the last attempt took longer than allowed, and was killed
  bool cancelled = false;  ///< killed since the run was stopped; it did not fail by itself
  std::string host;        ///< that it ran at; empty: here
};

/// How far a run is.
struct JobProgress {
  std::uint64_t done = 0;       ///< jobs, skipped ones included
  std::uint64_t failed = 0;     ///< jobs
  std::uint64_t running = 0;    ///< jobs
  std::optional<double> input;  ///< how much of the input has been started, 0 to 1, if known
};

/// When jobs may start, besides when there is a slot.
struct StartRules {
  Duration delay{};               ///< between two starts, at least
  double load_max = 0;            ///< of the system, in the last minute; 0: any
  std::uint64_t free_memory = 0;  ///< bytes that must be available
};

/// What a JobLoop does with the jobs, and whom it tells. The defaults are those of `artel map`.
struct JobLoopOptions {
  std::size_t slots = 1;  ///< jobs at once
  /// Is asked for `slots` once a second; empty: they stay.
  std::function<std::size_t()> slots_now{};
  std::size_t items_per_job = 1;  ///< the last one may get fewer
  OutputOrder order = OutputOrder::input;
  Grouping grouping = Grouping::job;
  HaltRule halt{};
  StartRules start{};
  unsigned retries = 0;                      ///< a job that fails is tried so many times more
  Duration timeout = kForever;               ///< then an attempt is killed, and has failed
  Duration grace = std::chrono::seconds(1);  ///< from SIGTERM to SIGKILL
  /// What an ended job has left behind is heard for so long, if it still has the output open.
  Duration linger = std::chrono::seconds(10);
  int nice = 0;          ///< added to that of the jobs
  bool tty = false;      ///< jobs have the terminal: they stay in our process group
  bool dry_run = false;  ///< prints the commands instead
  /// Where the jobs run if their processes here only hand them on; null: here. `slots` is theirs. A
  /// job whose host is lost runs again elsewhere.
  JobHosts* hosts = nullptr;

  /// Outputs go to files there, N/stdout and N/stderr for job N, and are not printed; empty: no.
  std::filesystem::path results{};
  /// The file for a job's stdout instead; stderr goes beside it, to the same name and ".err".
  std::function<std::filesystem::path(std::uint64_t job, std::span<const std::string> items)>
      results_of{};
  bool print_paths = false;  ///< prints the name of each job's stdout file
  /// What each line of a job's output begins with; empty function: nothing.
  std::function<std::string(std::uint64_t job, std::span<const std::string> items)> tag{};

  std::size_t memory_max = std::size_t{32} << 20U;  ///< of finished outputs; the rest is on disk
  /// Bytes on disk, and half of what is free there at most. Past that, jobs whose turn has not come
  /// wait with their output.
  std::uint64_t disk_max = ~std::uint64_t{0};
  OutputFiles files{};  ///< where outputs are printed
  /// Outputs of whole jobs (Grouping::job) are there from their ends until `printed` has returned.
  /// After a run that was stopped, outputs behind one that is missing in order stay there. Null:
  /// no.
  OutputJournal* journal = nullptr;
  /// Stays open after this process has died, until no job is left; jobs have it open, too. -1:
  /// none.
  int guarded_file = -1;

  /// Whether somebody who is asked wants this command to run; nothing: `control` comes first. A job
  /// that is not wanted counts as skipped. Empty: nobody is asked.
  std::function<std::optional<bool>(std::span<const std::string> command)> ask{};
  /// Hears of each command before it starts.
  std::function<void(std::span<const std::string> command)> starting{};
  /// Jobs that are not to be run.
  std::function<bool(std::uint64_t job)> skip{};
  /// Of each of those, the command that it would have. A failure stops the run.
  std::function<Result<void>(std::uint64_t job, std::span<const std::string> command)> skipped{};
  /// Hears of every job that is over. A failure stops the run soon. What it returns is for
  /// `printed`; empty: nothing.
  std::function<Result<std::string>(const JobReport&)> finished{};
  /// Hears when all that the job has written has reached the files; if stdout is a pipe, when its
  /// reader has taken it. In order of printing. A failure stops the run soon.
  std::function<Result<void>(const std::string& note)> printed{};
  /// Hears how far it is, about ten times a second.
  std::function<void(const JobProgress&)> progress{};
  /// Before an output is printed.
  std::function<void()> before_print{};
  /// Tells the user something about the run.
  std::function<void(const std::string&)> tell{};
  /// A file that is readable when `control` has something to say; -1: none.
  int control_file = -1;
  /// What is wanted now; asked when `control_file` is readable.
  std::function<StopRequest()> control{};
  /// Stops this process until SIGCONT; the jobs are stopped meanwhile.
  std::function<void()> wait_for_continue{};
};

/// How a run ended.
struct RunSummary {
  std::uint64_t succeeded = 0;  ///< jobs
  std::uint64_t failed = 0;     ///< jobs
  std::uint64_t cancelled = 0;  ///< killed
  std::uint64_t skipped = 0;    ///< jobs that an earlier run had done
  bool halted = false;          ///< by HaltRule
  bool interrupted = false;     ///< by a StopRequest
  std::uint64_t kept = 0;       ///< outputs that are left in the journal
  /// closed: nobody reads stdout any more; not_found, unsupported: the command cannot be run;
  /// io and others: input, output or log.
  std::optional<Error> failure;
};

}  // namespace artel::command
