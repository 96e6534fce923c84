// What recording every task costs a pool of short tasks.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "artel/pool/pool.hpp"
#include "bench/measure.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

// Where traces go: on disk, unless TMPDIR says otherwise.
std::filesystem::path trace_path() {
  return std::filesystem::temp_directory_path() /
         ("artel-trace-overhead-" + std::to_string(getpid()) + ".trace");
}

// `tasks` tasks of so many loop passes through two workers; recorded or not.
Outcome run(std::size_t tasks, std::uint64_t passes, bool recorded) {
  pool::Pool pool({.workers = 2});
  const auto path = trace_path();
  if (recorded && !pool.record(path)) std::exit(1);
  const double cpu_before = cpu_seconds();
  const double seconds = seconds_of([&] {
    for (std::size_t i = 0; i < tasks; ++i) {
      pool.post([passes] { spin(passes); });
    }
    static_cast<void>(pool.wait_idle());
  });
  const double cpu = cpu_seconds() - cpu_before;
  Outcome outcome{{{"tasks_per_s", "1/s", static_cast<double>(tasks) / seconds},
                   {"cpu_per_task", "s", cpu / static_cast<double>(tasks)}},
                  {}};
  if (!recorded) return outcome;
  const auto recording = pool.stop_recording();
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  if (!recording || recording->tasks + recording->dropped != tasks) std::exit(1);
  outcome.figures.push_back(
      {"bytes_per_task", "bytes",
       static_cast<double>(recording->bytes) /
           static_cast<double>(std::max<std::uint64_t>(recording->tasks, 1))});
  outcome.figures.push_back({"dropped", "tasks", static_cast<double>(recording->dropped)});
  return outcome;
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("trace_overhead", argc, argv);
  const bool smoke = comparison.smoke();
  const std::size_t many = smoke ? 2'000 : 500'000;
  const std::uint64_t us = passes_per_us();
  const auto add = [&](const std::string& workload, std::size_t tasks, std::uint64_t passes) {
    comparison.add({"off", workload, [=] { return run(tasks, passes, false); }});
    comparison.add({"on", workload, [=] { return run(tasks, passes, true); }});
  };
  add("empty/W2", many, 0);
  add("spin1us/W2", many, us);
  add("spin10us/W2", many / 10, 10 * us);
  return comparison.run();
}
