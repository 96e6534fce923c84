#pragma once

#include <cstddef>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// How many chunks a worker leases besides those that its threads work on: work for about as
/// long as it takes to get more. One, if chunks take long, since it might be done sooner elsewhere;
/// up to kMost of the shortest.
///
/// Threads: one at a time.
class ChunksAhead {
 public:
  static constexpr std::size_t kMost = 16;

  explicit ChunksAhead(unsigned threads) : threads_(threads) {}

  /// A chunk took so long.
  void note_work(Duration worked);

  [[nodiscard]] std::size_t get() const { return ahead_; }
  /// Whether chunks are so short that their results are to leave together.
  [[nodiscard]] bool is_brief() const;
  /// Masters send as much as they know of: whether it is far from what they were told last.
  [[nodiscard]] bool is_news() const { return ahead_ >= 2 * told_ || told_ >= 2 * ahead_; }
  void told() { told_ = ahead_; }

 private:
  unsigned threads_;
  Duration mean_work_{};  // of a chunk
  std::size_t ahead_ = 1;
  std::size_t told_ = 1;
};

}  // namespace artel::cluster::detail
