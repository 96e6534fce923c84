#include <fmt/core.h>
#include <stdio.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "artel/core/require.hpp"
#include "bench/measure.hpp"
#include "bench/sim_mm1/workload.hpp"

namespace artel::bench::sim_mm1 {

bool has_simpy() { return std::system("python3 -c 'import simpy' >/dev/null 2>&1") == 0; }

Outcome run_simpy(std::uint64_t customers) {
  const auto command = fmt::format("python3 '{}' {}", ARTEL_SIMPY_SCRIPT, customers);
  std::FILE* output = popen(command.c_str(), "r");
  ARTEL_REQUIRE(output != nullptr, "no process for python3");
  double seconds = 0;
  double total = 0;
  const int read = std::fscanf(output, "%lf %lf", &seconds, &total);
  ARTEL_REQUIRE(pclose(output) == 0 && read == 2, "SimPy failed", command);
  return outcome(customers, seconds, total);
}

}  // namespace artel::bench::sim_mm1
