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
#include <string>
#include <system_error>
#include <utility>

#include "artel/command/child.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/job_slots.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/output_routing.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/process_starter.hpp"
#include "artel/command/detail/system_limit.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {
namespace {

using namespace std::chrono_literals;

constexpr Duration kHeardLook = 50ms;  // how often it is seen whether a group has gone
constexpr int kHostGone = 255;         // as ssh ends
constexpr Duration kStoppedLook = 1s;  // or a job was stopped: nothing tells

// As shells have them.
constexpr int kNotFound = 127;
constexpr int kCannotRun = 126;

// Ended jobs that are still heard have two files each, and many systems allow 1024.
constexpr std::size_t kHeardMax = 64;

bool is_not_found(std::error_code error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

bool is_gone(pid_t group) { return ::kill(-group, 0) != 0 && errno == ESRCH; }

bool open_terminal_works() {
  return file::OpenFile(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)).get() >= 0;
}

}  // namespace

LocalJobs::LocalJobs(const JobLoopOptions& options, bool fixed_program, Outputs outputs,
                     JobListener& listener)
    : options_(options),
      fixed_program_(fixed_program),
      events_(outputs.events),
      listener_(listener),
      has_terminal_(open_terminal_works()),
      slots_(options),
      starter_(options, fixed_program, outputs.events, listener),
      outputs_(options, outputs.spill, outputs.printer, listener) {}

// ---- Starting ---------------------------------------------------------------------------------

std::optional<std::size_t> LocalJobs::free_slot() {
  if (slots_.all_taken() || !held_.empty() || heard_ >= kHeardMax) return std::nullopt;
  const auto slot = slots_.vacant();
  if (!slot && running_ == 0) no_host_is_left();
  return slot;
}

void LocalJobs::start(CommandJob job) {
  slots_.claim(job.slot);
  if (unused_.empty()) {
    unused_.push_back(jobs_.size());
    jobs_.emplace_back();
  }
  const std::size_t index = unused_.back();
  unused_.pop_back();
  LocalJob& here = jobs_[index];
  here.job = std::move(job);
  here.attempt = 1;
  if (options_.tag) {
    const auto tag = options_.tag(here.job.number, here.job.items);
    for (auto* const stream : {&here.out, &here.err}) stream->tag(tag);
  }
  launch(index);
}

// Finds the job another slot if the host of its own is lost. False: it waits for one, or is over.
bool LocalJobs::has_host(std::size_t index) {
  LocalJob& job = jobs_[index];
  if (options_.hosts == nullptr || !options_.hosts->is_lost(job.job.slot)) return true;
  if (const auto slot = slots_.vacant()) {
    slots_.claim(*slot);
    job.job.slot = *slot;
    return true;
  }
  if (running_ > 0) {
    job.state = State::held;
    held_.push_back(index);
  } else {
    no_host_is_left();
    over(index, {.cancelled = true});
  }
  return false;
}

void LocalJobs::no_host_is_left() {
  listener_.run_failed({ErrorCode::io, "all hosts are lost", "ssh"}, false);
}

void LocalJobs::launch(std::size_t index) {
  if (!has_host(index)) return;
  LocalJob& job = jobs_[index];
  auto child = starter_.start(job, index);
  if (!child) return cannot_start(index, child.error());
  job.child.emplace(std::move(*child));
  job.state = State::running;
  ++running_;
  events_.add(job.child->file(), job.key_of(index, LocalJob::kChild));
}

// Waits for room, gives the run up, or takes it as this job's failure.
void LocalJobs::cannot_start(std::size_t index, std::error_code error) {
  LocalJob& job = jobs_[index];
  outputs_.discard(job);
  starter_.ended(index);
  if (is_transient(error) && running_ > 0) {
    job.state = State::held;
    held_.push_back(index);
    return;
  }
  if (const auto limit = system_limit(error); !limit.empty()) {
    listener_.run_failed({ErrorCode::io, "cannot start a job: " + limit, {}}, false);
    return over(index, {.cancelled = true});
  }
  const auto message =
      fmt::format("cannot run '{}': {}", printable(job.job.command.front()), error.message());
  const bool is_ours = error == std::errc::operation_canceled;  // was told: a file for results
  if (is_ours || (fixed_program_ && error != std::errc::argument_list_too_long)) {
    listener_.run_failed(
        {is_not_found(error) ? ErrorCode::not_found : ErrorCode::unsupported, message, {}}, false);
    return over(index, {.cancelled = true});
  }
  job.err.append("artel: " + message + '\n');
  over(index, {.finished = job.started,
               .ending = {.exit_status = is_not_found(error) ? kNotFound : kCannotRun},
               .failed = true});
}

// ---- Ending -------------------------------------------------------------------------------------

void LocalJobs::handle(std::uint64_t key) {
  const std::size_t index = static_cast<std::uint32_t>(key) / LocalJob::kKeys;
  LocalJob& job = jobs_[index];
  const std::uint64_t which = key % LocalJob::kKeys;
  if (job.state == State::unused || key != job.key_of(index, which))
    return;  // of an earlier attempt
  if (which == LocalJob::kChild) {
    return ended(index);
  }
  outputs_.read(job, which == LocalJob::kErr);
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
  events_.remove(job.child->file());
  job.child.reset();
  starter_.ended(index);
  --running_;
  if (options_.hosts != nullptr && !job.told_to_end && ending->exit_status == kHostGone &&
      options_.hosts->was_lost(job.job.slot)) {
    return run_elsewhere(index);
  }
  outputs_.drain(job);
  JobReport report{.finished = steady_now(), .ending = *ending, .timed_out = job.timed_out};
  report.cancelled = job.cancelled;
  report.failed =
      !job.cancelled && (ending->exit_status != 0 || ending->signal != 0 || job.timed_out);
  if (report.failed && job.attempt <= options_.retries && !stopping_) {
    ++job.attempt;
    outputs_.discard(job);
    return launch(index);
  }
  if (!job.told_to_end && (job.out.is_open() || job.err.is_open()) && !is_gone(group)) {
    job.state = State::heard;
    job.report = report;
    job.group = group;
    job.deadline = later(report.finished, options_.linger);
    slots_.give_back(job.job.slot);  // L1
    ++heard_;
    return;
  }
  if (job.cancelled) outputs_.discard(job);
  over(index, report);
}

// It is not the job's fault, so it is no attempt of its own.
void LocalJobs::run_elsewhere(std::size_t index) {
  outputs_.discard(jobs_[index]);
  if (stopping_) return over(index, {.cancelled = true});
  launch(index);
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
    slots_.give_back(job.job.slot);
  }
  job.state = State::unused;
  job.deadline = kNever;
  unused_.push_back(index);
  listener_.job_over(std::move(job.job), report, std::move(output));
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
      outputs_.drain(job);
      over(index, job.report);
    } else if (job.child && now >= job.deadline) {
      meet_deadline(index, now);
    }
  }
}

// L3.
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
    if (job.child && !job.told_to_end) ended(index);  // L3
    if (job.state == State::heard) {
      outputs_.drain(job);
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
