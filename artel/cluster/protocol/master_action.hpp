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
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

// ---- Actions: for the source

/// Take `count` chunks of the `job` more; each is a ChunkTaken, or there is a SourceEmpty.
struct TakeChunks {
  std::string job;
  std::size_t count = 0;
};
/// A chunk has its result.
struct FinishChunk {
  ChunkResult result;
};
/// It will not, and so it would be with the others.
struct FailChunk {
  ChunkAddress chunk;
  Error error;
};
/// It will not after so many attempts, for a reason that is this chunk's alone.
struct GiveUpChunk {
  ChunkAddress chunk;
  std::uint32_t attempts = 0;
  Error error;
};

// ---- Actions: for the server

/// The order, into the worker's own queue; if `worker` is empty, into the shared one, `queue`.
/// If `urgent`, at once, else with others. Answered by ChunkStored, ChunkNotStored or
/// ChunkTooLarge, or not at all.
struct SendChunk {
  std::shared_ptr<const ChunkOrder> order;
  std::string queue;
  std::string worker;
  bool urgent = false;
};
/// Is the newest copy there, in this queue or that worker's own? Answered by ChunkFound, or not at
/// all.
struct LookUpChunk {
  ChunkAddress chunk;
  std::string queue;
  std::string worker;
};
/// Make the stream, and this shared queue, if they are not there.
struct MakeQueue {
  std::string queue;
  bool anew = false;  ///< what there is of the queue is deleted first; its chunks stay

  friend bool operator==(const MakeQueue&, const MakeQueue&) = default;
};
/// A queue for this worker alone. Answered by OwnQueueMade.
struct MakeOwnQueue {
  std::string worker;
};
/// Delete that worker's own queue.
struct DropOwnQueue {
  std::string worker;
};
/// Take this message out of the stream.
struct EraseMessage {
  StoredNumber number = 0;
};
/// Some of the messages of this job may be there whose numbers nobody knows: erase them. Answered
/// by JobSwept, or not at all.
struct SweepJob {
  std::string job;

  friend bool operator==(const SweepJob&, const SweepJob&) = default;
};
/// Answered by MessageRead.
struct ReadMessage {
  StoredNumber number = 0;
};
/// Keep what failed for good; then, and not before, erase the message of this number.
struct BuryLetter {
  DeadLetter letter;
  StoredNumber number = 0;
};

// ---- Actions: for workers

/// Ask the workers of a queue: see QueueCall.
struct CallQueue {
  QueueCall call;
};
/// The beacon of this number, through the worker's own queue. Answered by BeaconStored, and later
/// by BeaconAnswered.
struct SendBeacon {
  std::string worker;
  std::uint64_t number = 0;
};

/// What a master wants done: see MasterMachine.
using MasterAction =
    std::variant<TakeChunks, FinishChunk, FailChunk, GiveUpChunk, SendChunk, LookUpChunk, MakeQueue,
                 MakeOwnQueue, DropOwnQueue, EraseMessage, SweepJob, ReadMessage, BuryLetter,
                 CallQueue, SendBeacon, TellProblem>;
using MasterActions = std::vector<MasterAction>;

}  // namespace artel::cluster
