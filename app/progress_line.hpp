#pragma once

#include <cstddef>
#include <string_view>

#include "artel/core/instant.hpp"

namespace artel::app {

/// One line on stderr that shows how far long work is, if stderr is a terminal: percent, count,
/// time left, or a text. Threads: one at a time.
class ProgressLine {
 public:
  explicit ProgressLine(std::string_view what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `under_way`: of what is begun, so much is done as well. At most ten times a second reaches the
  /// terminal.
  void show(std::size_t done, std::size_t total, double under_way = 0);
  /// Same, where nobody knows how much is left.
  void show(std::string_view how_far);

 private:
  [[nodiscard]] bool due();

  std::string_view what_;
  bool on_;
  Instant start_;
  Instant shown_;
};

}  // namespace artel::app
