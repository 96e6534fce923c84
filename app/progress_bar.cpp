#include "app/progress_bar.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "artel/command/job_loop_options.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/progress.hpp"

namespace artel::app {
namespace {

using namespace std::chrono_literals;

// All jobs, judging by how much of the input those make up that were started.
std::optional<std::uint64_t> total_of(const command::JobProgress& progress) {
  const std::uint64_t started = progress.done + progress.running;
  if (!progress.input || *progress.input <= 0 || started == 0) return std::nullopt;
  const auto total = std::llround(static_cast<double>(started) / *progress.input);
  return std::max(static_cast<std::uint64_t>(total), started);
}

// Of the terminal; 0: not known.
std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::string progress_text(const command::JobProgress& progress, Duration elapsed) {
  const auto total = total_of(progress);
  const parallel::ProgressMeter meter(total, {}, Instant{});
  const auto so_far = meter.at(progress.done, later(Instant{}, elapsed));
  std::string text;
  if (total) {
    constexpr std::size_t kWidth = 20;
    const double share = static_cast<double>(progress.done) / static_cast<double>(*total);
    const auto filled = static_cast<std::size_t>(share * kWidth);
    text = fmt::format("[{:#<{}}{:-<{}}] {:3.0f}% {} of {}", "", filled, "", kWidth - filled,
                       100 * share, progress.done, how_many(*total, "job"));
  } else {
    text = how_many(progress.done, "job");
  }
  if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
  if (so_far.rate > 0) text += fmt::format(", {:.3g}/s", so_far.rate);
  if (total && so_far.eta && progress.done < *total)
    text += fmt::format(", {} left", format_duration(*so_far.eta));
  return text;
}

ProgressBar::ProgressBar()
    : terminal_(isatty(STDERR_FILENO) != 0), start_(steady_now()), next_(start_) {
  if (!terminal_) next_ += 10s;
}

void ProgressBar::print(const command::JobProgress& progress, const char* end) {
  std::string text = progress_text(progress, steady_now() - start_);
  // A line that reaches the edge would go on in the next one, and stay there.
  if (const auto width = terminal_ ? columns() : 0; width > 0) {
    text.resize(std::min(text.size(), width - 1));
  }
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", text, end);
  std::fflush(stderr);
}

void ProgressBar::show(const command::JobProgress& progress) {
  const auto now = steady_now();
  if (now < next_) return;
  next_ = now + (terminal_ ? Duration(100ms) : Duration(10s));
  print(progress, terminal_ ? "" : "\n");
  visible_ = terminal_;
}

void ProgressBar::hide() {
  if (!visible_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible_ = false;
}

void ProgressBar::finish(const command::JobProgress& progress) { print(progress, "\n"); }

}  // namespace artel::app
