#include "artel/parallel/progress.hpp"

#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::parallel {

std::optional<Progress> ProgressMeter::update(std::uint64_t done, Instant now) {
  if (now < next_) return std::nullopt;
  next_ = later(now, every_);
  return at(done, now);
}

Progress ProgressMeter::at(std::uint64_t done, Instant now) const {
  Progress progress{.done = done, .total = total_, .elapsed = now - start_};
  const double seconds = to_seconds(progress.elapsed);
  if (seconds > 0) progress.rate = static_cast<double>(done) / seconds;
  if (total_ && progress.rate > 0) {
    const std::uint64_t left = *total_ > done ? *total_ - done : 0;
    progress.eta = from_seconds(static_cast<double>(left) / progress.rate);
  }
  return progress;
}

}  // namespace artel::parallel
