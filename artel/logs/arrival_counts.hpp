#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::logs {

/// By how much one clock is ahead of another.
struct ClockSkew {
  Duration ahead{};      ///< negative: behind
  Duration precision{};  ///< it may be off by so much
};

/// How many tasks came when, in windows that grow with the time that they cover.
///
/// Cost: a few ns per task; 256 KiB at most. Threads: one at a time.
class ArrivalCounts {
 public:
  void add(Instant at);
  /// Those of another one, too, as their times say.
  void add(const ArrivalCounts& other);

  [[nodiscard]] bool empty() const { return counts_.empty(); }
  /// By how much the clock of `other` is ahead of this one's, if both count the same load: each
  /// gets a share of what comes, so that both go up and down together. Nothing: they are of other
  /// times, there are too few tasks, or nothing that goes up and down tells.
  [[nodiscard]] std::optional<ClockSkew> skew_of(const ArrivalCounts& other) const;

 private:
  static constexpr std::size_t kWindowsMax = std::size_t{1} << 16U;
  static constexpr Duration kWidthMin{10'000'000};  // 10 ms

  void add(std::int64_t window, std::uint32_t tasks);
  void widen();  // twice as wide

  Duration width_ = kWidthMin;
  std::int64_t first_ = 0;             // number of the first window since 1970
  std::vector<std::uint32_t> counts_;  // from there on
};

}  // namespace artel::logs
