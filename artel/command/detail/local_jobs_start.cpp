#include <fcntl.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/local_jobs.hpp"
#include "artel/command/detail/system_limit.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::command::detail {
namespace {

// As shells have them.
constexpr int kNotFound = 127;
constexpr int kCannotRun = 126;

// Ended jobs that are still heard have two files each, and many systems allow 1024.
constexpr std::size_t kHeardMax = 64;

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

}  // namespace

std::optional<std::size_t> LocalJobs::free_slot() {
  const std::size_t most = options_.slots_now ? options_.slots_now() : options_.slots;
  if (!held_.empty() || heard_ >= kHeardMax) return std::nullopt;
  if (options_.hosts == nullptr && slots_ - free_slots_.size() >= most) return std::nullopt;
  const auto slot = vacant_slot();
  if (!slot && running_ == 0) no_host_is_left();
  return slot;
}

// The slots of lost hosts are never vacant. Requires: without hosts, fewer in use than there may
// be.
std::optional<std::size_t> LocalJobs::vacant_slot() {
  if (options_.hosts != nullptr) {
    const auto lost = [this](std::size_t slot) { return options_.hosts->is_lost(slot); };
    std::erase_if(free_slots_, lost);
    while (slots_ < options_.slots && lost(slots_)) ++slots_;
    if (free_slots_.empty() && slots_ == options_.slots) return std::nullopt;
  }
  return free_slots_.empty() ? slots_ : free_slots_.back();
}

// Requires: vacant_slot() has just named it.
void LocalJobs::claim(std::size_t slot) {
  if (slot == slots_) {
    ++slots_;
  } else {
    free_slots_.pop_back();
  }
}

void LocalJobs::start(CommandJob job) {
  claim(job.slot);
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
  if (const auto slot = vacant_slot()) {
    claim(*slot);
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
  if (!guard_) guard_.emplace(options_.guarded_file, options_.grace, !options_.tty);
  LocalJob& job = jobs_[index];
  job.begin_attempt(options_.timeout);
  auto child = start_child(index);
  if (!child) return cannot_start(index, child.error());
  job.child.emplace(std::move(*child));
  job.state = State::running;
  ++running_;
  outputs_.events.add(job.child->file(), key_of(index, kChild));
}

std::uint64_t LocalJobs::key_of(std::size_t index, std::uint64_t which) const {
  return jobs_[index].attempts << kAttemptShift | (kKeysPerJob * index + which);
}

tl::expected<Child, std::error_code> LocalJobs::start_child(std::size_t index) {
  const LocalJob& job = jobs_[index];
  std::vector<std::string> handed_on;
  int in = in_.get();
  if (options_.hosts != nullptr) {
    handed_on = options_.hosts->via(job.job.slot, job.job.command);
    if (const int input = options_.hosts->input(job.job.slot); input >= 0) in = input;
  }
  const auto& command = handed_on.empty() ? job.job.command : handed_on;
  std::string program = program_;
  if (program.empty()) {
    auto found = find_program(command.front());
    if (!found) return tl::unexpected(found.error());
    program = *found;
    if (fixed_program_ && handed_on.empty()) program_ = std::move(*found);
  }
  const auto out = open_output(index, false);
  if (!out) return tl::unexpected(out.error());
  const auto err = open_output(index, true);
  if (!err) return tl::unexpected(err.error());
  return Child::start(program, command, {.in = in, .out = out->get(), .err = err->get()},
                      {.own_group = !options_.tty,
                       .nice = options_.nice,
                       .entry = guard_ ? guard_->entry(index) : nullptr,
                       .kept = options_.guarded_file});
}

// What the job writes to.
tl::expected<file::OpenFile, std::error_code> LocalJobs::open_output(std::size_t index,
                                                                     bool is_err) {
  LocalJob& job = jobs_[index];
  if (options_.results_of) {
    auto path = options_.results_of(job.job.number, job.job.items);
    return open_result(is_err ? path += ".err" : path);
  }
  if (!options_.results.empty()) {
    return open_result(options_.results / std::to_string(job.job.number) /
                       (is_err ? "stderr" : "stdout"));
  }
  if (options_.grouping == Grouping::none) {
    file::OpenFile file(
        ::fcntl(is_err ? options_.files.err : options_.files.out, F_DUPFD_CLOEXEC, 3));
    if (file.get() < 0) return tl::unexpected(last_error());
    return file;
  }
  return (is_err ? job.err : job.out).open(outputs_.events, key_of(index, is_err ? kErr : kOut));
}

tl::expected<file::OpenFile, std::error_code> LocalJobs::open_result(
    const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (const auto input = file::refuse_input(path); !input) {
    listener_.run_failed(input.error(), false);
    return tl::unexpected(std::make_error_code(std::errc::operation_canceled));
  }
  if (!error || path.parent_path().empty()) {
    file::OpenFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() >= 0) return file;
    error = last_error();
  }
  if (is_transient(error)) return tl::unexpected(error);
  listener_.run_failed(
      {ErrorCode::io, fmt::format("cannot create: {}", error.message()), path.string()}, false);
  return tl::unexpected(std::make_error_code(std::errc::operation_canceled));
}

// Waits for room, gives the run up, or takes it as this job's failure.
void LocalJobs::cannot_start(std::size_t index, std::error_code error) {
  LocalJob& job = jobs_[index];
  fail_unless(job.discard(outputs_.spill));
  if (guard_) guard_->clear(index);
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

}  // namespace artel::command::detail
