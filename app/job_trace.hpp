#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "artel/command/job_loop.hpp"
#include "artel/core/error.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_file.hpp"

namespace artel::app {

/// Writes jobs into a trace file (docs/trace-format.md): a job is a task, a slot is a worker. Jobs
/// come on demand, so they are submitted when they start.
///
/// Errors:  as of trace::TraceFile.
/// Threads: one at a time.
class JobTrace {
 public:
  [[nodiscard]] static Result<JobTrace> create(const std::filesystem::path& path,
                                               const trace::TraceHeader& header);
  [[nodiscard]] Result<void> add(const command::JobReport& report);
  /// To be called once, when all is over.
  [[nodiscard]] Result<void> finish();

 private:
  explicit JobTrace(trace::TraceFile file)
      : file_(std::move(file)), block_(std::make_unique<trace::TaskBlock>()) {}
  [[nodiscard]] Result<void> flush();

  trace::TraceFile file_;
  std::unique_ptr<trace::TaskBlock> block_;
};

}  // namespace artel::app
