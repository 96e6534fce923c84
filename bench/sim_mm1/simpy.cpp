#include <fmt/core.h>
#include <stdio.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "artel/core/require.hpp"
#include "bench/measure.hpp"
#include "bench/sim_mm1/workload.hpp"

namespace artel::bench::sim_mm1 {

namespace {

// The first python3 with SimPy: that of $PATH, or Debian's, which another may hide; "" without one.
std::string python() {
  for (const char* each : {"python3", "/usr/bin/python3"}) {
    const auto command = fmt::format("{} -c 'import simpy' >/dev/null 2>&1", each);
    if (std::system(command.c_str()) == 0) return each;
  }
  return "";
}

}  // namespace

bool has_simpy() { return !python().empty(); }

Outcome run_simpy(std::uint64_t customers) {
  const auto command = fmt::format("{} '{}' {}", python(), ARTEL_SIMPY_SCRIPT, customers);
  std::FILE* output = popen(command.c_str(), "r");
  ARTEL_REQUIRE(output != nullptr, "no process for python3");
  double seconds = 0;
  double total = 0;
  const int read = std::fscanf(output, "%lf %lf", &seconds, &total);
  ARTEL_REQUIRE(pclose(output) == 0 && read == 2, "SimPy failed", command);
  return outcome(customers, seconds, total);
}

}  // namespace artel::bench::sim_mm1
