#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace master_workers {

struct HostSpec {
  double speed = 1;  // flop per second and core
  std::uint32_t cores = 1;
  std::uint32_t memory = 0;  // MB
};

struct TaskSpec {
  double flops = 0;
  std::uint32_t memory = 0;  // MB
  std::uint32_t input_bytes = 0;
  std::uint32_t output_bytes = 0;
};

/// The same for all hosts; the defaults are those of DSLab's example.
struct Infrastructure {
  artel::Duration latency = std::chrono::milliseconds(500);
  double bandwidth = 1000;  // bytes per second, as all that follow
  double local_bandwidth = 10'000;
  double disk_bandwidth = 2000;
  std::uint64_t disk_capacity = 1000;  // bytes
  bool refill_at_once = false;         // the master gives out tasks whenever one is completed, too
};

/// Hosts, and tasks that are all submitted at the start.
struct Workload {
  std::vector<HostSpec> hosts;
  std::vector<TaskSpec> tasks;
  Infrastructure infrastructure;
};

/// DSLab's example: hosts of speed 1…10, 1…8 cores, 1…4 GB; tasks of 100…1000 flop,
/// 128…1024 MB, 100…1000 bytes in and 10…100 bytes out; all uniform.
[[nodiscard]] Workload random_workload(std::uint32_t hosts, std::uint32_t tasks, artel::Seed seed);

/// A bag of tasks from a CSV file (task,runtime_s,input_bytes,output_bytes), on hosts of 2…8 cores
/// that are 0.5 to 2 times as fast as the one where the runtimes were measured, on a network of
/// 1 Gbit/s.
[[nodiscard]] artel::Result<Workload> recorded_workload(const std::string& file,
                                                        std::uint32_t hosts, artel::Seed seed);

}  // namespace master_workers
