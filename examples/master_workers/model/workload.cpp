#include "examples/master_workers/model/workload.hpp"

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"

namespace master_workers {

Workload random_workload(std::uint32_t hosts, std::uint32_t tasks, artel::Seed seed) {
  artel::random::Stream dice(seed, "workload");
  const auto between = [&](std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(dice.below(high - low + 1));
  };
  Workload workload;
  for (std::uint32_t i = 0; i < hosts; ++i) {
    workload.hosts.push_back({.speed = static_cast<double>(between(1, 10)),
                              .cores = between(1, 8),
                              .memory = 1024 * between(1, 4)});
  }
  for (std::uint32_t i = 0; i < tasks; ++i) {
    workload.tasks.push_back({.flops = static_cast<double>(between(100, 1000)),
                              .memory = 128 * between(1, 8),
                              .input_bytes = between(100, 1000),
                              .output_bytes = between(10, 100)});
  }
  return workload;
}

artel::Result<Workload> recorded_workload(const std::string& file, std::uint32_t hosts,
                                          artel::Seed seed) {
  std::ifstream in(file);
  if (!in) return artel::fail(artel::ErrorCode::not_found, "cannot be read", file);
  Workload workload;
  workload.infrastructure = {.latency = std::chrono::microseconds(100),
                             .bandwidth = 125e6,
                             .local_bandwidth = 2e9,
                             .disk_bandwidth = 500e6,
                             .disk_capacity = 1'000'000'000'000,
                             .refill_at_once = true};
  std::string line;
  std::getline(in, line);  // the columns' names
  for (int number = 2; std::getline(in, line); ++number) {
    double runtime = 0;
    TaskSpec task{.memory = 1};
    if (std::sscanf(line.c_str(), "%*[^,],%lf,%" SCNu32 ",%" SCNu32, &runtime, &task.input_bytes,
                    &task.output_bytes) != 3) {
      return artel::fail(artel::ErrorCode::parse,
                         "found \"" + line + "\", expected task,runtime_s,input_bytes,output_bytes",
                         file + ":" + std::to_string(number));
    }
    task.flops = runtime;
    workload.tasks.push_back(task);
  }
  artel::random::Stream dice(seed, "hosts");
  for (std::uint32_t i = 0; i < hosts; ++i) {
    const auto cores = static_cast<std::uint32_t>(2 + dice.below(7));
    workload.hosts.push_back(
        {.speed = 0.5 + 1.5 * dice.uniform(), .cores = cores, .memory = 2 * cores});
  }
  return workload;
}

}  // namespace master_workers
