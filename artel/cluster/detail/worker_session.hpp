#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "artel/cluster/beacon_request.hpp"
#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/chunk_result.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/chunk_pull.hpp"
#include "artel/cluster/detail/chunks_ahead.hpp"
#include "artel/cluster/detail/leased_chunk.hpp"
#include "artel/cluster/detail/new_worker_id.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"

namespace artel::cluster::detail {

/// What a WorkerNode is made of: its connection, the chunks that it holds, the threads that run
/// them, and what it tells of itself.
///
/// Threads: all members are safe from any thread, run() once.
class WorkerSession {
 public:
  using Chunk = std::shared_ptr<LeasedChunk>;

  WorkerSession(WorkerOptions options, Connection connection, unsigned threads);
  WorkerSession(const WorkerSession&) = delete;
  WorkerSession& operator=(const WorkerSession&) = delete;

  /// Begins to listen. Errors: a refused subject.
  [[nodiscard]] Result<void> open();
  /// As WorkerNode::run().
  WorkerReport run(const std::stop_token& stop);
  void hand_back_all();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] WorkerReport report() const;

 private:
  // Where chunks come from.
  struct Queue {
    Queue(const std::string& stream, std::string name)
        : consumer(std::move(name)), pull(stream, consumer) {}

    std::string consumer;
    ChunkPull pull;
    bool asks = false;  // it is there, and more is wanted
  };

  void problem(const Error& error) const;

  // ---- Getting chunks
  // How many more chunks it may ask for. Half of those that may wait are asked for together, as a
  // request costs about as much as a chunk. Requires: under the lock.
  [[nodiscard]] std::size_t room(const Queue& from) const;
  void ask_for_chunks(Queue& from);
  // Requires: under the lock.
  void note_work(Duration worked);
  // The server says nothing to requests for chunks of a queue that is not there.
  [[nodiscard]] bool is_there(const Queue& from, bool was_there) const;
  // Until asked to stop, and what was asked for before is there. Mostly others ask: whoever has
  // made room, or taken the last chunk that was to come.
  void fetch(Queue& from, const std::stop_token& stop);
  // When a master says that there is one.
  void fetch_own(const std::stop_token& stop);
  void discovered(const Message& call);
  void came(Queue& from, Message message);
  void count(Queue& from, bool refused);
  // It takes its place behind the chunks that came before it.
  void accept_beacon(const Message& message);
  void accept(Queue& from, Message message);
  void let_go(const Chunk& chunk, const std::function<void(WorkerReport&)>& note);

  // ---- Working
  void work(const Chunk& chunk);
  // Whether the next result comes right after this one, and can leave together with it.
  [[nodiscard]] bool is_brief() const;
  // The result is on its way when this returns true.
  bool answer(const ChunkOrder& order, ChunkResult& result);
  void answer(const BeaconRequest& beacon);

  // ---- Telling
  [[nodiscard]] std::vector<Chunk> in_hand() const;
  void publish_report(const std::string& subject) const;
  // Leases and reports.
  void keep_in_touch(const std::stop_token& stop);
  void renew_leases();

  const WorkerOptions options_;
  const TaskRegistry& registry_;
  const Connection connection_;
  const Subjects subjects_;
  const std::string id_ = new_worker_id();
  const unsigned threads_;
  const Instant begun_ = steady_now();

  mutable std::mutex lock_;              // guards down to ahead_
  std::condition_variable_any changed_;  // nothing left in hand, or to come
  std::condition_variable_any touch_;    // to renew a lease or to report sooner; own queue
  std::unordered_set<Chunk> held_;
  WorkerReport counts_;  // done, failed, refused, returned, busy
  bool has_own_queue_ = false;
  bool draining_ = false;
  bool leaving_ = false;
  Instant next_renewal_ = kNever;
  Instant told_ = begun_;  // the last report
  Instant next_report_ = later(begun_, options_.report_every);
  ChunksAhead ahead_;

  Queue shared_;  // all workers pull from it
  Queue own_;     // its masters see to it that there is not too much in it

  std::vector<Subscription> subscriptions_;
  pool::Pool pool_;
  std::vector<Subscription> pulled_;  // while there is a pool
};

}  // namespace artel::cluster::detail
