#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::parallel::detail {

/// How many items the next chunk gets: a fixed number, or what takes about Limits::target.
///
/// The automatic size starts with one item, since nothing is known yet and the item may be long; it
/// grows at most sixteenfold from one chunk to the next. Chunks that travel have no more bytes than
/// Limits::bytes either, if items are about as large as those before. Where it is known how many
/// items are left, chunks shrink towards the end (guided self-scheduling), so that workers finish
/// together. Cost:    a few divisions per chunk. Threads: one at a time. Source:  C.
/// Polychronopoulos, D. Kuck: Guided self-scheduling (1987), with a lower bound.
class ChunkSizer {
 public:
  /// How long an automatic chunk takes on threads: long against what a chunk costs (about 0.3 us),
  /// short against the time that people and other tasks can wait.
  static constexpr Duration kTarget = std::chrono::microseconds(200);
  /// The last chunks take at least this share of the target.
  static constexpr int kLastShare = 20;

  struct Limits {
    std::size_t fixed = 0;      ///< items in every chunk; 0: automatic
    std::size_t width = 1;      ///< chunks that are in work at once
    std::size_t most = 0;       ///< items in an automatic chunk, at most
    Duration target = kTarget;  ///< what an automatic chunk takes, about
    std::size_t bytes = 0;      ///< in an automatic chunk, about; 0: any number
  };

  explicit ChunkSizer(Limits limits) : limits_(limits) {}

  /// Requires: `left` items are still in the source, if that is known; the result is at least 1 and
  /// may be more than that.
  [[nodiscard]] std::size_t next(std::optional<std::uint64_t> left) const;

  /// So many items took so long, cutting included.
  void record(std::size_t items, Duration time);

  /// So many items, or their results, had so many bytes on their way.
  void weigh(std::size_t items, std::size_t bytes);

  /// So many chunks are in work at once from now on.
  void widen(std::size_t width) { limits_.width = width; }

 private:
  Limits limits_;
  std::size_t largest_ = 0;  // chunk so far
  double items_ = 0;         // recent ones, the older the less they count
  double time_ns_ = 0;       // of these
  double item_bytes_ = 0;    // of the heaviest chunk's items, on average
};

}  // namespace artel::parallel::detail
