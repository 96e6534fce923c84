#include "bench/spin.hpp"

#include <algorithm>
#include <cstdint>

#include "bench/measure.hpp"

namespace artel::bench {

void spin(std::uint64_t passes) {
  std::uint64_t x = passes;
  for (std::uint64_t i = 0; i < passes; ++i) {
    x ^= x << 13U;
    x ^= x >> 7U;
    x ^= x << 17U;
  }
  asm volatile("" : : "r"(x));  // not to be optimised away
}

std::uint64_t passes_per_us() {
  static const std::uint64_t passes = [] {
    constexpr std::uint64_t kProbe = 2'000'000;
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {  // of processor time: others may be at work, too
      const double before = cpu_seconds();
      spin(kProbe);
      best = std::min(best, cpu_seconds() - before);
    }
    return static_cast<std::uint64_t>(kProbe / (best * 1e6));
  }();
  return passes;
}

}  // namespace artel::bench
