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
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// Ask the queue for `batch` chunks, within `expires`; answers are wanted at `reply`.
struct Pull {
  QueueName queue;
  std::string reply;
  std::uint64_t batch = 0;
  Duration expires{};
};
/// Is there such a queue? The answer is a QueueLookedUp; without one, it is asked again.
struct LookUpQueue {
  QueueName queue;
};
/// Tell the server what becomes of what it has delivered, at `ack`.
struct TellServer {
  std::string ack;
  std::string word;  ///< "+ACK", …
};
/// Have a thread come to this, in its turn.
struct PostLease {
  LeaseId lease = 0;
};
/// The thread that is ready works on the chunk of this order, delivered for the `delivery`-th time.
struct RunChunk {
  LeaseId lease = 0;
  std::shared_ptr<const ChunkOrder> order;
  std::uint32_t delivery = 1;
};
/// Send the result to where the order says. When it is on its way, tell the server `word` at `ack`;
/// else the lease ends, and somebody does it again.
struct AnswerChunk {
  std::shared_ptr<const ChunkOrder> order;
  std::string ack;
  std::string word;
  bool together = false;  ///< the next one follows at once
};
/// Keep what failed for good.
struct BuryChunk {
  DeadLetter letter;
};
/// Tell `reply` that the beacon has come through.
struct AnswerBeacon {
  std::string reply;
  BeaconAnswer answer;
};
/// To `reply`, or if that is empty to everybody.
struct SendReport {
  std::string reply;
  WorkerReport report;
};
/// Nothing is leased, and nothing will come.
struct WorkerLeft {};

/// What a worker wants done: see WorkerMachine.
using WorkerAction = std::variant<Pull, LookUpQueue, TellServer, PostLease, RunChunk, AnswerChunk,
                                  BuryChunk, AnswerBeacon, SendReport, TellProblem, WorkerLeft>;
using WorkerActions = std::vector<WorkerAction>;

}  // namespace artel::cluster
