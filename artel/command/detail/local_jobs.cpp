#include "artel/command/detail/local_jobs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "artel/command/child.hpp"
#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command::detail {
namespace {

using namespace std::chrono_literals;

constexpr Duration kHeardLook = 50ms;  // how often it is seen whether a group has gone
constexpr int kHostGone = 255;         // as ssh ends
constexpr Duration kStoppedLook = 1s;  // or a job was stopped: nothing tells

bool is_gone(pid_t group) { return ::kill(-group, 0) != 0 && errno == ESRCH; }

bool open_terminal_works() {
  return file::OpenFile(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)).get() >= 0;
}

}  // namespace

LocalJobs::LocalJobs(const JobLoopOptions& options, bool fixed_program, Outputs outputs,
                     JobListener& listener)
    : options_(options),
      fixed_program_(fixed_program),
      outputs_(outputs),
      listener_(listener),
      in_(::open(options.tty ? "/dev/tty" : "/dev/null", O_RDONLY | O_CLOEXEC)),
      has_terminal_(open_terminal_works()) {}

// ---- Output -------------------------------------------------------------------------------------

// L3. Whether what the job writes there is passed on before it ends. Its stderr comes after its
// stdout, so long as there is room to keep it.
bool LocalJobs::streams(const LocalJob& job, bool is_err) const {
  if (options_.grouping == Grouping::lines) return true;
  // One that has been told to end is not in the log, so no more of it is printed.
  return job.job.turn == outputs_.printer.turn() && !job.cancelled && !may_repeat(job) &&
         !is_kept(job) && (!is_err || outputs_.spill.full());
}

// Whether all of its output is to be in the journal before any of it is printed.
bool LocalJobs::is_kept(const LocalJob& job) const {
  return options_.journal != nullptr &&
         job.out.bytes() + job.err.bytes() <= outputs_.spill.bytes_max();
}

// Whether what it writes now may turn out to be that of an attempt that does not count.
bool LocalJobs::may_repeat(const LocalJob& job) const {
  return job.attempt <= options_.retries || options_.hosts != nullptr;
}

void LocalJobs::read(LocalJob& job, bool is_err) {
  Capture& capture = is_err ? job.err : job.out;
  if (streams(job, is_err)) {
    capture.read_piece();
    pass_on(job, is_err);
    return;
  }
  fail_unless(capture.drain(outputs_.spill));
  if (may_repeat(job) && job.job.turn == outputs_.printer.turn() &&
      capture.bytes() > options_.disk_max) {
    listener_.run_failed(
        {ErrorCode::io,
         fmt::format("job {} has written more than the {} bytes that may be kept (--spill-max), in "
                     "an attempt that may have to be repeated, and so cannot be printed yet",
                     job.job.number, options_.disk_max),
         {}},
        true);
  }
}

void LocalJobs::pass_on(LocalJob& job, bool is_err) {
  Capture& capture = is_err ? job.err : job.out;
  const auto stream = is_err ? JobPrinter::PartKind::err : JobPrinter::PartKind::out;
  job.begun = true;
  if (options_.grouping != Grouping::lines || capture.bytes_kept() > Capture::kPiece) {
    return outputs_.printer.pass(stream, capture.take_read());
  }
  outputs_.printer.pass(stream, {.kept = {}, .spilled = {}, .text = capture.take_lines()});
}

bool LocalJobs::redirect_outputs() {
  const bool lines = options_.grouping == Grouping::lines;
  if (outputs_.spill.full() && !lines) make_room();
  const auto turn = outputs_.printer.turn();
  const bool busy = outputs_.printer.blocked_on().has_value();
  const bool full = outputs_.spill.full();
  if (turn == turn_ && busy == printer_busy_ && full == spill_full_) return false;
  turn_ = turn;
  printer_busy_ = busy;
  spill_full_ = full;
  bool passed = false;
  for (auto& job : jobs_) {
    if (job.state != State::running && job.state != State::heard) continue;
    for (const bool is_err : {false, true}) {
      Capture& capture = is_err ? job.err : job.out;
      const bool streaming = streams(job, is_err);
      if (streaming && !busy && !lines && !capture.empty()) {
        pass_on(job, is_err);
        passed = true;
      }
      // An attempt in turn that is not the last one has to be kept, whatever it takes: see read().
      capture.listen(streaming ? !busy : !full || job.job.turn == turn);
    }
  }
  return passed;
}

// Outputs come as jobs end, and there is no room for what those that run have yet to write: one of
// them gets its turn now, the one that has written most.
void LocalJobs::make_room() {
  LocalJob* most = nullptr;
  for (auto& job : jobs_) {
    if (job.state != State::running && job.state != State::heard) continue;
    if (job.job.turn != CommandJob::kNoTurn) return;
    if (most == nullptr ||
        job.out.bytes() + job.err.bytes() > most->out.bytes() + most->err.bytes()) {
      most = &job;
    }
  }
  if (most != nullptr) most->job.turn = listener_.next_turn();
}

// ---- Ending -------------------------------------------------------------------------------------

void LocalJobs::handle(std::uint64_t key) {
  const std::size_t index = static_cast<std::uint32_t>(key) / kKeysPerJob;
  LocalJob& job = jobs_[index];
  const std::uint64_t which = key % kKeysPerJob;
  if (job.state == State::unused || key != key_of(index, which)) return;  // of an earlier attempt
  if (which == kChild) {
    return ended(index);
  }
  read(job, which == kErr);
  if (job.state == State::heard && !job.out.is_open() && !job.err.is_open()) {
    over(index, job.report);
  }
}

void LocalJobs::ended(std::size_t index) {
  LocalJob& job = jobs_[index];
  if (!job.child) return;
  if (job.told_to_end) job.child->signal_all(SIGKILL);  // L2
  const pid_t group = job.child->pid();
  const auto ending = job.child->ended();
  if (!ending) return;
  outputs_.events.remove(job.child->file());
  job.child.reset();
  if (guard_) guard_->clear(index);
  --running_;
  if (options_.hosts != nullptr && !job.told_to_end && ending->exit_status == kHostGone &&
      options_.hosts->was_lost(job.job.slot)) {
    return run_elsewhere(index);
  }
  drain(job);
  JobReport report{.finished = steady_now(), .ending = *ending, .timed_out = job.timed_out};
  report.cancelled = job.cancelled;
  report.failed =
      !job.cancelled && (ending->exit_status != 0 || ending->signal != 0 || job.timed_out);
  if (report.failed && job.attempt <= options_.retries && !stopping_) {
    ++job.attempt;
    fail_unless(job.discard(outputs_.spill));
    return launch(index);
  }
  if (!job.told_to_end && (job.out.is_open() || job.err.is_open()) && !is_gone(group)) {
    job.state = State::heard;
    job.report = report;
    job.group = group;
    job.deadline = later(report.finished, options_.linger);
    free_slots_.push_back(job.job.slot);  // L1
    ++heard_;
    return;
  }
  if (job.cancelled) fail_unless(job.discard(outputs_.spill));
  over(index, report);
}

// It is not the job's fault, so it is no attempt of its own.
void LocalJobs::run_elsewhere(std::size_t index) {
  fail_unless(jobs_[index].discard(outputs_.spill));
  if (stopping_) return over(index, {.cancelled = true});
  launch(index);
}

void LocalJobs::drain(LocalJob& job) {
  for (auto* const stream : {&job.out, &job.err}) fail_unless(stream->drain(outputs_.spill));
}

// Fills in the rest of the report, and lets the job go.
void LocalJobs::over(std::size_t index, JobReport report) {
  LocalJob& job = jobs_[index];
  report.slot = job.job.slot + 1;
  if (options_.hosts != nullptr) report.host = options_.hosts->name(job.job.slot);
  report.started_wall = job.started_wall;
  report.started = job.started;
  report.output = job.out.bytes();
  JobOutput output{.out = job.out.take(), .err = job.err.take(), .note = {}, .begun = job.begun};
  if (job.state == State::heard) {
    --heard_;
  } else {
    free_slots_.push_back(job.job.slot);
  }
  job.state = State::unused;
  job.deadline = kNever;
  unused_.push_back(index);
  listener_.job_over(std::move(job.job), report, std::move(output));
}

void LocalJobs::fail_unless(const Result<void>& result) {
  if (!result) listener_.run_failed(result.error(), true);
}

// ---- Waiting ------------------------------------------------------------------------------------

Duration LocalJobs::next_deadline(Instant now) {
  Duration next = kForever;
  if (heard_ > 0) next = kHeardLook;
  if (has_terminal_ && !options_.tty && running_ > 0) next = std::min<Duration>(next, kStoppedLook);
  if (options_.timeout == kForever && !stopped_now_ && heard_ == 0) return next;
  for (const auto& job : jobs_) {
    if (job.state == State::unused || job.deadline == kNever) continue;
    next = std::min(next, std::max(job.deadline - now, Duration{}));
  }
  return next;
}

void LocalJobs::meet_deadlines(Instant now) {
  for (const auto index : std::exchange(held_, {})) launch(index);
  if (has_terminal_ && !options_.tty && running_ > 0 && now >= next_look_) {
    next_look_ = later(now, kStoppedLook);
    look_for_stopped();
  }
  if (options_.timeout == kForever && !stopped_now_ && heard_ == 0) return;
  for (std::size_t index = 0; index < jobs_.size(); ++index) {
    LocalJob& job = jobs_[index];
    if (job.state == State::heard && (now >= job.deadline || is_gone(job.group))) {
      drain(job);
      over(index, job.report);
    } else if (job.child && now >= job.deadline) {
      meet_deadline(index, now);
    }
  }
}

// L4.
void LocalJobs::meet_deadline(std::size_t index, Instant now) {
  LocalJob& job = jobs_[index];
  if (job.told_to_end) {
    job.child->signal_all(SIGKILL);  // NOLINT(*-unchecked-optional-access): has a child
    job.deadline = kNever;
    return;
  }
  const auto attempts = job.attempts;
  ended(index);
  if (!job.child || job.attempts != attempts) return;
  job.timed_out = true;
  job.tell_to_end(now, options_.grace);
}

// A job that asks at the terminal is stopped by the system: the terminal is not its own.
void LocalJobs::look_for_stopped() {
  for (auto& job : jobs_) {
    if (!job.child || job.told_to_end) continue;
    const int signal = job.child->stopped_by();
    if (signal != SIGTTIN && signal != SIGTTOU) continue;
    if (options_.tell) {
      options_.tell(
          fmt::format("job {} wants the terminal, which jobs do not have, and is ended: {}; "
                      "with --tty they have it, one at a time",
                      job.job.number, job.job.command.front()));
    }
    job.tell_to_end(steady_now(), options_.grace);
  }
}

void LocalJobs::stop(bool now) {
  stopping_ = true;
  if (!now) return;
  const bool again = std::exchange(stopped_now_, true);
  const Instant instant = steady_now();
  for (std::size_t index = 0; index < jobs_.size(); ++index) {
    LocalJob& job = jobs_[index];
    if (job.child && !job.told_to_end) ended(index);  // L4
    if (job.state == State::heard) {
      drain(job);
      over(index, job.report);
    } else if (job.child && !job.told_to_end) {
      job.cancelled = true;
      job.tell_to_end(instant, options_.grace);
    } else if (job.child && again) {
      job.deadline = instant;
    }
  }
  for (const auto index : std::exchange(held_, {})) over(index, {.cancelled = true});
}

void LocalJobs::pause() {
  for (auto& job : jobs_) {
    if (job.child) job.child->signal_all(SIGSTOP);
  }
}

void LocalJobs::resume(Duration paused) {
  for (auto& job : jobs_) {
    if (job.state == State::unused) continue;
    if (job.deadline != kNever) job.deadline = later(job.deadline, paused);
    if (job.child) job.child->signal_all(SIGCONT);
  }
}

}  // namespace artel::command::detail
