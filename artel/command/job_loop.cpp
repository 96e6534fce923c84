#include "artel/command/job_loop.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/command/child.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_slot.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command {
namespace {

using namespace std::chrono_literals;

constexpr Duration kProgressEvery = 100ms;

// Keys of events: one of the last three, or the attempt that runs in a slot (32 bits of its
// number), the slot, and one of the first three.
constexpr std::uint64_t kChild = 0;
constexpr std::uint64_t kOut = 1;
constexpr std::uint64_t kErr = 2;
constexpr std::uint64_t kKeysPerSlot = 4;
constexpr unsigned kAttemptShift = 32;
constexpr std::uint64_t kControl = ~std::uint64_t{0};
constexpr std::uint64_t kInput = kControl - 1;
constexpr std::uint64_t kPrinter = kControl - 2;

// As shells have them.
constexpr int kNotFound = 127;
constexpr int kCannotRun = 126;

std::error_code last_error() { return {errno, std::generic_category()}; }

// The system has no room now and may have when some job has ended.
bool is_transient(std::error_code error) {
  return error == std::errc::resource_unavailable_try_again ||
         error == std::errc::not_enough_memory || error == std::errc::too_many_files_open ||
         error == std::errc::too_many_files_open_in_system;
}

bool is_not_found(std::error_code error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

std::string cannot_run(std::string_view program, std::error_code error) {
  return fmt::format("cannot run '{}': {}", program, error.message());
}

}  // namespace

JobLoop::JobLoop(CommandTemplate command, InputItems& items, JobLoopOptions options)
    : command_(std::move(command)),
      items_(items),
      options_(std::move(options)),
      null_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      store_(spill_, options_.memory_max),
      printer_(store_, spill_, options_.files, options_.before_print),
      slots_(options_.slots) {
  ARTEL_REQUIRE(options_.slots > 0 && options_.items_per_job > 0, "there is something to do");
  for (std::size_t i = slots_.size(); i > 0; --i) free_.push_back(i - 1);
  if (options_.control_file >= 0) events_.add(options_.control_file, kControl);
}

RunSummary JobLoop::run() {
  while (true) {
    start_jobs();
    print();
    if (over()) break;
    wait();
    meet_deadlines(steady_now());
  }
  if (null_ >= 0) ::close(std::exchange(null_, -1));
  return std::move(summary_);
}

// After an interruption that wants an end now, nobody waits for a reader of the output.
bool JobLoop::over() const {
  const bool nothing_to_start = stopping_ || (input_ended_ && next_items_.empty());
  if (!nothing_to_start || running_ > 0 || !held_.empty()) return false;
  return !printer_.blocked_on() || silent_ || (stopped_now_ && summary_.interrupted);
}

// ---- starting -----------------------------------------------------------------------------------

void JobLoop::start_jobs() {
  for (const auto index : std::exchange(held_, {})) launch(index);
  // Jobs that take no time (--dry-run) must not keep the rest waiting.
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (stopping_ || !held_.empty() || free_.empty() || (printer_.blocked_on() && !silent_)) return;
    if (!cut_job()) return;
    const std::size_t index = free_.back();
    free_.pop_back();
    detail::JobSlot& slot = slots_[index];
    slot.items.swap(next_items_);
    next_items_.clear();
    slot.job = jobs_;
    slot.turn = turns_++;
    slot.attempt = 1;
    slot.command = command_.expand({.items = slot.items, .job = slot.job, .slot = index + 1});
    launch(index);
  }
}

// P1. Whether there are items for the next job; it has the number jobs_.
bool JobLoop::cut_job() {
  while (!input_ended_ || !next_items_.empty()) {
    while (!input_ended_ && next_items_.size() < options_.items_per_job) {
      std::string item;
      const auto supply = items_.next(item);
      if (!supply) {
        fail_run(supply.error(), false);
        return false;
      }
      if (*supply == Supply::wait) {
        input_waits_ = true;
        return false;
      }
      if (*supply == Supply::cut) break;
      input_ended_ = *supply == Supply::end;
      if (!input_ended_) next_items_.push_back(std::move(item));
    }
    if (next_items_.empty()) return false;
    ++jobs_;
    if (!options_.skip || !options_.skip(jobs_)) return true;
    ++summary_.skipped;
    next_items_.clear();
  }
  return false;
}

void JobLoop::launch(std::size_t index) {
  detail::JobSlot& slot = slots_[index];
  slot.begin_attempt(options_.timeout);
  slot.number = ++attempts_;
  if (options_.dry_run) {
    slot.out.append(shell_quote(slot.command) + '\n');
    end_job(slot);
    free_.push_back(index);
    return;
  }
  auto child = start_child(slot);
  if (!child) return cannot_start(index, child.error());
  slot.child.emplace(std::move(*child));
  ++running_;
  events_.add(slot.child->file(), key_of(slot, kChild));
}

tl::expected<Child, std::error_code> JobLoop::start_child(detail::JobSlot& slot) {
  std::string program = program_;
  if (program.empty()) {
    auto found = find_program(slot.command.front());
    if (!found) return tl::unexpected(found.error());
    program = *found;
    if (command_.fixed_program()) program_ = std::move(*found);
  }
  const auto out = open_output(slot, slot.out, kOut, "stdout");
  if (!out) return tl::unexpected(out.error());
  const auto err = open_output(slot, slot.err, kErr, "stderr");
  if (!err) {
    ::close(*out);
    return tl::unexpected(err.error());
  }
  auto child = Child::start(program, slot.command, {.in = null_, .out = *out, .err = *err});
  ::close(*out);
  ::close(*err);
  return child;
}

// What the job writes to.
tl::expected<int, std::error_code> JobLoop::open_output(const detail::JobSlot& slot,
                                                        detail::Capture& capture,
                                                        std::uint64_t which, const char* name) {
  if (options_.results.empty()) return capture.open(events_, key_of(slot, which));
  const auto folder = options_.results / std::to_string(slot.job);
  const auto path = folder / name;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file >= 0) return file;
    error = last_error();
  }
  if (is_transient(error)) return tl::unexpected(error);
  fail_run({ErrorCode::io, fmt::format("cannot create: {}", error.message()), path.string()},
           false);
  return tl::unexpected(std::make_error_code(std::errc::operation_canceled));
}

std::uint64_t JobLoop::key_of(const detail::JobSlot& slot, std::uint64_t which) const {
  const auto index = static_cast<std::uint64_t>(&slot - slots_.data());
  return slot.number << kAttemptShift | (kKeysPerSlot * index + which);
}

// P2. Waits for room, gives the run up, or takes it as this job's failure.
void JobLoop::cannot_start(std::size_t index, std::error_code error) {
  detail::JobSlot& slot = slots_[index];
  slot.discard(spill_);
  if (is_transient(error) && running_ > 0) {
    held_.push_back(index);
    return;
  }
  const auto message = cannot_run(slot.command.front(), error);
  const bool is_ours = error == std::errc::operation_canceled;  // was told: --results
  if (is_ours || (command_.fixed_program() && error != std::errc::argument_list_too_long)) {
    fail_run({is_not_found(error) ? ErrorCode::not_found : ErrorCode::unsupported, message, {}},
             false);
    end_job(slot);
    free_.push_back(index);
    return;
  }
  slot.err.append("artel: " + message + '\n');
  finish(index, {.finished = slot.started,
                 .ending = {.exit_status = is_not_found(error) ? kNotFound : kCannotRun},
                 .failed = true});
}

// ---- ending -------------------------------------------------------------------------------------

void JobLoop::ended(std::size_t index) {
  detail::JobSlot& slot = slots_[index];
  if (slot.told_to_end) slot.child->signal(SIGKILL);  // P4
  const auto ending = slot.child->ended();
  if (!ending) return;
  events_.remove(slot.child->file());
  slot.child.reset();
  --running_;
  for (auto* const stream : {&slot.out, &slot.err}) {
    if (const auto drained = stream->drain(spill_); !drained) fail_run(drained.error(), true);
  }
  JobReport report{.finished = steady_now(), .ending = *ending, .timed_out = slot.timed_out};
  report.cancelled = slot.cancelled;
  report.failed =
      !slot.cancelled && (ending->exit_status != 0 || ending->signal != 0 || slot.timed_out);
  if (report.failed && slot.attempt <= options_.retries && !stopping_) {
    ++slot.attempt;
    slot.discard(spill_);
    launch(index);
    return;
  }
  if (slot.cancelled) slot.discard(spill_);
  finish(index, report);
}

// Fills in the rest of the report, and frees the slot.
void JobLoop::finish(std::size_t index, JobReport report) {
  detail::JobSlot& slot = slots_[index];
  report.job = slot.job;
  report.slot = index + 1;
  report.command = slot.command;
  report.started_wall = slot.started_wall;
  report.started = slot.started;
  report.output = slot.out.bytes();
  ++(report.cancelled ? summary_.cancelled : report.failed ? summary_.failed : summary_.succeeded);
  end_job(slot);
  free_.push_back(index);
  if (options_.finished) {
    if (const auto heard = options_.finished(report); !heard) fail_run(heard.error(), false);
  }
  if (!report.failed || options_.halt == Halt::never || stopping_) return;
  summary_.halted = true;
  stopping_ = true;
  if (options_.halt == Halt::now) stop_now();
}

// P3.
void JobLoop::end_job(detail::JobSlot& slot) {
  const auto turn = options_.order == OutputOrder::input ? slot.turn : turns_done_++;
  detail::JobOutput output{.out = slot.out.take(), .err = slot.err.take()};
  if (const auto put = store_.put(turn, std::move(output)); !put) fail_run(put.error(), true);
  slot.deadline = kNever;
}

void JobLoop::stop_now() {
  const Instant now = steady_now();
  const bool again = std::exchange(stopped_now_, true);
  stopping_ = true;
  for (auto& slot : slots_) {
    if (!slot.child) continue;
    if (!slot.told_to_end) {
      slot.cancelled = true;
      slot.tell_to_end(now, options_.grace);
    } else if (again) {
      slot.deadline = now;
    }
  }
  for (const auto index : std::exchange(held_, {})) {
    ++summary_.cancelled;
    end_job(slots_[index]);
    free_.push_back(index);
  }
}

void JobLoop::fail_run(Error error, bool now) {
  if (!summary_.failure) summary_.failure = std::move(error);
  stopping_ = true;
  if (now && !stopped_now_) stop_now();
}

void JobLoop::request(StopRequest request) {
  if (request == StopRequest::none) return;
  summary_.interrupted = true;
  stopping_ = true;
  if (request == StopRequest::now) stop_now();
}

// ---- waiting ------------------------------------------------------------------------------------

void JobLoop::print() {
  if (silent_) return;
  if (const auto printed = printer_.print(); !printed) {
    silent_ = true;
    fail_run(printed.error(), true);
  }
}

Duration JobLoop::next_deadline(Instant now) const {
  Duration next = options_.progress ? kProgressEvery : kForever;
  if (options_.timeout == kForever && !stopped_now_) return next;
  for (const auto& slot : slots_) {
    if (slot.child && slot.deadline != kNever) {
      next = std::min(next, std::max(slot.deadline - now, Duration{}));
    }
  }
  return next;
}

void JobLoop::meet_deadlines(Instant now) {
  if (options_.progress && now >= progress_due_) {
    progress_due_ = later(now, kProgressEvery);
    options_.progress({.done = summary_.succeeded + summary_.failed + summary_.skipped,
                       .failed = summary_.failed,
                       .running = running_,
                       .input = items_.share()});
  }
  if (options_.timeout == kForever && !stopped_now_) return;
  for (auto& slot : slots_) {
    if (!slot.child || now < slot.deadline) continue;
    if (slot.told_to_end) {
      slot.child->signal(SIGKILL);
      slot.deadline = kNever;
    } else {
      slot.timed_out = true;
      slot.tell_to_end(now, options_.grace);
    }
  }
}

void JobLoop::wait() {
  Duration most = next_deadline(steady_now());
  bool can_start = !stopping_ && held_.empty() && !free_.empty() && !input_waits_ && !input_ended_;
  if (const auto file = printer_.blocked_on(); file && !silent_) {
    can_start = false;
    // A file that is always ready and yet took nothing: soon again.
    if (!events_.add_once(*file, kPrinter, detail::EventSet::Until::writable))
      most = std::min<Duration>(most, 10ms);
  }
  if (input_waits_ && !stopping_ &&
      !events_.add_once(items_.file(), kInput, detail::EventSet::Until::readable)) {
    can_start = true;
  }
  for (const auto key : events_.wait(can_start ? Duration{} : most)) handle(key);
}

void JobLoop::handle(std::uint64_t key) {
  if (key == kControl) {
    request(options_.control());
  } else if (key == kInput) {
    input_waits_ = false;
  } else if (key != kPrinter) {
    const std::size_t index = static_cast<std::uint32_t>(key) / kKeysPerSlot;
    detail::JobSlot& slot = slots_[index];
    if (!slot.child || key != key_of(slot, key % kKeysPerSlot)) return;  // of an earlier attempt
    if (key % kKeysPerSlot == kChild) return ended(index);
    auto& capture = key % kKeysPerSlot == kOut ? slot.out : slot.err;
    if (const auto drained = capture.drain(spill_); !drained) fail_run(drained.error(), true);
  }
}

}  // namespace artel::command
