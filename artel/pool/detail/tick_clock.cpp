#include "artel/pool/detail/tick_clock.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sync/relax.hpp"

namespace artel::pool::detail {
namespace {

#if defined(__x86_64__)
bool kernel_trusts_ticks() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return static_cast<bool>(file >> source) && source == "tsc";
}

struct Reading {
  Instant time{};
  std::uint64_t ticks = 0;
};

// Both clocks at one moment: of several tries the quickest, which nobody has interrupted.
Reading read_both() {
  Reading best;
  auto quickest = ~std::uint64_t{0};
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t before = __builtin_ia32_rdtsc();
    const Instant time = steady_now();
    const std::uint64_t took = __builtin_ia32_rdtsc() - before;
    if (took >= quickest) continue;
    quickest = took;
    best = {time, before + took / 2};
  }
  return best;
}
#endif

}  // namespace

void TickClock::calibrate() {
#if defined(__x86_64__)
  std::call_once(calibrated_, [this] {
    constexpr Duration kCalibration = std::chrono::milliseconds(10);
    if (!kernel_trusts_ticks()) return;
    const Reading first = read_both();
    while (steady_now() - first.time < kCalibration) sync::relax();
    const Reading second = read_both();
    const Wide elapsed = (second.time - first.time).count();
    origin_ = second.time;
    origin_ticks_ = second.ticks;
    ns_per_tick_ = static_cast<std::int64_t>((elapsed << 32) / (second.ticks - first.ticks));
  });
#endif
}

}  // namespace artel::pool::detail
