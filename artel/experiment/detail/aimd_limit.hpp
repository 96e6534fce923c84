#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "artel/core/instant.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::experiment::detail {

/// How many tasks may be in a pool, by the times that they take: additive increase, multiplicative
/// decrease.
///
/// Cost: O(1).
class AimdLimit {
 public:
  explicit AimdLimit(const scenario::AimdSettings& settings)
      : settings_(settings), limit_(settings.min) {}

  [[nodiscard]] bool admits(std::size_t in_pool) const {
    return static_cast<double>(in_pool) < std::floor(limit_);
  }
  /// A task that was `in_pool` with others, itself included, has left after so long.
  void left(Instant now, Duration after, std::size_t in_pool) {
    if (after > settings_.target) {
      if (now < next_decrease_) return;
      limit_ = std::max(settings_.min, limit_ * settings_.decrease);
      next_decrease_ = later(now, settings_.target);
    } else if (2 * static_cast<double>(in_pool) >= limit_) {  // else the limit limits nothing
      limit_ = std::min(settings_.max, limit_ + 1 / limit_);
    }
  }
  [[nodiscard]] double limit() const { return limit_; }

 private:
  scenario::AimdSettings settings_;
  double limit_;
  Instant next_decrease_{};
};

}  // namespace artel::experiment::detail
