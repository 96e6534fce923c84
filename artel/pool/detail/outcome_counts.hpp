#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// Outcomes that a thread counts while others read. Who reads a count sees what the thread did
/// before it counted (Accounts::quiet() needs that).
///
/// Threads: add() by one thread, add_shared() by any; not both on one object. read() by any.
class OutcomeCounts {
 public:
  void add(TaskOutcome outcome) {
    auto& count = at(outcome);
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void add_shared(TaskOutcome outcome) { at(outcome).fetch_add(1); }

  [[nodiscard]] Outcomes read() const {
    Outcomes outcomes;
    for (std::size_t i = 0; i < kOutcomes; ++i) {
      outcomes.counts[i] = counts_[i].load(std::memory_order_acquire);
    }
    return outcomes;
  }

 private:
  std::atomic<std::uint64_t>& at(TaskOutcome outcome) {
    return counts_[static_cast<std::size_t>(outcome)];
  }

  std::array<std::atomic<std::uint64_t>, kOutcomes> counts_{};
};

}  // namespace artel::pool::detail
