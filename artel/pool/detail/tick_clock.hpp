#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/task_times.hpp"

namespace artel::pool::detail {

/// The clock of steady_now(), read in less than half the time: for stamping every task.
///
/// Counts the processor's ticks where the kernel itself trusts them to be even and equal on all
/// processors; elsewhere it is steady_now(). The rate is measured once, to about 2 parts in a
/// million, and then kept: it leaves steady_now() by some milliseconds in an hour, but never jumps.
/// Cost:    about 10 ns; calibrated once in a process, which takes 10 ms.
/// Threads: any that learnt from the calibrating thread that it is done.
class TickClock {
 public:
  /// Before the first now(); again does nothing.
  void calibrate();

  /// Where the time comes from: "ticks" of the processor, or the system's "monotonic" clock.
  [[nodiscard]] std::string_view source() const {
    return ns_per_tick_ != 0 ? "ticks" : "monotonic";
  }

  [[nodiscard]] Instant now() const {
#if defined(__x86_64__)
    if (ns_per_tick_ != 0) {
      const auto ticks = static_cast<std::int64_t>(__builtin_ia32_rdtsc() - origin_ticks_);
      return origin_ + Duration{static_cast<std::int64_t>((Wide{ticks} * ns_per_tick_) >> 32)};
    }
#endif
    return steady_now();
  }

 private:
  __extension__ using Wide = __int128;

  std::once_flag calibrated_;
  Instant origin_{};
  std::uint64_t origin_ticks_ = 0;
  std::int64_t ns_per_tick_ = 0;  // times 2^32; 0: ticks are not to be trusted
};

/// Of this process.
inline TickClock tick_clock;

/// The time now, on the clock that the times are of.
[[nodiscard]] inline Instant time_for(const TaskTimes& times) {
  return times.recorded != 0 ? tick_clock.now() : steady_now();
}

}  // namespace artel::pool::detail
