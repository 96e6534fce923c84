#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::fleet::detail {

/// Whether what comes out of a queue is to be dropped.
///
/// Cost: O(1). Source: K. Nichols, V. Jacobson, A. McGregor, J. Iyengar, RFC 8289 (2018).
class Codel {
 public:
  explicit Codel(const scenario::CodelSettings& settings) : settings_(settings) {}

  /// `waited`: of what comes out now; `last`: nothing is behind it.
  [[nodiscard]] bool drops(Instant now, Duration waited, bool last) {
    const bool too_long = stands(now, waited, last);
    if (!dropping_) {
      if (!too_long) return false;
      dropping_ = true;
      // A queue that was dropped from a short time ago goes on about where it was.
      const auto recent = count_ - last_count_;
      count_ = recent > 1 && now - next_drop_ < 16 * settings_.interval ? recent : 1;
      last_count_ = count_;
      next_drop_ = later(now, gap());
      return true;
    }
    // What comes out behind a dropped one says whether there is a next drop.
    const bool plans = std::exchange(dropped_before_, false);
    if (!too_long) {
      dropping_ = false;
      return false;
    }
    if (plans) next_drop_ = later(next_drop_, gap());
    if (now < next_drop_) return false;
    ++count_;
    dropped_before_ = true;
    return true;
  }

 private:
  // Whether waits have been above the target for an interval.
  bool stands(Instant now, Duration waited, bool last) {
    if (waited < settings_.target || last) {
      above_since_known_ = false;
      return false;
    }
    if (!above_since_known_) {
      above_since_known_ = true;
      stands_from_ = later(now, settings_.interval);
      return false;
    }
    return now >= stands_from_;
  }
  [[nodiscard]] Duration gap() const {
    return from_seconds(to_seconds(settings_.interval) / std::sqrt(count_));
  }

  scenario::CodelSettings settings_;
  bool dropping_ = false;
  bool dropped_before_ = false;  // … the one before, while dropping
  bool above_since_known_ = false;
  Instant stands_from_{};
  Instant next_drop_{};
  std::uint32_t count_ = 0;
  std::uint32_t last_count_ = 0;
};

}  // namespace artel::fleet::detail
