#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "artel/pool/detail/job.hpp"

namespace artel::pool::detail {

/// Up to 63 jobs in order, in about 4 KB: what moves between the common queue and a worker at once.
///
/// Memory that holds no job is never read: a block that is filled again by another thread costs it
/// no wait for the lines.
class JobBlock {
 public:
  static constexpr std::uint32_t kJobs = 63;

  JobBlock() = default;
  ~JobBlock() {
    for (Job& job : jobs()) job.~Job();
  }
  JobBlock(const JobBlock&) = delete;
  JobBlock& operator=(const JobBlock&) = delete;

  [[nodiscard]] static std::unique_ptr<JobBlock> make() {
    return std::make_unique_for_overwrite<JobBlock>();
  }

  [[nodiscard]] std::uint32_t size() const { return end_ - begin_; }
  [[nodiscard]] bool full() const { return end_ == kJobs; }
  void push(Job& job) {
    push_built([&job](void* at) { ::new (at) Job(std::move(job)); });
  }
  /// What `build(void*)` constructs, without throwing.
  template <class Build>
  void push_built(Build&& build) {
    build(cell(end_));
    ++end_;
  }
  /// Jobs that `fill(Job*, max)` puts into the memory of an empty block; it says how many.
  template <class Fill>
  void fill(Fill&& fill) {
    end_ = fill(static_cast<Job*>(cell(0)), kJobs);
  }
  Job& front() { return *std::launder(static_cast<Job*>(cell(begin_))); }
  /// Requires: the front is empty, or relocated.
  void pop_front() { ++begin_; }
  [[nodiscard]] std::span<Job> jobs() { return {&front(), size()}; }
  /// Ready to be filled again; nothing in it is a task any more.
  void reset() { begin_ = end_ = 0; }

 private:
  template <class Atomics>
  friend class BasicCommonQueue;

  [[nodiscard]] void* cell(std::uint32_t i) { return bytes_.data() + i * sizeof(Job); }

  alignas(Job) std::array<std::byte, kJobs * sizeof(Job)> bytes_;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  std::unique_ptr<JobBlock> next_;
};

}  // namespace artel::pool::detail
