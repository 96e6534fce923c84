#include "bench/predict/workload.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"

namespace artel::bench {
namespace {

random::Distribution law_of(const std::string& sizes) {
  using random::Distribution;
  if (sizes == "pareto")
    return *Distribution::bounded_pareto({.alpha = 1.5, .low = 0.0005, .high = 0.050});
  return *Distribution::mixture({{0.95, 0.001}, {0.05, 0.020}});
}

}  // namespace

std::string Workload::name() const {
  constexpr std::array<const char*, 4> kExtras{"", "/priorities", "/deadlines", "/resizing"};
  return fmt::format("{}-{}/W{}/{:.2f}{}{}", kind == Kind::sleep ? "sleep" : "compute", sizes,
                     workers, load, queue == 0 ? "" : fmt::format("/Q{}", queue),
                     kExtras[static_cast<std::size_t>(extra)]);
}

std::vector<Arrival> draw(const Workload& workload, double seconds, double overshoot_s) {
  const Seed seed{static_cast<std::uint64_t>(100 * (workload.load + workload.workers))};
  random::Stream gaps(seed, "arrivals");
  random::Stream sizes(seed, "sizes");
  random::Stream lots(seed, "lots");
  const auto law = law_of(workload.sizes);
  const double rate = workload.load * workload.workers / (law.mean() + overshoot_s);
  const auto gap = *random::Distribution::exponential(1 / rate);
  std::vector<Arrival> all;
  for (double at = gap(gaps); at < seconds; at += gap(gaps))
    all.push_back({at, law(sizes), static_cast<unsigned>(lots.below(10))});
  return all;
}

double sleep_overshoot() {
  using Seconds = std::chrono::duration<double>;
  constexpr int kTries = 101;
  constexpr Seconds kAsked{0.001};
  prctl(PR_SET_TIMERSLACK, 1);
  std::vector<double> overshoot;
  for (int i = 0; i < kTries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(kAsked);
    overshoot.push_back(Seconds(std::chrono::steady_clock::now() - start - kAsked).count());
  }
  std::nth_element(overshoot.begin(), overshoot.begin() + kTries / 2, overshoot.end());
  return overshoot[kTries / 2];
}

}  // namespace artel::bench
