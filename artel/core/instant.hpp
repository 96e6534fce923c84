#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel {

/// A length of time in whole nanoseconds (±292 years). Integer time adds up exactly, so equal times
/// are equal on every compiler. The literals of std::chrono work: `using namespace
/// std::chrono_literals; Duration d = 5ms;`
using Duration = std::chrono::nanoseconds;

/// The time line of one host: simulated time (zero at the start of the run) or a monotonic clock.
struct Timeline {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Timeline>;
  static constexpr bool is_steady = true;  ///< never set back, as std::chrono asks
};

/// A point in time on some Timeline, in whole nanoseconds since its start.
using Instant = std::chrono::time_point<Timeline>;

/// "Never" for deadlines, "no limit" for durations.
inline constexpr Duration kForever = Duration::max();
inline constexpr Instant kNever = Instant::max();

/// Exact for whole seconds below 2^53.
[[nodiscard]] constexpr double to_seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e9;  // exact for whole seconds, as 1e-9 is not
}
[[nodiscard]] constexpr double to_seconds(Instant instant) {
  return to_seconds(instant.time_since_epoch());
}

/// Seconds as a Duration, rounded to the nearest nanosecond; beyond ±292 years it saturates. NaN
/// breaks the contract.
[[nodiscard]] Duration from_seconds(double seconds);

/// `at + duration`, saturating at kNever instead of overflowing.
[[nodiscard]] constexpr Instant later(Instant at, Duration duration) {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(at.time_since_epoch().count(), duration.count(), &sum)) {
    return duration.count() < 0 ? Instant::min() : kNever;
  }
  return Instant{Duration{sum}};
}

/// Reads "250us", "1.5 s", "10min", "1h30m", "inf"; units: ns us ms s min m h d. A number without a
/// unit is refused. Errors: parse, with what was not understood.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

/// Three significant digits and the unit that fits: "250 us", "1.50 s", "-3.00 ms", "inf".
[[nodiscard]] std::string format_duration(Duration duration);

}  // namespace artel
