#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/concurrency_limit.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::fleet::detail {

/// By how much longer the last task took than tasks do on average: the limit shrinks with that, and
/// grows by some room for a queue.
///
/// Source: Gradient2Limit of Netflix' concurrency-limits.
class GradientLimit final : public ConcurrencyLimit {
 public:
  explicit GradientLimit(const scenario::GradientSettings& settings)
      : ConcurrencyLimit(settings.min), settings_(settings) {}

  void left(Instant /*now*/, Duration after, std::size_t in_pool) override {
    const double seconds = to_seconds(after);
    note(seconds);
    // Half of what is usual: after an overload, the average comes down faster.
    if (average_ > 2 * seconds) average_ *= 0.95;
    if (!tested_by(in_pool)) return;
    const double gradient =
        seconds > 0 ? std::clamp(settings_.tolerance * average_ / seconds, 0.5, 1.0) : 1;
    const double wanted = limit() * gradient + settings_.queue;
    const double next = limit() + settings_.smoothing * (wanted - limit());
    set(std::clamp(next, settings_.min, settings_.max));
  }
  void unanswered(Instant now, Duration after, std::size_t in_pool) override {
    if (to_seconds(after) > settings_.tolerance * average_) left(now, after, in_pool);
  }
  /// Of what tasks take.
  [[nodiscard]] double average() const { return average_; }

 private:
  void note(double seconds) {
    constexpr std::uint64_t kFirst = 10;  // their plain mean, then an exponential one
    if (tasks_ < kFirst) {
      ++tasks_;
      average_ += (seconds - average_) / static_cast<double>(tasks_);
    } else {
      average_ += 2 / (settings_.window + 1) * (seconds - average_);
    }
  }

  scenario::GradientSettings settings_;
  double average_ = 0;
  std::uint64_t tasks_ = 0;
};

}  // namespace artel::fleet::detail
