#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "artel/pool/detail/job.hpp"

namespace artel::pool::detail {

/// Up to 63 jobs in order, in about 4 KB: what moves between the common queue and a worker at once.
class JobBlock {
 public:
  static constexpr std::uint32_t kJobs = 63;

  [[nodiscard]] std::uint32_t size() const { return end_ - begin_; }
  [[nodiscard]] bool full() const { return end_ == kJobs; }
  void push(Job& job) { jobs_[end_++] = std::move(job); }
  Job& front() { return jobs_[begin_]; }
  void pop_front() { ++begin_; }
  [[nodiscard]] std::span<Job> jobs() { return {&jobs_[begin_], size()}; }
  /// Ready to be filled again; nothing in it is a task any more.
  void reset() { begin_ = end_ = 0; }

 private:
  template <class Atomics>
  friend class BasicCommonQueue;

  std::array<Job, kJobs> jobs_;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  std::unique_ptr<JobBlock> next_;
};

}  // namespace artel::pool::detail
