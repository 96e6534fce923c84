#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace artel::bench::ping_pong {

/// DSLab's ping-pong: N processes, each with P distinct random peers other than itself (P = 1: the
/// next process). At time 0 each gets Start and sends Ping to a random peer; on Ping it answers the
/// sender with Pong; on Pong it counts down its iterations and, while any are left, pings a random
/// peer. Every message takes 1 s, or a uniform part of it. An event is one delivery.
struct Workload {
  std::string name;
  std::uint32_t processes = 0;
  std::uint32_t peers = 0;
  std::uint32_t iterations = 0;
  bool random_delay = false;

  [[nodiscard]] std::uint64_t events() const {
    return processes + std::uint64_t{2} * processes * iterations;
  }
};

/// The peers of every process, one after another.
[[nodiscard]] std::vector<std::uint32_t> choose_peers(const Workload& workload);

/// What every contender must arrive at: events delivered and the time of the last one in ns.
[[nodiscard]] Outcome outcome(const Workload& workload, double seconds, std::uint64_t events,
                              std::uint64_t end_ns);

Outcome run_limit(const Workload& workload);
Outcome run_artel_callback(const Workload& workload);
Outcome run_artel_coroutine(const Workload& workload);
/// With equal delays only, and in sizes that SimGrid can finish: see simgrid.cpp.
Outcome run_simgrid(const Workload& workload);

}  // namespace artel::bench::ping_pong
