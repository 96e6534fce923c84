#include "artel/service/supervision.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::service {

std::optional<Duration> RestartBudget::failed(Instant now, unsigned in_row) {
  failures_.push_back(now);
  while (now - failures_.front() > supervision_.restarts_within) failures_.pop_front();
  if (failures_.size() > supervision_.restarts_max) return std::nullopt;
  Duration wait = supervision_.backoff_first;
  for (unsigned i = 1; i < in_row && wait < supervision_.backoff_max; ++i) {
    wait = std::min(wait, supervision_.backoff_max - wait) + wait;  // cannot overflow
  }
  wait = std::min(wait, supervision_.backoff_max);
  const double left_out = supervision_.jitter * dice_.uniform();
  return wait - Duration{static_cast<std::int64_t>(
                    std::floor(left_out * static_cast<double>(wait.count())))};
}

}  // namespace artel::service
