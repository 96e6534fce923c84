#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "bench/measure.hpp"
#include "bench/sim_await/workload.hpp"

namespace artel::bench::sim_await {

Outcome outcome(const Workload& workload, double seconds, std::uint64_t checksum) {
  return {.figures = {{.metric = "per_s",
                       .unit = "1/s",
                       .value = static_cast<double>(workload.rounds) / seconds}},
          .answer = fmt::format("{} rounds, sum {}", workload.rounds, checksum)};
}

namespace {

int run(int argc, char** argv) {
  Comparison comparison("sim_await", argc, argv);
  const std::uint64_t rounds = comparison.smoke() ? 20'000 : 4'000'000;
  for (const bool random_keys : {false, true}) {
    for (std::uint32_t outstanding = 1; outstanding <= 100'000; outstanding *= 10) {
      const Workload workload{
          .name = fmt::format("keyed/{}{}", outstanding, random_keys ? "/random" : ""),
          .rounds = rounds,
          .outstanding = outstanding,
          .random_keys = random_keys};
      comparison.add({"artel", workload.name, [workload] { return run_keyed(workload); }});
      comparison.add({"limit", workload.name, [workload] { return run_keyed_limit(workload); }});
    }
  }
  const Workload unbuffered{.name = "channel/unbuffered", .rounds = rounds};
  const Workload bounded{.name = "channel/64", .rounds = rounds, .capacity = 64};
  for (const Workload& workload : {unbuffered, bounded}) {
    comparison.add({"artel", workload.name, [workload] { return run_channel(workload); }});
    comparison.add({"limit", workload.name, [workload] { return run_channel_limit(workload); }});
  }
  const Workload spawn{.name = "spawn+join", .rounds = rounds};
  comparison.add({"artel", spawn.name, [spawn] { return run_spawn_join(spawn); }});
  for (const std::uint32_t crowd : {1'000U, 100'000U}) {
    const Workload workload{.name = fmt::format("cancel/{}", crowd),
                            .rounds = std::max<std::uint64_t>(rounds / 4, crowd),
                            .outstanding = crowd};
    comparison.add({"artel", workload.name, [workload] { return run_cancel(workload); }});
  }
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench::sim_await

int main(int argc, char** argv) { return artel::bench::sim_await::run(argc, argv); }
