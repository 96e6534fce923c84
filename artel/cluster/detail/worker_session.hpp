#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/posted_leases.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/pool.hpp"

namespace artel::cluster::detail {

/// What a WorkerNode is made of: a WorkerMachine, and what brings it events and does what it wants:
/// the connection, the threads that run chunks, and one for the time.
///
/// Threads: all members are safe from any thread, run() once.
class WorkerSession {
 public:
  /// What the connection has told.
  struct Signals {
    std::atomic<bool> restored = false;  ///< it was lost and is there again
    std::atomic<bool> shut = false;      ///< it will not come back
    std::atomic<bool> refused = false;   ///< nor will another one of the same user
  };
  WorkerSession(WorkerOptions options, Connection connection, unsigned threads,
                std::shared_ptr<Signals> signals, std::string id);
  WorkerSession(const WorkerSession&) = delete;
  WorkerSession& operator=(const WorkerSession&) = delete;

  /// Begins to listen. Errors: a refused subject.
  [[nodiscard]] Result<void> open();
  /// As WorkerNode::run().
  WorkerReport run(const std::stop_token& stop);
  void hand_back_all();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] WorkerReport report() const;
  [[nodiscard]] std::string server_remark() const;
  [[nodiscard]] bool shut() const { return signals_->shut; }
  [[nodiscard]] bool refused() const { return signals_->refused; }

 private:
  void problem(const Error& error) const;
  void publish(const std::string& subject, const std::string& bytes) const;

  // ---- Events
  void discovered(const Message& call);
  void came(const Message& message);
  void refused(const Message& message, const Error& error, bool forged);
  void answer_came(const Message& message);
  void step(const WorkerEvent& event, const std::string& result = {});
  void keep_time(const std::stop_token& stop);
  // Gets the items first, if they are elsewhere.
  [[nodiscard]] ChunkResult work_on(const ChunkOrder& order) const;

  // ---- Actions; `result`: the bytes of the chunk that was worked on
  void perform(const Pull& action, const std::string& result);
  void perform(const LookUpQueue& action, const std::string& result);
  void perform(const TellServer& action, const std::string& result);
  void perform(const PostLease& action, const std::string& result);
  void perform(const RunChunk& action, const std::string& result);
  void perform(const AnswerChunk& action, const std::string& result);
  void perform(const BuryChunk& action, const std::string& result);
  void perform(const AnswerBeacon& action, const std::string& result);
  void perform(const SendReport& action, const std::string& result);
  void perform(const TellProblem& action, const std::string& result);
  void perform(const WorkerLeft& action, const std::string& result);

  const WorkerOptions options_;
  const TaskRegistry& registry_;
  const Connection connection_;
  const Subjects subjects_;
  const std::vector<std::string> tags_;
  const std::string id_;
  const std::string inbox_;  // for what is asked for, and the server's answers
  const std::shared_ptr<Signals> signals_;

  mutable std::mutex lock_;  // guards down to left_; nothing else is locked meanwhile
  std::condition_variable_any changed_;
  WorkerMachine worker_;
  bool running_ = false;
  bool left_ = false;

  PostedLeases posted_;  // to the pool
  std::vector<Subscription> subscriptions_;
  pool::Pool pool_;
  std::vector<Subscription> pulled_;  // while there is a pool
};

}  // namespace artel::cluster::detail
