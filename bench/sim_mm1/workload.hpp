#pragma once

#include <cmath>
#include <cstdint>

#include "bench/measure.hpp"

namespace artel::bench::sim_mm1 {

inline constexpr double kLoad = 0.8;

/// Exponential numbers that every language can draw alike: the minimal standard generator.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  double operator()(double mean) {
    constexpr std::uint64_t kModulus = 2'147'483'647;
    state_ = state_ * 48'271 % kModulus;
    return -mean * std::log(static_cast<double>(state_) / static_cast<double>(kModulus));
  }

 private:
  std::uint64_t state_;
};

/// One after another, `customers` come to one server and go when they were served; every draw is
/// Draws(1) for the gaps and Draws(2) for the services.
Outcome run_callbacks(std::uint64_t customers);
/// The same with a process per customer and a Resource.
Outcome run_coroutines(std::uint64_t customers);
/// The same without a simulation: Lindley's recursion.
Outcome run_limit(std::uint64_t customers);
/// The same in SimPy, in a process of its own that measures itself.
Outcome run_simpy(std::uint64_t customers);
/// Whether there is a python3 with SimPy.
[[nodiscard]] bool has_simpy();

/// `total_response` is the sum over all customers, in seconds of the model.
[[nodiscard]] Outcome outcome(std::uint64_t customers, double seconds, double total_response);

}  // namespace artel::bench::sim_mm1
