#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"
#include "bench/sim_ping_pong/workload.hpp"

namespace artel::bench::ping_pong {

std::vector<std::uint32_t> choose_peers(const Workload& workload) {
  random::Stream dice(Seed{1}, "peers");
  std::vector<std::uint32_t> peers;
  peers.reserve(std::size_t{workload.processes} * workload.peers);
  for (std::uint32_t i = 0; i < workload.processes; ++i) {
    if (workload.peers == 1) {
      peers.push_back((i + 1) % workload.processes);
      continue;
    }
    const auto mine = static_cast<std::ptrdiff_t>(peers.size());
    while (peers.size() < static_cast<std::size_t>(mine) + workload.peers) {
      const auto peer = static_cast<std::uint32_t>(dice.below(workload.processes));
      if (peer != i && std::find(peers.begin() + mine, peers.end(), peer) == peers.end()) {
        peers.push_back(peer);
      }
    }
  }
  return peers;
}

Outcome outcome(const Workload& workload, double seconds, std::uint64_t events,
                std::uint64_t end_ns) {
  return {.figures = {{.metric = "events_per_s",
                       .unit = "1/s",
                       .value = static_cast<double>(workload.events()) / seconds}},
          .answer = fmt::format("{} events, end at {} ns", events, end_ns)};
}

namespace {

int run(int argc, char** argv) {
  Comparison comparison("sim_ping_pong", argc, argv);
  std::vector<Workload> workloads = {
      {.name = "big/equal", .processes = 100'000, .peers = 100, .iterations = 100},
      {.name = "big/random",
       .processes = 100'000,
       .peers = 100,
       .iterations = 100,
       .random_delay = true},
      {.name = "small/equal", .processes = 1'000, .peers = 10, .iterations = 10'000},
      {.name = "small/random",
       .processes = 1'000,
       .peers = 10,
       .iterations = 10'000,
       .random_delay = true},
      {.name = "two/equal", .processes = 2, .peers = 1, .iterations = 5'000'000},
  };
  for (Workload& workload : workloads) {
    if (comparison.smoke()) {
      workload.processes = std::min(workload.processes, 1000U);
      workload.iterations = std::min(workload.iterations, 20U);
    }
    comparison.add({"limit", workload.name, [workload] { return run_limit(workload); }});
    comparison.add(
        {"artel-callback", workload.name, [workload] { return run_artel_callback(workload); }});
    comparison.add(
        {"artel-coroutine", workload.name, [workload] { return run_artel_coroutine(workload); }});
    if (workload.random_delay) continue;
    Workload shorter = workload;  // it is a thousand times slower
    shorter.processes = std::min(workload.processes, 10'000U);
    shorter.iterations = std::min(workload.iterations, 20'000 / shorter.processes);
    comparison.add({.contender = "simgrid",
                    .workload = workload.name,
                    .run = [shorter] { return run_simgrid(shorter); },
                    .repetitions_max = 3});
  }
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench::ping_pong

int main(int argc, char** argv) { return artel::bench::ping_pong::run(argc, argv); }
