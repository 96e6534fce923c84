#include "bench/rivals/latency.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ratio>
#include <thread>
#include <vector>

#include "bench/measure.hpp"

namespace artel::bench {

double us_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(p * static_cast<double>(values.size())))];
}

Outcome latencies(const std::vector<double>& us) {
  return {{{"p50_us", "us", quantile(us, 0.5)}, {"p99_us", "us", quantile(us, 0.99)}}, ""};
}

void sleep_between_rounds() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

}  // namespace artel::bench
