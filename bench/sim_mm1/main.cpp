#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "bench/measure.hpp"
#include "bench/sim_mm1/workload.hpp"

namespace artel::bench::sim_mm1 {

Outcome outcome(std::uint64_t customers, double seconds, double total_response) {
  const auto number = static_cast<double>(customers);
  return {.figures = {{.metric = "customers_per_s", .unit = "1/s", .value = number / seconds}},
          .answer = fmt::format("mean response {:.4f}", total_response / number)};
}

namespace {

int run(int argc, char** argv) {
  Comparison comparison("sim_mm1", argc, argv);
  const std::uint64_t customers = comparison.smoke() ? 2'000 : 1'000'000;
  const auto workload = fmt::format("{} customers", customers);
  comparison.add({"artel callbacks", workload, [=] { return run_callbacks(customers); }});
  comparison.add({"artel coroutines", workload, [=] { return run_coroutines(customers); }});
  comparison.add({"limit", workload, [=] { return run_limit(customers); }});
  if (has_simpy()) {
    comparison.add({.contender = "simpy",
                    .workload = workload,
                    .run = [=] { return run_simpy(customers); },
                    .repetitions_max = 3});
  } else {
    fmt::print("simpy is left out: there is no python3 with it (Debian: python3-simpy3)\n");
  }
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench::sim_mm1

int main(int argc, char** argv) { return artel::bench::sim_mm1::run(argc, argv); }
