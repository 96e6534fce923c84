#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// Queues are named by their consumers at the server.
using QueueName = std::string;

/// What a worker has leased, a chunk or a beacon: numbers of its own, never used again.
using LeaseId = std::uint64_t;

// ---- Events

/// A chunk's order was delivered, for the `delivery`-th time. `ack`: where the server is told of
/// it.
struct ChunkCame {
  QueueName queue;
  std::shared_ptr<const ChunkOrder> order;
  std::uint32_t delivery = 1;
  std::string ack;
};
/// Something was delivered that cannot be read. `ack`: as ChunkCame's.
struct UnreadableCame {
  QueueName queue;
  std::string ack;
  Error error;
};
/// A beacon was delivered, in its turn. `ack`: as ChunkCame's.
struct BeaconCame {
  QueueName queue;
  BeaconRequest beacon;
  std::string ack;
};
/// The server's word (status) on the request whose answers come to `subject`.
struct PullEnded {
  std::string subject;
  std::string status;
};
/// The answer to LookUpQueue: whether the queue is there.
struct QueueLookedUp {
  QueueName queue;
  bool there = false;
};
/// A master asks who is there; `reply` empty: everybody is to hear it.
struct Discovered {
  std::string reply;
};
/// A master says that there is a queue, and for whom.
struct QueueCalled {
  QueueCall call;
};
/// Something was sent to it that nobody whom it trusts has signed.
struct ForgedCame {};
/// A thread has come to what was posted.
struct ThreadReady {
  LeaseId lease = 0;
};
/// What was posted will not be run.
struct NotPosted {
  LeaseId lease = 0;
};
/// A thread has worked on the chunk.
struct ChunkWorked {
  LeaseId lease = 0;
  ChunkOutcome outcome{};
  Duration worked{};
  std::string why;        ///< it failed or is refused
  bool hopeless = false;  ///< another try would fail as well
};
/// The connection is there again: what was asked for may be lost.
struct WorkerReconnected {};
/// No more chunks, please.
struct DrainWanted {};
/// The process ends at once.
struct EndWanted {};
/// It is Worker::wake_at().
struct WorkerTick {};

/// What happens to a worker: see WorkerMachine.
using WorkerEvent =
    std::variant<ChunkCame, UnreadableCame, BeaconCame, PullEnded, QueueLookedUp, Discovered,
                 QueueCalled, ForgedCame, ThreadReady, NotPosted, ChunkWorked, WorkerReconnected,
                 DrainWanted, EndWanted, WorkerTick>;

}  // namespace artel::cluster
