#include "bench/rivals/throughput.hpp"

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>

#include "bench/measure.hpp"
#include "bench/spin.hpp"

namespace artel::bench {

double spin_cpu_seconds(std::size_t tasks, std::uint64_t passes) {
  if (passes == 0) return 0;
  const std::size_t probes = std::min<std::size_t>(tasks, 2'000);
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double before = now();
  for (std::size_t i = 0; i < probes; ++i) spin(passes);
  return (now() - before) * static_cast<double>(tasks) / static_cast<double>(probes);
}

double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

Outcome per_second(std::size_t tasks, double seconds, const std::string& answer) {
  return {{{"tasks_per_s", "1/s", static_cast<double>(tasks) / seconds}}, answer};
}

Outcome Posts::outcome(double work, double seconds, double cpu, std::uint64_t sum) const {
  Outcome found = per_second(tasks, seconds, std::to_string(sum));
  found.figures.push_back({"cpu_per_task", "s", cpu / static_cast<double>(tasks)});
  if (work > 0) found.figures.push_back({"work_per_cpu", "ratio", work / cpu});
  return found;
}

double fib_calls(int n) {
  double before = 1, calls = 1;
  for (int i = 2; i <= n; ++i) calls += std::exchange(before, calls) + 1;
  return calls;
}

}  // namespace artel::bench
