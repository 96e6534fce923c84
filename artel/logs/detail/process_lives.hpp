#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "artel/core/instant.hpp"

namespace artel::logs::detail {

/// From when to when each of the workers' processes was at work.
///
/// Cost: some 20 ns per task; memory for 100 000 processes, others are not looked at.
class ProcessLives {
 public:
  /// How many began, and ended, while the log went on.
  struct Changes {
    std::uint64_t began = 0, ended = 0;
  };

  void seen(std::uint64_t process, Instant at);
  /// Whoever comes later, or stops sooner, than the gaps between its own tasks explain.
  [[nodiscard]] Changes changes() const;

 private:
  struct Life {
    Instant first{}, last{};
    std::uint64_t tasks = 0;
  };
  std::unordered_map<std::uint64_t, Life> lives_;
};

}  // namespace artel::logs::detail
