#include "artel/scaling/hpa.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"

namespace artel::scaling {
namespace {

bool is_after(const Hpa::Sizing& sizing, Instant now, Duration window) {
  return sizing.at > later(now, -window);
}

// How many there were when the stretch began that ends now.
double size_at_start(const FleetSample& sample, const std::deque<Hpa::Sizing>& changes,
                     Duration within) {
  auto size = static_cast<double>(sample.workers);
  for (const auto& change : changes) {
    if (is_after(change, sample.at, within)) size -= static_cast<double>(change.workers);
  }
  return size;
}

}  // namespace

double Hpa::wanted_for(const FleetSample& sample) const {
  const double total = value_of(sample, metric);
  if (sample.workers == 0) return 0;
  const auto workers = static_cast<double>(sample.workers);
  const auto close = [this](double ratio) { return std::abs(ratio - 1) <= tolerance; };
  if (metric != ScalingMetric::in_service || sample.ready == sample.workers) {
    const double ratio = total / workers / target;
    return close(ratio) ? workers : std::ceil(ratio * workers);
  }
  if (sample.ready == 0) return workers;
  const auto ready = static_cast<double>(sample.ready);
  const double ratio = total / ready / target;
  if (ratio <= 1) return close(ratio) ? workers : std::ceil(ratio * ready);
  const double diluted = total / workers / target;
  return close(diluted) || diluted < 1 ? workers : std::ceil(diluted * workers);
}

double Hpa::stabilised(const FleetSample& sample, double wanted, State& state) const {
  auto& past = state.wanted;
  if (past.empty()) past.push_back({sample.at, sample.workers});
  double least = wanted;
  double most = wanted;
  for (const auto& sizing : past) {
    const auto then = static_cast<double>(sizing.workers);
    if (is_after(sizing, sample.at, stabilisation_up)) least = std::min(least, then);
    if (is_after(sizing, sample.at, stabilisation_down)) most = std::max(most, then);
  }
  const auto longest = std::max(stabilisation_up, stabilisation_down);
  while (!past.empty() && !is_after(past.front(), sample.at, longest)) past.pop_front();
  past.push_back({sample.at, static_cast<std::int64_t>(wanted)});
  return std::min(std::max(static_cast<double>(sample.workers), least), most);
}

std::uint32_t Hpa::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                            State& state) const {
  constexpr double kSizeMax = UINT32_MAX;
  const auto now = static_cast<double>(sample.workers);
  double size = 0;
  if (sample.workers > limits.max || sample.workers < limits.min) {
    size = std::clamp<double>(now, limits.min, limits.max);
  } else {
    size = stabilised(sample, std::min(wanted_for(sample), kSizeMax), state);
    if (size > now) {
      const double start = size_at_start(sample, state.changes, up.within);
      const double most = std::max(start + up.workers, std::ceil(start * (1 + up.percent / 100)));
      size = std::min({size, std::max(most, now), static_cast<double>(limits.max)});
    } else if (size < now) {
      const double start = size_at_start(sample, state.changes, down.within);
      const double least =
          std::min(start - down.workers, std::floor(start * (1 - down.percent / 100)));
      size = std::max({size, std::min(least, now), static_cast<double>(limits.min)});
    }
  }
  auto& changes = state.changes;
  const auto longest = std::max(up.within, down.within);
  while (!changes.empty() && !is_after(changes.front(), sample.at, longest)) changes.pop_front();
  if (size != now) changes.push_back({sample.at, static_cast<std::int64_t>(size - now)});
  return static_cast<std::uint32_t>(size);
}

}  // namespace artel::scaling
