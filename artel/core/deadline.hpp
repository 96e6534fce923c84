#pragma once

#include <chrono>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"

namespace artel {

/// Any length of time of std::chrono, `hours` and floating-point ones too, in nanoseconds; beyond
/// ±292 years it saturates. NaN breaks the contract.
template <class Rep, class Period>
[[nodiscard]] constexpr Duration to_duration(std::chrono::duration<Rep, Period> duration) {
  using Wide = std::chrono::duration<long double, Duration::period>;
  const Wide wide = std::chrono::duration_cast<Wide>(duration);
  ARTEL_REQUIRE(wide == wide, "a duration is a number, not NaN");
  if (wide >= Wide(Duration::max())) return Duration::max();
  if (wide <= Wide(Duration::min())) return Duration::min();
  return std::chrono::duration_cast<Duration>(duration);
}

/// A point on the time line of steady_now().
[[nodiscard]] inline Instant to_instant(Instant at) { return at; }
/// A point in time of any clock, by what that clock and steady_now() say now; the last point that
/// it has is kNever. Cost: reads both clocks.
template <class Clock, class D>
[[nodiscard]] Instant to_instant(std::chrono::time_point<Clock, D> at) {
  if (at == std::chrono::time_point<Clock, D>::max()) return kNever;
  return later(steady_now(), to_duration(at - Clock::now()));
}

/// An Instant that any clock's time_point converts to.
struct Deadline {
  Instant at = kNever;  ///< on the time line of steady_now()

  constexpr Deadline() = default;
  constexpr Deadline(Instant instant) : at(instant) {}  // NOLINT(google-explicit-constructor)
  template <class Clock, class D>
  Deadline(std::chrono::time_point<Clock, D> point)  // NOLINT(google-explicit-constructor)
      : at(to_instant(point)) {}
};

}  // namespace artel
