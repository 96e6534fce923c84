#include "app/map_records.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/job_trace.hpp"
#include "app/map_command.hpp"
#include "artel/command/job_log_file.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/log_spelling.hpp"
#include "artel/command/output_journal.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/join.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/protect_inputs.hpp"
#include "artel/trace/job_log_entry.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::app {
namespace {

using command::JobLogFile;
using command::JobReport;

// Of the job log, as timeout(1) has it.
constexpr int kTimedOut = 124;
// Failures that are listed.
constexpr std::uint64_t kListed = 10;
constexpr std::size_t kCommandShown = 200;  // bytes

std::string how_it_ended(const JobReport& report) {
  if (report.timed_out) return "timed out";
  if (report.ending.signal != 0) return fmt::format("signal {}", report.ending.signal);
  return fmt::format("exit status {}", report.ending.exit_status);
}

std::string cut(std::string text) {
  if (text.size() <= kCommandShown) return text;
  std::size_t end = kCommandShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // UTF-8
  return text.substr(0, end) + "…";
}

}  // namespace

MapRecords::MapRecords(const MapCommand& options) : options_(options) {
  const bool resume = options.resume || options.resume_failed || options.run.retry_failed;
  if (resume && options.job_log.empty()) {
    refuse({ErrorCode::invalid, "--resume needs the --joblog of the earlier run", "artel map"});
  }
  if (!options.job_log.empty() && !options.dry_run) {
    auto log = JobLogFile::open(options.job_log);
    if (!log) refuse(log.error());
    log_.emplace(std::move(*log));
  }
  if (resume) {
    auto earlier = command::read_finished_jobs(options.job_log);
    if (!earlier) refuse(earlier.error());
    earlier_ = std::move(*earlier);
    if (const auto opened = open_journal(true); !opened) refuse(opened.error());
  }
}

void MapRecords::begin() {
  const auto& options = options_;
  if (options.dry_run) return;
  if (log_) {
    const auto begun =
        file::refuse_input(log_->file(), options.job_log)
            .and_then([&] { return journal_ ? Result<void>() : open_journal(false); })
            .and_then([&] { return log_->begin(earlier_.bytes); });
    if (!begun) refuse(begun.error());
  }
  if (!options.record.empty()) {
    auto trace = JobTrace::create(
        options.record,
        {.started = steady_now(),
         .wall = wall_now(),
         .loop = trace::Loop::closed,
         .settings = {
             {"source", "artel map"},
             {"pool.workers", std::to_string(options.run.slots().value_or(usable_cpus()))}}});
    if (!trace) refuse(trace.error());
    trace_.emplace(std::move(*trace));
  }
}

// A dry run looks at what an earlier run has left, and leaves it.
Result<void> MapRecords::open_journal(bool resume) {
  if (options_.job_log.empty() || (options_.dry_run && !resume)) return {};
  using command::OutputJournal;
  auto journal = OutputJournal::open(
      options_.job_log, {},
      options_.dry_run ? OutputJournal::Access::look : OutputJournal::Access::own);
  if (!journal) return fail(journal);
  journal_ = *std::move(journal);
  if (!journal_ || !resume) return journal_ ? journal_->clear() : Result<void>();
  return journal_->read_earlier([this](std::uint64_t job, const std::string& line) -> Result<bool> {
    const auto entry = std::string_view(line).substr(0, line.find('\n'));
    if (entry == earlier_.last_line) return false;  // logged, and killed then
    if (auto added = command::add_line(earlier_, entry); !added) return fail(added);
    return skips(job);
  });
}

void MapRecords::listen(command::JobLoopOptions& loop, bool commands_vary) {
  loop.skip = [this](std::uint64_t job) { return skips(job); };
  if (!options_.run.trust_log && !options_.run.retry_failed && !commands_vary &&
      !options_.pipe.asked) {
    loop.skipped = [this](std::uint64_t job, std::span<const std::string> command) {
      return check_skipped(job, command);
    };
  }
  loop.finished = [this](const JobReport& report) { return over(report); };
  if (!log_) return;
  loop.printed = [this](const std::string& note) { return log_->add(note); };
  loop.journal = journal_.get();
  if (journal_) loop.guarded_file = journal_->lock();
}

bool MapRecords::skips(std::uint64_t job) const {
  if (options_.run.retry_failed) return !earlier_.failed.contains(job);
  return earlier_.succeeded.contains(job) ||
         (!options_.resume_failed && earlier_.failed.contains(job));
}

Result<void> MapRecords::check_skipped(std::uint64_t job,
                                       std::span<const std::string> command) const {
  if (earlier_.had_command(job, command::log_spelling(command))) return {};
  return fail(ErrorCode::invalid,
              fmt::format("job {} of the log had another command than '{}': another input or "
                          "command; --trust-log goes by the numbers alone",
                          job, cut(command::log_spelling(command))),
              options_.job_log);
}

Result<std::string> MapRecords::over(const JobReport& report) {
  if (report.failed) note_failure(report);
  if (trace_) {
    if (auto added = trace_->add(report); !added) return fail(added);
  }
  if (!log_ || report.cancelled) return {};  // --resume runs a cancelled job again
  return trace::format_job_log(
      {.job = report.job,
       .started = report.started_wall,
       .runtime = report.finished - report.started,
       .output = report.output,
       .exit_status = report.timed_out ? kTimedOut : report.ending.exit_status,
       .signal = report.ending.signal,
       .host = report.host.empty() ? ":" : report.host,
       .command = command::log_spelling(report.command)});
}

void MapRecords::note_failure(const JobReport& report) {
  ++failed_;
  if (failures_.size() == kListed) {
    if (report.job > failures_.rbegin()->first) return;
    failures_.erase(std::prev(failures_.end()));
  }
  failures_.insert_or_assign(report.job,
                             fmt::format("  job {}, {}: {}\n", report.job, how_it_ended(report),
                                         cut(command::log_spelling(report.command))));
}

Result<std::vector<std::string>> MapRecords::failed_commands() const {
  std::vector<std::string> commands;
  for (const auto& [job, command] : earlier_.failed_commands) {
    auto words = command::parse_log_spelling(command.spelling);
    if (!words) {
      return fail(words.error().code, words.error().what,
                  fmt::format("{}:{}", options_.job_log, command.line));
    }
    commands.resize(job);
    commands[job - 1] = join(*words, std::string(1, command::kFieldSeparator));
  }
  return commands;
}

Result<void> MapRecords::finish() {
  if (!trace_) return {};
  auto finished = trace_->finish();
  if (!finished) return fail(finished);
  return {};
}

std::string MapRecords::kept(std::uint64_t outputs) const {
  if (outputs == 0) return {};
  return fmt::format("artel: the {} of ended jobs are kept for --resume in {}\n",
                     how_many(outputs, "output"), journal_->path());
}

std::string MapRecords::failures(std::uint64_t jobs) const {
  if (failed_ == 0) return {};
  std::string text = fmt::format("artel: {} of {} failed:\n", failed_, how_many(jobs, "job"));
  for (const auto& [job, line] : failures_) text += line;
  if (failed_ > kListed) text += fmt::format("  and {} more\n", failed_ - kListed);
  if (!options_.job_log.empty()) text += retry_hint(options_);
  return text;
}

}  // namespace artel::app
