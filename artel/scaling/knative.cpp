#include "artel/scaling/knative.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {
namespace {

double mean_of_last(const std::deque<Knative::Reading>& readings, Instant now, Duration window) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& reading : readings) {
    if (reading.at <= later(now, -window)) continue;
    sum += reading.in_system;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

std::uint32_t Knative::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                State& state) const {
  auto& readings = state.readings;
  readings.push_back({sample.at, sample.in_system});
  while (readings.front().at <= later(sample.at, -stable_window)) readings.pop_front();

  const double ready = std::max(1.0, static_cast<double>(sample.ready));
  const double most = std::ceil(max_up_rate * ready);
  const double least = std::floor(ready / max_down_rate);
  const auto wanted = [&](Duration window) {
    return std::ceil(mean_of_last(readings, sample.at, window) / target);
  };
  const double stable = wanted(stable_window);
  const double sudden =
      wanted(from_seconds(to_seconds(stable_window) * panic_window_percent / 100));
  const auto bounded = [&](double size) {
    return static_cast<std::uint32_t>(
        std::min<double>(std::min(std::max(size, least), most), limits.max));
  };

  if (sudden / ready >= panic_threshold) {
    state.panic = sample.at;
  } else if (state.panic && later(*state.panic, stable_window) < sample.at) {
    state.panic.reset();
    state.panic_size = 0;
  }
  auto size = bounded(stable);
  if (state.panic) {
    state.panic_size = std::max({state.panic_size, size, bounded(sudden)});
    size = state.panic_size;
  }
  if (size > 0 || limits.min > 0) {
    state.idle_since.reset();
  } else {
    if (!state.idle_since) state.idle_since = sample.at;
    if (sample.workers > 0 && sample.at < later(*state.idle_since, zero_grace)) size = 1;
  }
  return std::clamp(size, limits.min, limits.max);
}

}  // namespace artel::scaling
