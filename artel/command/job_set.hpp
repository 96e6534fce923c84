#pragma once

#include <cstdint>
#include <map>

namespace artel::command {

/// Numbers of jobs: add(), remove() and contains() do what they say, to what is not there as well.
/// Cost: O(log of the gaps between them); memory of the gaps, not of the jobs. Threads: one at a
/// time.
class JobSet {
 public:
  void add(std::uint64_t job);
  void remove(std::uint64_t job);
  [[nodiscard]] bool contains(std::uint64_t job) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  // First to last, neither overlapping nor touching.
  std::map<std::uint64_t, std::uint64_t> runs_;
  std::uint64_t size_ = 0;
};

}  // namespace artel::command
