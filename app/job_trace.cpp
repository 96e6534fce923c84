#include "app/job_trace.hpp"

#include <cstdint>
#include <filesystem>
#include <utility>

#include "artel/command/job_loop.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_file.hpp"

namespace artel::app {

Result<JobTrace> JobTrace::create(const std::filesystem::path& path,
                                  const trace::TraceHeader& header) {
  auto file = trace::TraceFile::create(path, header);
  if (!file) return fail(file);
  return JobTrace(std::move(*file));
}

Result<void> JobTrace::add(const command::JobReport& report) {
  using trace::TaskOutcome;
  const bool done = !report.failed && !report.cancelled;
  block_->add({.submitted = report.started,
               .bound = report.started,
               .started = report.started,
               .finished = report.finished,
               .worker = WorkerId{static_cast<std::uint32_t>(report.slot - 1)},
               .outcome = done ? TaskOutcome::done : TaskOutcome::failed});
  if (block_->full()) return flush();
  return {};
}

Result<void> JobTrace::flush() {
  if (block_->empty()) return {};
  auto written = file_.append(block_->sealed(0));
  block_->clear();
  return written;
}

Result<void> JobTrace::finish() {
  if (auto written = flush(); !written) return written;
  return file_.finish(steady_now(), 0);
}

}  // namespace artel::app
