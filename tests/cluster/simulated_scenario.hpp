#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::cluster::simulated {

/// What goes wrong, when, for how long, with whom.
struct Fault {
  enum class Kind : std::uint8_t {
    worker_killed,  ///< another one comes for it in the end
    worker_paused,  ///< goes on as if nothing had been
    worker_cut,
    worker_mute,  ///< what it sends gets lost
    worker_deaf,  ///< what it is sent gets lost
    worker_leaves,
    master_paused,
    master_cut,
    master_mute,
    master_deaf,
    master_killed,  ///< another one goes on from its journal
    server_stopped,
    server_killed,
    store_lost,    ///< restarts with nothing
    queue_silent,  ///< JetStream does not answer, the rest of the server does
    passed_over,   ///< what waits is not delivered any more
    end_lost,      ///< restarts without a message, and counts anew; its consumers do not
    worker_ended,  ///< at once, but it hands back what it has; another one comes for it
    queue_full,    ///< it refuses every chunk
    server_deaf,   ///< JetStream does not answer, and connections break every `period`
  };
  static constexpr int kKinds = 20;
  static constexpr int kDrawn = 16;  ///< the first ones: seeds keep their scenarios

  Kind kind{};
  Instant at{};
  Duration lasts{};
  std::size_t who = 0;
  Duration period = std::chrono::seconds(3);
};

/// A cluster, its work and its mishaps. Equal scenarios run alike.
struct Scenario {
  std::uint64_t seed = 0;
  std::size_t masters = 1;
  std::size_t workers = 2;
  std::size_t strangers = 0;  ///< workers besides, of another version
  bool upgrade = false;       ///< that of the second master's chunks
  unsigned threads = 1;
  std::size_t chunks = 20;  ///< of every master
  Duration work{};          ///< of a chunk, on average
  Duration gap{};           ///< between arrivals of chunks, on average; 0: all are there
  bool speculates = true;
  unsigned tries = 3;  ///< deliveries of a copy
  bool own_queues = false;
  bool sampled = false;  ///< to the shorter of two own queues, and not to the shortest of all
  bool beacons = false;  ///< own queues by the closed loop
  bool deadly = false;   ///< a chunk kills whoever works on it
  bool skewed = false;   ///< clocks differ, and run at different speeds
  unsigned failing = 0;  ///< so many deliveries of a copy of one chunk fail
  double unposted = 0;   ///< chunks that a worker cannot post
  double damaged = 0;    ///< chunks that a worker cannot read
  bool needs = false;    ///< a tag, that all workers have
  bool asks = false;     ///< a master wants reports for itself alone
  bool hasty = false;    ///< its timeouts are shorter than the faults: maps may fail
  Duration late{};       ///< answers about workers' own queues and their beacons
  Duration latency{};
  Duration jitter{};
  double loss = 0;     ///< of messages
  double doubles = 0;  ///< messages that come twice
  std::vector<Fault> faults;
};

[[nodiscard]] Scenario scenario_of(std::uint64_t seed);
/// Several lines.
[[nodiscard]] std::string describe(const Scenario& scenario);

struct Run {
  std::vector<std::string> problems;  ///< what should not be
  Duration makespan{};                ///< until the last chunk had ended
  Duration worked{};                  ///< by all workers, what was lost included
  Duration response{};                ///< on average, if they came one by one
  std::uint64_t steps = 0;
};
/// `transcript`: every event and action, if it is wanted.
[[nodiscard]] Run run(const Scenario& scenario, std::vector<std::string>* transcript = nullptr);

/// As run(), and with one fault the time that it costs.
[[nodiscard]] Run check(const Scenario& scenario);
/// The smallest scenario found that fails as well.
[[nodiscard]] Scenario shrunk(Scenario scenario);

}  // namespace artel::cluster::simulated
