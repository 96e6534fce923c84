#include "artel/command/detail/output_routing.hpp"

#include <fmt/core.h>

#include <deque>

#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/job_printer.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/local_job.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

// Whether what the job writes there is passed on before it ends. Its stderr comes after its
// stdout, so long as there is room to keep it.
bool OutputRouting::streams(const LocalJob& job, bool is_err) const {
  if (options_.grouping == Grouping::lines) return true;
  // One that has been told to end is not in the log, so no more of it is printed.
  return job.job.turn == printer_.turn() && !job.cancelled && !may_repeat(job) && !is_kept(job) &&
         (!is_err || spill_.full());
}

// Whether all of its output is to be in the journal before any of it is printed.
bool OutputRouting::is_kept(const LocalJob& job) const {
  return options_.journal != nullptr && job.bytes() <= spill_.bytes_max();
}

// Whether what it writes now may turn out to be that of an attempt that does not count.
bool OutputRouting::may_repeat(const LocalJob& job) const {
  return job.attempt <= options_.retries || options_.hosts != nullptr;
}

void OutputRouting::read(LocalJob& job, bool is_err) {
  Capture& capture = job.stream(is_err);
  if (streams(job, is_err)) {
    capture.read_piece();
    pass_on(job, is_err);
    return;
  }
  fail_unless(capture.drain(spill_));
  if (may_repeat(job) && job.job.turn == printer_.turn() && capture.bytes() > options_.disk_max) {
    listener_.run_failed(
        {ErrorCode::io,
         fmt::format("job {} has written more than the {} bytes that may be kept (--spill-max), in "
                     "an attempt that may have to be repeated, and so cannot be printed yet",
                     job.job.number, options_.disk_max),
         {}},
        true);
  }
}

void OutputRouting::drain(LocalJob& job) {
  for (auto* const stream : {&job.out, &job.err}) fail_unless(stream->drain(spill_));
}

void OutputRouting::pass_on(LocalJob& job, bool is_err) {
  Capture& capture = job.stream(is_err);
  const auto stream = is_err ? JobPrinter::PartKind::err : JobPrinter::PartKind::out;
  job.begun = true;
  if (options_.grouping != Grouping::lines || capture.bytes_kept() > Capture::kPiece) {
    return printer_.pass(stream, capture.take_read());
  }
  printer_.pass(stream, {.kept = {}, .spilled = {}, .text = capture.take_lines()});
}

bool OutputRouting::redirect(std::deque<LocalJob>& jobs) {
  const bool lines = options_.grouping == Grouping::lines;
  if (spill_.full() && !lines) make_room(jobs);
  const auto turn = printer_.turn();
  const bool busy = printer_.blocked_on().has_value();
  const bool full = spill_.full();
  if (turn == turn_ && busy == printer_busy_ && full == spill_full_) return false;
  turn_ = turn;
  printer_busy_ = busy;
  spill_full_ = full;
  bool passed = false;
  for (auto& job : jobs) {
    if (!job.may_write()) continue;
    for (const bool is_err : {false, true}) {
      Capture& capture = job.stream(is_err);
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
void OutputRouting::make_room(std::deque<LocalJob>& jobs) {
  LocalJob* most = nullptr;
  for (auto& job : jobs) {
    if (!job.may_write()) continue;
    if (job.job.turn != CommandJob::kNoTurn) return;
    if (most == nullptr || job.bytes() > most->bytes()) most = &job;
  }
  if (most != nullptr) most->job.turn = listener_.next_turn();
}

void OutputRouting::fail_unless(const Result<void>& result) {
  if (!result) listener_.run_failed(result.error(), true);
}

}  // namespace artel::command::detail
