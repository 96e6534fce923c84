#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/recording.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

class TraceFile;

/// Writes tasks that end on many threads into a trace file, by a thread of its own.
///
/// Invariants:
///  T1  A block belongs to the lane that fills it, to `full_`, to `free_` or to the writer: it
///      moves under the lane's lock or the recorder's.
///  T2  A recording thread never waits for a lane: when one is taken it tries the next, and when
///      none is free, or there is no empty block, it drops the task and counts it.
///  T3  A lane that stop() has been to is closed: nothing enters it until start() opens it again.
/// Cost:    record() about 25 ns; once in about a thousand tasks a short lock. Memory: a block of
///          16 KB per lane in use, and RecorderOptions::memory_bytes at most.
/// Threads: record() and progress() any; start() and stop() any, one after the other.
class TraceRecorder {
 public:
  /// `lanes`: as many as threads usually record at once.
  explicit TraceRecorder(std::size_t lanes);
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;
  ~TraceRecorder();

  /// Errors: the file cannot be made or written, a recording is going on, no more threads.
  [[nodiscard]] Result<void> start(const std::string& path, const TraceHeader& header,
                                   const RecorderOptions& options = {});

  /// A task has ended; nothing happens unless a recording goes on that began before the task was
  /// submitted. A thread that always gives the same lane, and another one than others give, meets
  /// nobody.
  void record(std::size_t lane, const TaskRecord& task) noexcept;

  /// There are so many workers from `at` on; nothing happens unless a recording goes on.
  void resized(Instant at, std::uint32_t workers);

  /// Ends the recording; `end` is the time now on the clock of the tasks. Errors: nothing goes on;
  /// writing had failed (the file has what was written before).
  [[nodiscard]] Result<Recording> stop(Instant end);

  /// Nothing: no recording goes on. One that cannot be written goes on until stop(), and says why.
  [[nodiscard]] std::optional<Recording> progress() const;

 private:
  using BlockPtr = std::unique_ptr<TaskBlock>;

  // Two cache lines, see sync::kCacheLinePair.
  struct alignas(128) Lane {
    std::atomic<bool> locked = false;
    bool open = false;  // T3; the rest too is for whoever has the lock
    BlockPtr block;

    bool try_lock() {
      return !locked.load(std::memory_order_relaxed) &&
             !locked.exchange(true, std::memory_order_acquire);  // pairs with unlock
    }
    void unlock() { locked.store(false, std::memory_order_release); }
  };

  static constexpr int kLanesTried = 8;

  bool record_in(Lane& lane, const TaskRecord& task);
  BlockPtr exchange(BlockPtr full);
  void lock(Lane& lane);
  void write_all();
  void flush_lanes(bool close);
  void write_full();
  void write_sizes();
  void append(std::span<const std::byte> block);
  void write(TaskBlock& block);

  const std::size_t lane_mask_;
  const std::unique_ptr<Lane[]> lanes_;
  Instant since_{};  // changes while all lanes are closed
  std::atomic<std::uint64_t> dropped_ = 0;
  std::atomic<std::uint64_t> tasks_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;

  mutable std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::vector<BlockPtr> full_;
  std::vector<BlockPtr> free_;
  std::vector<SizeChange> sizes_;  // not written yet: resizing is rare
  std::size_t blocks_ = 0;         // that exist
  std::size_t blocks_max_ = 0;     // that may
  bool running_ = false;
  bool stopping_ = false;
  RecorderOptions options_;
  std::optional<Error> failure_;     // set by the writer
  std::unique_ptr<TraceFile> file_;  // the writer's while it runs
  std::thread writer_;
};

}  // namespace artel::trace
