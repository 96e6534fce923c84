#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/measure.hpp"

namespace artel::bench::sim_await {

/// What is done so many times; what it costs to do it once is the question.
struct Workload {
  std::string name;
  std::uint64_t rounds = 0;
  std::uint32_t outstanding = 0;  ///< keyed: waits at any moment; cancel: processes at once
  bool random_keys = false;       ///< keyed: each event for a random one of them, else in order
  std::size_t capacity = 0;       ///< channel
};

/// `outstanding` coroutines of one component wait for an event, each with a key of its own; the one
/// that gets the event sends one to another and waits again.
Outcome run_keyed(const Workload& workload);
/// The same with bare coroutines, found by index, and a queue of keys: no kernel, types or time.
Outcome run_keyed_limit(const Workload& workload);

/// One coroutine sends numbers through a channel, another receives them.
Outcome run_channel(const Workload& workload);
/// The same with bare coroutines that hand a number over and resume each other.
Outcome run_channel_limit(const Workload& workload);

/// A coroutine spawns another, which ends at once, and joins it.
Outcome run_spawn_join(const Workload& workload);

/// Coroutines that sleep are cancelled from outside.
Outcome run_cancel(const Workload& workload);

/// `rounds` in that many seconds.
[[nodiscard]] Outcome outcome(const Workload& workload, double seconds, std::uint64_t checksum);

}  // namespace artel::bench::sim_await
