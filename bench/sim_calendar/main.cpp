#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"
#include "bench/sim_calendar/workload.hpp"

namespace artel::bench::sim_calendar {

std::size_t resident_bytes() {
  malloc_trim(0);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Outcome outcome(const Workload& workload, const Cost& cost, std::uint64_t sum) {
  const auto per_s = [](std::size_t count, double seconds) {
    return static_cast<double>(count) / seconds;
  };
  Outcome outcome{.figures = {{.metric = "holds_per_s",
                               .unit = "1/s",
                               .value = per_s(workload.holds, cost.holding_s)},
                              {.metric = "pushes_per_s",
                               .unit = "1/s",
                               .value = per_s(workload.pending, cost.filling_s)}},
                  .answer = fmt::format("{:x}", sum)};
  if (workload.pending >= 1'000'000) {  // of fewer it is lost among the pages
    const double bytes =
        static_cast<double>(cost.bytes_filled) - static_cast<double>(cost.bytes_before);
    outcome.figures.push_back({.metric = "bytes_per_event",
                               .unit = "B",
                               .value = bytes / static_cast<double>(workload.pending)});
  }
  return outcome;
}

namespace {

/// Delays in nanoseconds, of a second on the whole.
struct Delays {
  const char* name;
  double (*of)(double uniform);
};

constexpr Delays kDelays[] = {
    {"equal", [](double) { return 1e9; }},
    {"uniform", [](double u) { return u * 1e9; }},
    {"exponential", [](double u) { return -std::log(1 - u) * 1e9; }},
    {"bimodal", [](double u) { return u < 0.5 ? u * 2e5 : 3e9 + u * 1e6; }},
    {"log-uniform", [](double u) { return std::exp(u * 25); }},  // over 11 decades
};

std::vector<std::uint64_t> drawn(const Delays& delays) {
  constexpr std::size_t kCount = std::size_t{1} << 18U;
  random::Stream dice(Seed{1}, "delays");
  std::vector<std::uint64_t> values(kCount);
  for (std::uint64_t& value : values) value = static_cast<std::uint64_t>(delays.of(dice.uniform()));
  return values;
}

int run(int argc, char** argv) {
  Comparison comparison("sim_calendar", argc, argv);
  std::vector<std::vector<std::uint64_t>> all;
  for (const Delays& delays : kDelays) all.push_back(drawn(delays));
  const auto add = [&](std::size_t pending, std::size_t kind, int repetitions) {
    const Workload workload{.name = fmt::format("{}/{}", pending, kDelays[kind].name),
                            .pending = pending,
                            .holds = std::size_t{comparison.smoke() ? 20'000U : 2'000'000U},
                            .delays = &all[kind]};
    const auto enter = [&](const char* contender, Outcome (*run_it)(const Workload&)) {
      comparison.add({.contender = contender,
                      .workload = workload.name,
                      .run = [workload, run_it] { return run_it(workload); },
                      .repetitions_max = repetitions});
    };
    enter("artel", run_artel);
    enter("wheel", run_wheel);
    enter("heap4", run_heap4);
    enter("priority_queue", run_heap);
  };
  const std::vector<std::size_t> sizes = comparison.smoke()
                                             ? std::vector<std::size_t>{1'000}
                                             : std::vector<std::size_t>{1'000, 100'000, 1'000'000};
  for (const std::size_t pending : sizes) {
    for (std::size_t kind = 0; kind < all.size(); ++kind) add(pending, kind, 1000);
  }
  if (!comparison.smoke()) add(10'000'000, 1, 1);
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench::sim_calendar

int main(int argc, char** argv) { return artel::bench::sim_calendar::run(argc, argv); }
