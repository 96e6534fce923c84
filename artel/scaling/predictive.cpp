#include "artel/scaling/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/scaling/fleet_sample.hpp"
#include "artel/scaling/rate_line.hpp"

namespace artel::scaling {
namespace {

using Readings = std::deque<Predictive::Reading>;

void keep_last(Readings& readings, Instant now, Duration window) {
  while (!readings.empty() && readings.front().at < later(now, -window)) readings.pop_front();
}

}  // namespace

double erlang_c(std::uint64_t servers, double offered) {
  if (offered <= 0) return 0;
  if (offered >= static_cast<double>(servers)) return 1;
  double blocked = 1;  // Erlang's B
  for (std::uint64_t k = 1; k <= servers; ++k)
    blocked = offered * blocked / (static_cast<double>(k) + offered * blocked);
  const double load = offered / static_cast<double>(servers);
  return blocked / (1 - load * (1 - blocked));
}

double Predictive::enough_for(double offered, dispatch::SizeLimits limits) const {
  std::uint64_t low = limits.min;
  std::uint64_t high = limits.max;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    const bool enough = middle > 0 ? erlang_c(middle * slots, offered) <= waiting : offered == 0;
    (enough ? high : low) = enough ? middle : middle + 1;
  }
  return static_cast<double>(low);
}

std::uint32_t Predictive::size_for(const FleetSample& sample, dispatch::SizeLimits limits,
                                   State& state) const {
  if (sample.service_s > 0) state.service_s = sample.service_s;
  state.rates.push_back({sample.at, sample.arrivals});
  keep_last(state.rates, sample.at, window);
  // Whatever the line says, who is there is served.
  limits.min = std::max(limits.min, sample.in_system > 0 || sample.waiting > 0 ? 1U : 0U);
  if (state.service_s == 0) return std::clamp(sample.workers, limits.min, limits.max);
  const double offered =
      std::max(0.0, fit_rate_line(state.rates, later(sample.at, lead)).value) * state.service_s;
  state.sizes.push_back({sample.at, enough_for(offered, limits)});
  keep_last(state.sizes, sample.at, hold);
  double size = 0;
  for (const auto& enough : state.sizes) size = std::max(size, enough.value);
  return static_cast<std::uint32_t>(size);
}

}  // namespace artel::scaling
