#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

// What masters and workers tell each other, as msgpack arrays that begin with kProtocolVersion.
// Decoding checks everything it reads: bytes from elsewhere give an Error, never more.
// subjects.hpp says where each is published.

namespace artel::cluster {

/// Masters and workers of different versions refuse each other's messages.
inline constexpr std::uint32_t kProtocolVersion = 1;

/// Which function: equal in master and worker, or the chunk is refused.
struct TaskKey {
  std::string name;
  std::uint32_t version = 0;
  std::uint64_t signature = 0;  ///< hash of the types of its arguments and result

  friend bool operator==(const TaskKey&, const TaskKey&) = default;
};

/// "thumbnail v2"
[[nodiscard]] std::string to_string(const TaskKey& key);

/// What is done with the items of a chunk.
enum class ChunkKind : std::uint8_t {
  map,      ///< a result for each; stops at the first that fails
  collect,  ///< a result or a failure for each
  each,     ///< no results; stops at the first that fails
  fold,     ///< one result; stops at the first that fails
};

/// Master to worker, `mr.<pool>.t.s.<job>.<index>`, or through the worker's own queue,
/// `mr.<pool>.t.w.<wid>.<job>.<index>`: work on these items.
struct ChunkOrder {
  std::string job;
  std::uint64_t index = 0;  ///< of the chunk in the job
  std::uint32_t epoch = 0;  ///< how often it was issued before
  std::string reply;        ///< subject for the ChunkResult
  Duration lease{};         ///< a worker that does not renew it within this time loses the chunk
  std::uint32_t tries = 1;  ///< deliveries of this copy: a failure of the last one counts
  ChunkKind kind{};
  std::optional<TaskKey> map;   ///< applied to every item; nothing: items are folded as they are
  std::optional<TaskKey> fold;  ///< if kind is fold
  std::uint32_t retries = 0;    ///< so often an item is tried again on the spot
  std::uint64_t first = 0;      ///< index of the first item in the job
  std::uint32_t count = 0;      ///< items
  std::string init;             ///< what folding begins with, encoded
  std::string items;            ///< encoded, one after the other
};

enum class ChunkOutcome : std::uint8_t {
  done,
  failed,   ///< an item's function threw, as often as it may
  refused,  ///< this worker cannot do it: unknown task, other version, unreadable
};

/// An item whose function threw, or why a worker refuses.
struct RemoteProblem {
  std::uint64_t item = 0;  ///< index in the job
  std::uint32_t attempts = 0;
  std::string type;  ///< of the exception, as its author wrote it
  std::string what;
};

/// Worker to master, to ChunkOrder::reply.
struct ChunkResult {
  std::string job;
  std::uint64_t index = 0;
  std::uint32_t epoch = 0;
  std::uint32_t delivery = 0;  ///< 1: it was the first worker to get this copy
  std::string worker;
  ChunkOutcome outcome{};
  Duration worked{};  ///< in the function, decoding and encoding included
  std::uint32_t count = 0;
  std::string output;                   ///< encoded: `count` results, or outcomes, or the sum
  std::vector<RemoteProblem> problems;  ///< the last is why the chunk ended early, unless done
};

/// A chunk that a worker has in hand.
struct HeldChunk {
  std::string job;
  std::uint64_t index = 0;
  std::uint32_t epoch = 0;
  Duration running{};  ///< 0: it waits for a thread
};

/// Worker to everybody, `mr.<pool>.hb.<wid>`, every `every`; at once when it joins, begins to drain
/// and leaves, and in answer to a discovery (a message on `mr.<pool>.who`, to its reply subject if
/// it has one).
struct WorkerReport {
  std::string worker;  ///< id, a token of subjects; new for every process
  std::string host;
  std::int64_t pid = 0;
  bool own_queue = false;  ///< pulls from a queue of its own, too
  bool draining = false;   ///< takes no more chunks
  bool leaving = false;    ///< this is the last one
  Duration every{};        ///< dead if nothing comes for kMissed times so long
  Duration uptime{};
  std::uint32_t threads = 0;
  std::uint32_t credit = 0;    ///< chunks that it has in hand at most
  std::uint64_t done = 0;      ///< chunks, since it started
  std::uint64_t failed = 0;    ///< chunks that failed for the last time
  std::uint64_t refused = 0;   ///< chunks
  std::uint64_t returned = 0;  ///< chunks handed back: failed but not for the last time, or leaving
  Duration busy{};             ///< sum over the threads, since it started
  std::vector<HeldChunk> held;
  std::vector<TaskKey> tasks;  ///< what it can do, by name

  static constexpr int kMissed = 3;
};

/// Master to worker, through the worker's own queue, `mr.<pool>.t.w.<wid>.beacon`: tell how it is
/// with you when you get to this.
struct BeaconRequest {
  std::uint64_t number = 0;  ///< of the master's beacons
  std::string reply;         ///< subject for the BeaconAnswer
};

/// Worker to master, to BeaconRequest::reply.
struct BeaconAnswer {
  std::string worker;
  std::uint64_t number = 0;
  std::uint32_t queued = 0;  ///< chunks that it has in hand
  std::uint64_t done = 0;    ///< chunks that it has dealt with since it started
};

/// In a discovery: every worker has a queue of its own now, and is to pull from it as well.
inline constexpr std::string_view kPullYourOwn = "own";

/// A chunk that was given up, in the stream of dead letters.
struct DeadLetter {
  std::string reason;
  std::string worker;  ///< the last that had it, if known
  ChunkOrder order;
};

[[nodiscard]] std::string encode(const ChunkOrder& order);
[[nodiscard]] std::string encode(const ChunkResult& result);
[[nodiscard]] std::string encode(const WorkerReport& report);
[[nodiscard]] std::string encode(const BeaconRequest& beacon);
[[nodiscard]] std::string encode(const BeaconAnswer& answer);
[[nodiscard]] std::string encode(const DeadLetter& letter);

// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<ChunkOrder> decode_chunk_order(std::string_view bytes);
[[nodiscard]] Result<ChunkResult> decode_chunk_result(std::string_view bytes);
[[nodiscard]] Result<WorkerReport> decode_worker_report(std::string_view bytes);
[[nodiscard]] Result<BeaconRequest> decode_beacon_request(std::string_view bytes);
[[nodiscard]] Result<BeaconAnswer> decode_beacon_answer(std::string_view bytes);
[[nodiscard]] Result<DeadLetter> decode_dead_letter(std::string_view bytes);

}  // namespace artel::cluster
