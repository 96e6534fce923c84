#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "artel/command/job_loop_options.hpp"

namespace artel::command::detail {

/// The slots of jobs: numbers from 0, the lowest ones that do.
///
///  1  A slot belongs to one job, or is free.
///  2  The slot of a lost host is never vacant.
/// Threads: the loop's.
class JobSlots {
 public:
  explicit JobSlots(const JobLoopOptions& options) : options_(options) {}

  /// Whether as many jobs have one as may now. Never with hosts, whose slots are fixed.
  [[nodiscard]] bool all_taken() const;
  /// Requires: !all_taken(). Nothing: all hosts are lost, or have their jobs.
  [[nodiscard]] std::optional<std::size_t> vacant();
  /// Requires: vacant() has just named it.
  void claim(std::size_t slot);
  void give_back(std::size_t slot) { free_.push_back(slot); }

 private:
  const JobLoopOptions& options_;
  std::vector<std::size_t> free_;  // below count_
  std::size_t count_ = 0;          // so many there were
};

}  // namespace artel::command::detail
