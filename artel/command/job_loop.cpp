#include "artel/command/job_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_jobs.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/placed_jobs.hpp"
#include "artel/command/detail/system_limit.hpp"
#include "artel/command/detail/temporary_file.hpp"
#include "artel/command/halt_rule.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/job_place.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/nameless_file.hpp"

namespace artel::command {
namespace {

using namespace std::chrono_literals;

constexpr Duration kTick = 100ms;    // of the progress
constexpr Duration kSlotsLook = 1s;  // at a number of slots that may change
constexpr Duration kAlwaysReadyPause =
    10ms;  // for a file that poll calls ready and that takes nothing
// Nothing tells when a pipe's reader has taken more: looked at soon, then less and less often.
constexpr Duration kUntakenSoon = 1ms;
constexpr Duration kUntakenLate = 500ms;
// It has so long after a stop, so that what it takes is in the log.
constexpr Duration kReaderPatience = 500ms;
// Jobs that wait for that, at most.
constexpr std::size_t kUntakenMax = 10'000;
// Jobs that take no time (--dry-run) must not keep the rest waiting.
constexpr std::size_t kStartsMax = 64;

// What may be used of the disk: others need some, too.
std::uint64_t disk_there() {
  constexpr std::uint64_t kNotKnown = std::uint64_t{1} << 30U;
  const auto left = detail::TemporaryFile::space_left();
  return left > 0 ? left / 2 : kNotKnown;
}

}  // namespace

JobLoop::JobLoop(CommandTemplate command, InputItems& items, JobLoopOptions options,
                 JobPlace* place)
    : command_(std::move(command)),
      items_(items),
      options_(std::move(options)),
      spill_(std::min(options_.disk_max, disk_there())),
      store_(spill_, options_.memory_max),
      printer_(store_, spill_, options_.journal, options_.files,
               {options_.before_print, options_.printed}),
      gate_(options_.start, options_.tell) {
  ARTEL_REQUIRE(options_.slots > 0 && options_.items_per_job > 0, "there is something to do");
  detail::JobListener& listener = *this;
  if (place != nullptr) {
    runner_ = std::make_unique<detail::PlacedJobs>(*place, options_, events_, listener);
  } else {
    runner_ = std::make_unique<detail::LocalJobs>(
        options_, command_.fixed_program(),
        detail::LocalJobs::Outputs{.events = events_, .spill = spill_, .printer = printer_},
        listener);
  }
  if (options_.control_file >= 0) events_.add(options_.control_file, detail::kControlKey);
}

JobLoop::~JobLoop() = default;

RunSummary JobLoop::run() {
  if (const auto failure = events_.failure()) {
    run_failed({ErrorCode::io, "cannot start a job: " + detail::system_limit(failure), {}}, true);
    return std::move(summary_);
  }
  if (options_.grouping == Grouping::job && !options_.dry_run) {
    // Not hours later, when the first output is big.
    if (const auto possible = file::nameless_file(); !possible) {
      run_failed(possible.error(), true);
    }
  }
  if (options_.journal != nullptr) {
    put_earlier(options_.journal->take_begun());
  }
  while (true) {
    start_jobs();
    print();
    if (over()) break;
    wait();
    const Instant now = steady_now();
    runner_->meet_deadlines(now);
    tell_progress(now);
  }
  if (options_.journal != nullptr) summary_.kept = options_.journal->records();
  return std::move(summary_);
}

// After an interruption that wants an end now, nobody waits long for a reader of the output.
bool JobLoop::over() const {
  const bool nothing_to_start = stopping_ || (input_ended_ && next_items_.empty());
  if (!nothing_to_start || runner_->jobs() > 0) return false;
  const bool printed = !printer_.blocked_on() && printer_.untaken() == 0;
  if (printed || silent_) return true;
  if (!stopped_now_ || !summary_.interrupted) return false;
  return printer_.untaken() == 0 || steady_now() >= patience_;
}

// ---- starting -----------------------------------------------------------------------------------

// P1. When all before it is printed, nothing but the next job gives back room: it may be one that
// an earlier run has kept.
bool JobLoop::may_start() const {
  return !stopping_ && (!spill_.full() || turns_ == printer_.turn()) &&
         (silent_ || (!printer_.blocked_on() && printer_.untaken() < kUntakenMax));
}

void JobLoop::start_jobs() {
  for (std::size_t i = 0; i < kStartsMax && may_start(); ++i) {
    const Instant now = steady_now();
    if (gate_.wait(now) > Duration{}) return;
    const auto slot = options_.dry_run ? 0 : runner_->free_slot();
    if (!slot || !cut_job()) return;
    gate_.started(now);
    detail::CommandJob job{.number = jobs_, .slot = *slot};
    job.items.swap(next_items_);
    job.command = command_.expand({.items = job.items, .job = job.number, .slot = *slot + 1});
    if (!is_wanted(job.command)) continue;
    if (options_.starting) options_.starting(job.command);
    if (options_.order == OutputOrder::input) job.turn = turns_++;
    if (options_.dry_run) {
      detail::JobOutput output;
      output.out.text = shell_quote(job.command) + '\n';
      put(job.turn, std::move(output));
    } else {
      runner_->start(std::move(job));
    }
  }
}

// Whether there are items for the next job; it has the number jobs_.
bool JobLoop::cut_job() {
  while (!input_ended_ || !next_items_.empty()) {
    while (!input_ended_ && next_items_.size() < options_.items_per_job) {
      std::string item;
      const auto supply = items_.next(item);
      if (!supply) {
        run_failed(supply.error(), false);
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
    if (!is_skipped()) return !stopping_;
    next_items_.clear();
  }
  return false;
}

bool JobLoop::is_skipped() {
  if (!options_.skip || !options_.skip(jobs_)) return false;
  ++summary_.skipped;
  if (options_.skipped) {
    const auto command = command_.expand({.items = next_items_, .job = jobs_, .slot = 1});
    if (const auto heard = options_.skipped(jobs_, command); !heard) {
      run_failed(heard.error(), false);
      return true;
    }
  }
  if (options_.journal != nullptr) put_earlier(options_.journal->take_earlier(jobs_));
  return true;
}

// Who is asked sees what has been printed so far.
bool JobLoop::is_wanted(const std::vector<std::string>& command) {
  if (!options_.ask) return true;
  print();
  while (!stopping_) {
    if (const auto wanted = options_.ask(command)) {
      if (!*wanted) ++summary_.skipped;
      return *wanted;
    }
    request(options_.control());
  }
  return false;
}

// ---- ending -------------------------------------------------------------------------------------

void JobLoop::job_over(detail::CommandJob job, JobReport report, detail::JobOutput output) {
  report.job = job.number;
  report.command = job.command;
  ++(report.cancelled ? summary_.cancelled : report.failed ? summary_.failed : summary_.succeeded);
  if (options_.finished) {
    auto note = options_.finished(report);
    if (note) {
      output.note.text = *std::move(note);
    } else {
      run_failed(note.error(), false);
    }
  }
  if (options_.print_paths && !report.cancelled) add_path(job, output);
  const bool missing = report.cancelled && options_.journal != nullptr && !summary_.halted &&
                       options_.order == OutputOrder::input;
  // P4. What comes after it stays in the journal.
  if (!missing) put(job.turn, keep(job.number, std::move(output)));
  if (stopping_ || !options_.halt.reached(summary_.failed, summary_.succeeded)) return;
  summary_.halted = true;
  stop(options_.halt.halt == Halt::now);
}

void JobLoop::add_path(const detail::CommandJob& job, detail::JobOutput& output) const {
  const auto path = options_.results_of ? options_.results_of(job.number, job.items)
                                        : options_.results / std::to_string(job.number) / "stdout";
  output.out.text += path.string() + '\n';
}

// Its texts are in the journal then, if there is one.
detail::JobOutput JobLoop::keep(std::uint64_t job, detail::JobOutput output) {
  if (options_.journal == nullptr || output.begun || output.note.empty()) return output;
  auto& journal = *options_.journal;
  journal.begin(job);
  const auto append = [&](OutputJournal::Part part, detail::StreamText& text) -> Result<void> {
    for (std::string piece; !text.spilled.empty();) {
      if (auto taken = spill_.take(text.spilled, piece); !taken) return taken;
      if (auto put = journal.append(part, piece); !put) return put;
    }
    return journal.append(part, text.text);
  };
  auto kept = append(OutputJournal::Part::line, output.note)
                  .and_then([&] { return append(OutputJournal::Part::out, output.out); })
                  .and_then([&] { return append(OutputJournal::Part::err, output.err); })
                  .and_then([&] { return journal.commit(); });
  if (kept) return {.record = *kept};
  run_failed(kept.error(), true);
  return {};
}

void JobLoop::put_earlier(std::optional<std::uint64_t> record) {
  if (record) put(detail::CommandJob::kNoTurn, {.record = *record});
}

// P2.
void JobLoop::put(std::uint64_t turn, detail::JobOutput output) {
  if (turn == detail::CommandJob::kNoTurn) turn = turns_++;
  if (const auto put = store_.put(turn, std::move(output)); !put) run_failed(put.error(), true);
  count_kept();
}

void JobLoop::count_kept() {
  if (options_.journal != nullptr) spill_.count_also(options_.journal->bytes());
}

void JobLoop::stop(bool now) {
  stopping_ = true;
  if (now && !stopped_now_) patience_ = later(steady_now(), kReaderPatience);
  stopped_now_ = stopped_now_ || now;
  runner_->stop(now);
}

void JobLoop::run_failed(Error error, bool now) {
  if (!summary_.failure) summary_.failure = std::move(error);
  stop(now && !stopped_now_);
}

void JobLoop::request(StopRequest request) {
  if (request == StopRequest::none) return;
  if (request == StopRequest::pause) return pause();
  summary_.interrupted = true;
  stop(request == StopRequest::now);
}

void JobLoop::pause() {
  const Instant begun = steady_now();
  if (options_.before_print) options_.before_print();
  runner_->pause();
  options_.wait_for_continue();
  runner_->resume(steady_now() - begun);
}

// ---- waiting ------------------------------------------------------------------------------------

void JobLoop::print() {
  if (silent_) return;
  do {
    const auto printed = printer_.print();
    count_kept();
    if (!printed) {
      silent_ = true;
      return run_failed(printed.error(), true);
    }
  } while (runner_->redirect_outputs());
}

void JobLoop::tell_progress(Instant now) {
  if (!options_.progress || now < progress_due_) return;
  progress_due_ = later(now, kTick);
  options_.progress({.done = summary_.succeeded + summary_.failed + summary_.skipped,
                     .failed = summary_.failed,
                     .running = runner_->running(),
                     .input = items_.share()});
}

void JobLoop::wait() {
  const Instant now = steady_now();
  Duration most = std::min(runner_->next_deadline(now), options_.progress ? kTick : kForever);
  if (options_.slots_now) most = std::min(most, kSlotsLook);
  if (const auto file = printer_.blocked_on(); file && !silent_) {
    if (!events_.add_once(*file, detail::kPrinterKey, detail::EventSet::Until::writable)) {
      most = std::min(most, kAlwaysReadyPause);
    }
  }
  if (printer_.untaken() > 0 && !silent_) {
    untaken_look_ = std::clamp(2 * untaken_look_, kUntakenSoon, kUntakenLate);
    most = std::min(most, untaken_look_);
  } else {
    untaken_look_ = {};
  }
  if (may_start() && !(input_ended_ && next_items_.empty())) {
    bool input_there = !input_waits_;
    if (input_waits_ &&
        !events_.add_once(items_.file(), detail::kInputKey, detail::EventSet::Until::readable)) {
      input_waits_ = false;
      input_there = true;
    }
    if (input_there && (options_.dry_run || runner_->free_slot())) {
      most = std::min(most, gate_.wait(now));
    }
  }
  for (const auto key : events_.wait(most)) handle(key);
}

void JobLoop::handle(std::uint64_t key) {
  if (key == detail::kControlKey) {
    request(options_.control());
  } else if (key == detail::kInputKey) {
    input_waits_ = false;
  } else if (key != detail::kPrinterKey) {
    runner_->handle(key);
  }
}

}  // namespace artel::command
