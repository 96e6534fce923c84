#pragma once

#include <algorithm>
#include <cstddef>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/concurrency_limit.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::fleet::detail {

/// Additive increase, multiplicative decrease.
class AimdLimit final : public ConcurrencyLimit {
 public:
  explicit AimdLimit(const scenario::AimdSettings& settings)
      : ConcurrencyLimit(settings.min), settings_(settings) {}

  void left(Instant now, Duration after, std::size_t in_pool) override {
    if (after > settings_.target) return unanswered(now, after, in_pool);
    if (tested_by(in_pool)) set(std::min(settings_.max, limit() + 1 / limit()));
  }
  void unanswered(Instant now, Duration after, std::size_t /*in_pool*/) override {
    if (after <= settings_.target || now < next_decrease_) return;
    set(std::max(settings_.min, limit() * settings_.decrease));
    next_decrease_ = later(now, settings_.target);
  }

 private:
  scenario::AimdSettings settings_;
  Instant next_decrease_{};
};

}  // namespace artel::fleet::detail
