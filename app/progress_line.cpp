#include "app/progress_line.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::app {

using namespace std::chrono_literals;

ProgressLine::ProgressLine(std::string_view what)
    : what_(what), on_(isatty(STDERR_FILENO) != 0), start_(steady_now()) {}

ProgressLine::~ProgressLine() {
  if (on_) fmt::print(stderr, "\r\033[K");
}

bool ProgressLine::due() {
  const auto now = steady_now();
  if (!on_ || now - shown_ < 100ms) return false;
  shown_ = now;
  return true;
}

void ProgressLine::show(std::size_t done, std::size_t total, double under_way) {
  const double share = (static_cast<double>(done) + under_way) / static_cast<double>(total);
  if (share <= 0 || !due()) return;
  const double left = to_seconds(shown_ - start_) * (1 / share - 1);
  fmt::print(stderr, "\r\033[K{}: {:.0f}% ({} of {}), {} left", what_, 100 * share, done, total,
             format_duration(from_seconds(left)));
  std::fflush(stderr);
}

void ProgressLine::show(std::string_view how_far) {
  if (!due()) return;
  fmt::print(stderr, "\r\033[K{}: {}", what_, how_far);
  std::fflush(stderr);
}

}  // namespace artel::app
