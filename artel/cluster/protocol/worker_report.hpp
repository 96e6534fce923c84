#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// A chunk that a worker has leased.
struct LeasedChunk {
  std::string job;  ///< id; `index` and `epoch` as in its ChunkOrder
  std::uint64_t index = 0;
  std::uint32_t epoch = 0;
  Duration running{};  ///< 0: it waits for a thread
};

/// Worker to everybody, `mr.<pool>.hb.<wid>`, every `every`; at once when it joins, begins to drain
/// and leaves, and in answer to a discovery (a message on `mr.<pool>.who`, to its reply subject if
/// it has one).
struct WorkerReport {
  std::string worker;          ///< id, a token of subjects; new for every process
  std::string host;            ///< where it runs
  std::int64_t pid = 0;        ///< of its process
  bool draining = false;       ///< takes no more chunks
  bool leaving = false;        ///< this is the last one
  Duration every{};            ///< dead if nothing comes for kMissed times so long
  Duration uptime{};           ///< since it started
  std::uint32_t threads = 0;   ///< chunks that it runs at once
  std::uint32_t credit = 0;    ///< chunks that it leases at most
  std::uint64_t done = 0;      ///< chunks, since it started
  std::uint64_t failed = 0;    ///< chunks that failed for the last time
  std::uint64_t refused = 0;   ///< chunks
  std::uint64_t returned = 0;  ///< chunks handed back: failed but not for the last time, or leaving
  std::uint64_t forged = 0;    ///< orders and calls that nobody trusted had signed: dropped
  bool signed_only = false;    ///< does nothing for masters who do not sign
  Duration busy{};             ///< sum over the threads, since it started
  std::vector<LeasedChunk> held;    ///< chunks that it has leased now
  std::vector<TaskKey> tasks;       ///< what it can do, by name
  std::vector<std::string> queues;  ///< what it pulls from: names of consumers

  static constexpr int kMissed = 3;
};

[[nodiscard]] std::string encode(const WorkerReport& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<WorkerReport> decode_worker_report(std::string_view bytes);

}  // namespace artel::cluster
