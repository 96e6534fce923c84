#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/worker_options.hpp"  // IWYU pragma: export
#include "artel/core/error.hpp"

namespace artel::cluster {

namespace detail {
class WorkerSession;
}

/// A worker of a cluster: pulls as many chunks as it has threads, and one more, runs them, and
/// sends each result straight to the master that asked. Of chunks that take less than a
/// millisecond it has more in hand, up to 16 besides those in work.
///
/// Beside the queue that all share it has one of its own, if a master with a dispatch policy says
/// so; that one is never asked to wait.
///
/// The pool's queue need not be there yet; a server that is gone is waited for. Leases of chunks in
/// hand are renewed as long as the process lives. A function that throws ends its chunk's try, not
/// the worker.
/// Cost: memory of the chunks in hand and of their results until they are sent.
/// Threads: all members are safe from any thread, run() once.
class WorkerNode {
 public:
  /// Errors: as Connection::connect(); threads out of range.
  [[nodiscard]] static Result<std::unique_ptr<WorkerNode>> connect(const WorkerOptions& options);
  WorkerNode(const WorkerNode&) = delete;
  WorkerNode& operator=(const WorkerNode&) = delete;
  ~WorkerNode();

  /// Works until asked to stop, or until the server has refused it for good: shut(). Then hands
  /// back what has not begun, finishes what has, says goodbye, and returns its last report. When
  /// the server has ended the connection for another reason, it finishes what has begun and
  /// connects again, as often as that takes; its counters begin again with that.
  WorkerReport run(const std::stop_token& stop);
  /// Hands everything back, what is being worked on too: for a process that ends at once.
  void hand_back_all();

  /// What it tells masters of itself now.
  [[nodiscard]] WorkerReport report() const;
  /// WorkerReport::worker.
  [[nodiscard]] const std::string& id() const;
  /// Whether the connection is closed and will not come back: the server does not know these
  /// credentials any more.
  [[nodiscard]] bool shut() const;
  /// What a person should know of the server's version. Asks it. Empty: nothing.
  [[nodiscard]] std::string server_remark() const;

 private:
  explicit WorkerNode(const WorkerOptions& options);
  [[nodiscard]] Result<void> connect_session();
  [[nodiscard]] bool connect_again(const std::stop_token& stop);
  [[nodiscard]] std::shared_ptr<detail::WorkerSession> session() const;

  const WorkerOptions options_;
  const std::string id_;
  mutable std::mutex lock_;  // guards what follows
  std::shared_ptr<detail::WorkerSession> session_;
};

/// Connects a WorkerNode and runs it. Errors: as WorkerNode::connect().
[[nodiscard]] Result<WorkerReport> serve(const WorkerOptions& options, const std::stop_token& stop);

}  // namespace artel::cluster
