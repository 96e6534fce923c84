#include "bench/cluster_throughput/contender.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <ratio>
#include <string>
#include <thread>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/run_worker.hpp"
#include "artel/core/require.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "bench/cluster_throughput/workload.hpp"
#include "bench/measure.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): used like a function
ARTEL_TASK(echo_payload, std::string, std::string payload) { return payload; }

namespace artel::bench {

ClusterRun artel_master(const cluster::ClusterOptions& options, const ClusterWorkload& workload,
                        std::size_t chunk) {
  using Clock = std::chrono::steady_clock;
  auto cluster = cluster::Cluster::connect(options).value();
  while (cluster.workers().size() < workload.workers)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto tasks =
      std::views::iota(std::uint64_t{0}, std::uint64_t{workload.tasks}) |
      std::views::transform([&](std::uint64_t index) { return payload(index, workload.bytes); });
  ClusterRun run;
  const double before = cpu_seconds();
  const auto started = Clock::now();
  auto last = started;
  std::size_t count = 0;
  for (const std::string& result :
       parallel::lazy_map_unordered(cluster, tasks, echo_payload,
                                    {.chunk = chunk,
                                     .workers = chunk == 1 ? workload.in_flight : 0,
                                     .window = chunk == 1 ? workload.in_flight : 0})) {
    run.checksum += share_of(result);
    ++count;
    if (workload.in_flight > 1) continue;
    const auto now = Clock::now();
    run.round_trip_us.push_back(std::chrono::duration<double, std::micro>(now - last).count());
    last = now;
  }
  run.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  run.master_s = cpu_seconds() - before;
  ARTEL_REQUIRE(count == workload.tasks, "every task has a result", count);
  return run;
}

int artel_worker(const std::string& server) {
  cluster::WorkerFlags flags{.threads = 1};
  flags.cluster.servers = server;
  return cluster::run_worker(flags);
}

}  // namespace artel::bench
