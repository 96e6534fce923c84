#include "artel/trace/trace_recorder.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/recording.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_file.hpp"

namespace artel::trace {
namespace {

// The writer looks for full blocks so often; sooner when a quarter of the memory is full.
constexpr Duration kWriteEvery = std::chrono::milliseconds(20);

}  // namespace

TraceRecorder::TraceRecorder(std::size_t lanes)
    : lane_mask_(std::bit_ceil(std::max<std::size_t>(lanes, 1)) - 1),
      lanes_(std::make_unique<Lane[]>(lane_mask_ + 1)) {}

TraceRecorder::~TraceRecorder() {
  if (progress()) static_cast<void>(stop({}));
}

Result<void> TraceRecorder::start(const std::string& path, const TraceHeader& header,
                                  const RecorderOptions& options) {
  const std::lock_guard guard(mutex_);
  if (running_) return fail(ErrorCode::invalid, "a recording is going on already", path);
  auto file = TraceFile::create(path, header);
  if (!file) return fail(file);
  file_ = std::make_unique<TraceFile>(std::move(*file));
  failure_.reset();
  since_ = header.started;
  options_ = options;
  blocks_max_ = std::max(options.memory_bytes / sizeof(TaskBlock), 2 * (lane_mask_ + 1));
  full_.reserve(blocks_max_);  // so that recording never allocates but for blocks
  free_.reserve(blocks_max_);
  sizes_.clear();
  dropped_ = 0;
  tasks_ = 0;
  bytes_ = file_->bytes();
  stopping_ = false;
  try {
    writer_ = std::thread([this] { write_all(); });
  } catch (const std::system_error& error) {
    file_.reset();
    return fail(ErrorCode::unsupported, std::string("no thread to record with: ") + error.what(),
                path);
  }
  running_ = true;
  for (std::size_t i = 0; i <= lane_mask_; ++i) {
    lock(lanes_[i]);
    lanes_[i].open = true;
    lanes_[i].unlock();
  }
  return {};
}

void TraceRecorder::record(std::size_t lane, const TaskRecord& task) noexcept {
  for (int i = 0; i < kLanesTried; ++i, ++lane) {
    Lane& mine = lanes_[lane & lane_mask_];
    if (!mine.try_lock()) continue;
    const bool recorded = record_in(mine, task);
    mine.unlock();
    if (!recorded) break;
    return;
  }
  dropped_.fetch_add(1, std::memory_order_relaxed);
}

bool TraceRecorder::record_in(Lane& lane, const TaskRecord& task) {
  if (!lane.open || task.submitted < since_) return true;  // of no recording, or an earlier one
  if (lane.block == nullptr || lane.block->full()) [[unlikely]] {
    lane.block = exchange(std::move(lane.block));
    if (lane.block == nullptr) return false;
  }
  lane.block->add(task);
  return true;
}

TraceRecorder::BlockPtr TraceRecorder::exchange(BlockPtr full) {
  const std::lock_guard guard(mutex_);
  if (full != nullptr) full_.push_back(std::move(full));
  if (full_.size() == (blocks_max_ + 3) / 4) changed_.notify_one();
  if (!free_.empty()) {
    BlockPtr block = std::move(free_.back());
    free_.pop_back();
    return block;
  }
  if (blocks_ >= blocks_max_) return nullptr;
  BlockPtr block(new (std::nothrow) TaskBlock);
  if (block != nullptr) ++blocks_;
  return block;
}

void TraceRecorder::resized(Instant at, std::uint32_t workers) {
  const std::lock_guard guard(mutex_);
  if (running_) sizes_.push_back({at, workers});
}

// NOLINTBEGIN(bugprone-unchecked-optional-access): the file is open while it runs
Result<Recording> TraceRecorder::stop(Instant end) {
  {
    const std::lock_guard guard(mutex_);
    if (!running_ || stopping_) return fail(ErrorCode::invalid, "no recording is going on");
    stopping_ = true;
  }
  changed_.notify_one();
  writer_.join();
  const std::lock_guard guard(mutex_);
  running_ = false;
  if (!failure_) {
    if (const auto finished = file_->finish(end, dropped_); !finished) failure_ = finished.error();
  }
  Recording recording{.tasks = tasks_, .dropped = dropped_, .bytes = file_->bytes()};
  file_.reset();
  free_.clear();
  blocks_ = 0;
  if (failure_) return tl::unexpected<Error>(*failure_);
  return recording;
}
// NOLINTEND(bugprone-unchecked-optional-access)

std::optional<Recording> TraceRecorder::progress() const {
  const std::lock_guard guard(mutex_);
  if (!running_) return std::nullopt;
  return Recording{.tasks = tasks_, .dropped = dropped_, .bytes = bytes_, .failure = failure_};
}

// ---- The writer's thread

void TraceRecorder::write_all() {
  auto flushed = std::chrono::steady_clock::now();
  for (;;) {
    bool last = false;
    {
      std::unique_lock guard(mutex_);
      changed_.wait_for(guard, std::min(kWriteEvery, options_.flush_every),
                        [this] { return stopping_ || full_.size() >= (blocks_max_ + 3) / 4; });
      last = stopping_;
    }
    const auto now = std::chrono::steady_clock::now();
    if (last || now - flushed >= options_.flush_every) {
      flush_lanes(last);
      flushed = now;
    }
    write_full();
    write_sizes();
    if (last) return;
  }
}

// Takes what the lanes have begun; their next task gets an empty block.
void TraceRecorder::flush_lanes(bool close) {
  std::vector<BlockPtr> begun;
  for (std::size_t i = 0; i <= lane_mask_; ++i) {
    Lane& lane = lanes_[i];
    lock(lane);
    if (close) lane.open = false;
    if (lane.block != nullptr && (close || !lane.block->empty())) {
      begun.push_back(std::move(lane.block));
    }
    lane.unlock();
  }
  const std::lock_guard guard(mutex_);
  std::move(begun.begin(), begun.end(), std::back_inserter(full_));
}

void TraceRecorder::lock(Lane& lane) {
  while (!lane.try_lock()) sched_yield();
}

void TraceRecorder::write_full() {
  std::unique_lock guard(mutex_);
  // The latest first: so the vector never moves, and readers sort anyway.
  while (!full_.empty()) {
    BlockPtr block = std::move(full_.back());
    full_.pop_back();
    guard.unlock();
    write(*block);
    block->clear();
    guard.lock();
    free_.push_back(std::move(block));
  }
}

// NOLINTBEGIN(bugprone-unchecked-optional-access): the file is open while it runs
void TraceRecorder::write(TaskBlock& block) {
  if (block.empty()) return;
  if (!failure_) {  // only this thread sets it
    const auto written = file_->append(block.sealed(dropped_));
    bytes_ = file_->bytes();
    if (written) {
      tasks_ += block.count();
      if (const auto patience = block.sealed_patience(); !patience.empty()) append(patience);
      return;
    }
    const std::lock_guard guard(mutex_);
    failure_ = written.error();
  }
  dropped_ += block.count();
}

// What is no tasks.
void TraceRecorder::append(std::span<const std::byte> block) {
  if (failure_) return;
  const auto written = file_->append(block);
  bytes_ = file_->bytes();
  if (written) return;
  const std::lock_guard guard(mutex_);
  failure_ = written.error();
}
// NOLINTEND(bugprone-unchecked-optional-access)

void TraceRecorder::write_sizes() {
  std::vector<SizeChange> sizes;
  {
    const std::lock_guard guard(mutex_);
    sizes.swap(sizes_);
  }
  if (!sizes.empty()) append(sizes_block(sizes));
}

}  // namespace artel::trace
