#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/task_observer.hpp"
#include "artel/trace/recording.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
class TraceRecorder;
}  // namespace artel::trace

namespace artel::pool::detail {

class Job;
struct WorkerSlot;

/// Who hears of every task that ends: the observer of the options, and a trace file while one is
/// being recorded.
///
/// Threads: any.
class PoolRecording {
 public:
  explicit PoolRecording(const PoolOptions& options);
  PoolRecording(const PoolRecording&) = delete;
  PoolRecording& operator=(const PoolRecording&) = delete;
  ~PoolRecording();

  [[nodiscard]] Result<void> start(const std::string& file, const RecordOptions& options);
  [[nodiscard]] Result<trace::Recording> stop();
  /// Nothing: no recording goes on.
  [[nodiscard]] std::optional<trace::Recording> progress() const;

  /// The pool has so many workers now.
  void resized(unsigned workers);

  /// Whether tasks that are submitted now are recorded.
  [[nodiscard]] bool on() const { return recorder_.load(std::memory_order_acquire) != nullptr; }
  /// Whether every task is measured and reported, recorded or not.
  [[nodiscard]] bool observed() const { return observer_ != nullptr; }

  /// The task has ended, at `slot` or (null) at a thread outside.
  void report(WorkerSlot* slot, TaskTimes& times, Instant started, Instant finished,
              trace::TaskOutcome outcome);
  /// The job was not accepted.
  void report_refusal(Job& job);

 private:
  const PoolOptions& options_;
  TaskObserver* const observer_;
  // Of the recording that goes on; null: none. start() releases the recorder made, whoever is to
  // use it acquires it. It lives as long as the pool, for those that come late with it.
  std::atomic<trace::TraceRecorder*> recorder_ = nullptr;

  mutable std::mutex lock_;  // of starting and stopping
  std::unique_ptr<trace::TraceRecorder> made_;
};

}  // namespace artel::pool::detail
