#include "artel/command/detail/process_starter.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/detail/system_limit.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::command::detail {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace

ProcessStarter::ProcessStarter(const JobLoopOptions& options, bool fixed_program, EventSet& events,
                               JobListener& listener)
    : options_(options),
      fixed_program_(fixed_program),
      events_(events),
      listener_(listener),
      in_(::open(options.tty ? "/dev/tty" : "/dev/null", O_RDONLY | O_CLOEXEC)) {}

tl::expected<Child, std::error_code> ProcessStarter::start(LocalJob& job, std::size_t index) {
  if (!guard_) guard_.emplace(options_.guarded_file, options_.grace, !options_.tty);
  job.begin_attempt(options_.timeout);
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
  const auto out = open_output(job, index, false);
  if (!out) return tl::unexpected(out.error());
  const auto err = open_output(job, index, true);
  if (!err) return tl::unexpected(err.error());
  return Child::start(program, command, {.in = in, .out = out->get(), .err = err->get()},
                      {.own_group = !options_.tty,
                       .nice = options_.nice,
                       .entry = guard_->entry(index),
                       .kept = options_.guarded_file});
}

// What the job writes to.
ProcessStarter::File ProcessStarter::open_output(LocalJob& job, std::size_t index, bool is_err) {
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
  return job.stream(is_err).open(events_,
                                 job.key_of(index, is_err ? LocalJob::kErr : LocalJob::kOut));
}

ProcessStarter::File ProcessStarter::open_result(const std::filesystem::path& path) {
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

}  // namespace artel::command::detail
