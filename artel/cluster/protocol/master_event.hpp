#pragma once

#include <cstddef>
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
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// The number of a message that the server keeps.
using StoredNumber = std::uint64_t;

// ---- Events: jobs and their sources

/// There is a new job, of this id.
struct JobBegun {
  std::string job;
};
/// Nobody wants the results of this job any more.
struct JobEnded {
  std::string job;
};
/// The source of this job may have chunks that it did not have before.
struct SourceGrew {
  std::string job;
};
/// Of those of a job that TakeChunks asked for, no more will come.
struct SourceEmpty {
  std::string job;
};
/// One of those asked for. The master fills in of the order what is not the source's to say.
struct ChunkTaken {
  std::shared_ptr<ChunkOrder> order;
};

// ---- Events: what the server says

/// It keeps this copy of a chunk, that of `epoch`, under this number.
struct ChunkStored {
  ChunkAddress chunk;
  std::uint32_t epoch = 0;
  StoredNumber number = 0;
};
/// It does not, or nobody heard.
struct ChunkNotStored {
  ChunkAddress chunk;
  bool refused = false;  ///< the server has said so: it is full
  std::string why{};     ///< in its words, if it has
};
/// It never would.
struct ChunkTooLarge {
  ChunkAddress chunk;
  Error error;
};
/// The answer to SendBeacon: the stream has the one for this worker.
struct BeaconStored {
  std::string worker;
  StoredNumber number = 0;
};
/// What the server knows of a message.
enum class MessageState : std::uint8_t {
  absent,  ///< done, or lost
  queued,  ///< waits, or a worker has it
  gone,    ///< the stream itself is not there any more
};
/// What the server says of a queue. All zero: there is no such queue.
struct QueueState {
  StoredNumber done_to = 0;   ///< up to this one, everything was delivered and acknowledged
  std::uint64_t waiting = 0;  ///< messages
  std::uint64_t in_hand = 0;  ///< messages that somebody has, or had and may get again
};
/// The answer to LookUpChunk.
struct ChunkFound {
  ChunkAddress chunk;
  MessageState state{};
  StoredNumber number = 0;  ///< if queued
  QueueState queue{};       ///< if queued
};
/// It has delivered this message as often as it may.
struct MessageGivenUp {
  StoredNumber number = 0;
};
/// The answer to ReadMessage. No order: it is not there any more.
struct MessageRead {
  StoredNumber number = 0;
  std::shared_ptr<const ChunkOrder> order;
};
/// The answer to SweepJob, for this job; not swept: it could not be done.
struct JobSwept {
  std::string job;
  bool swept = false;
};
/// The answer to MakeOwnQueue for this worker. Not made: the server refused, or nobody heard.
struct OwnQueueMade {
  std::string worker;
  bool made = false;
};

// ---- Events: the connection

/// It is gone. Either it is tried again, and MasterReconnected says when it is there; or it is
/// `shut` for good, by a server that refuses us.
struct MasterDisconnected {
  Error why;  ///< for people
  bool shut = false;
};
/// The connection is there again: messages may be lost.
struct MasterReconnected {};
/// The connection says that something went wrong: a subject that is not permitted, a slow reader.
struct TroubleCame {
  Error error;
};

// ---- Events: what workers say

/// A worker has done a chunk, or could not.
struct ResultCame {
  ChunkResult result;
};
/// A worker tells how it is.
struct ReportCame {
  WorkerReport report;
};
/// A beacon has come through a worker's own queue.
struct BeaconAnswered {
  BeaconAnswer answer;
};

/// Time has passed: every few milliseconds.
struct MasterTick {};

/// What happens to a master: see MasterMachine.
using MasterEvent =
    std::variant<JobBegun, JobEnded, SourceGrew, SourceEmpty, ChunkTaken, ChunkStored,
                 ChunkNotStored, ChunkTooLarge, BeaconStored, ChunkFound, MessageGivenUp,
                 MessageRead, JobSwept, OwnQueueMade, MasterDisconnected, MasterReconnected,
                 TroubleCame, ResultCame, ReportCame, BeaconAnswered, MasterTick>;

}  // namespace artel::cluster
