#pragma once

#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::parallel {

/// How far a map or reduce has come.
struct Progress {
  std::uint64_t done = 0;              ///< items
  std::optional<std::uint64_t> total;  ///< items, if known
  Duration elapsed{};                  ///< since the map began
  double rate = 0;                     ///< items per second, on average since the start
  std::optional<Duration> eta;         ///< until all is done, at that rate; if total is known
};

/// Says when progress is to be reported, and what it is.
///
/// Cost: O(1).
/// Threads: one at a time.
class ProgressMeter {
 public:
  /// Reports at most once per `every`; the clock is that of `start`.
  ProgressMeter(std::optional<std::uint64_t> total, Duration every, Instant start)
      : total_(total), every_(every), start_(start), next_(later(start, every)) {}

  /// Nothing: it is not time yet.
  [[nodiscard]] std::optional<Progress> update(std::uint64_t done, Instant now);

  /// As it is now, whether it is time or not.
  [[nodiscard]] Progress at(std::uint64_t done, Instant now) const;

 private:
  std::optional<std::uint64_t> total_;
  Duration every_;
  Instant start_;
  Instant next_;
};

}  // namespace artel::parallel
