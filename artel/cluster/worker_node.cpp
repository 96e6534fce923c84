#include "artel/cluster/worker_node.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/new_worker_id.hpp"
#include "artel/cluster/detail/worker_session.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

constexpr unsigned kThreadsMax = 4096;
constexpr auto kReconnectPause = std::chrono::seconds(1);

Result<void> check(const WorkerOptions& options) {
  if (options.threads > kThreadsMax) {
    return fail(ErrorCode::invalid,
                fmt::format("threads is {}; at most {}", options.threads, kThreadsMax));
  }
  for (const std::string& tag : options.tags) {
    if (!is_tag_name(tag)) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is no tag: letters, digits, '-._:'", tag));
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<WorkerNode>> WorkerNode::connect(const WorkerOptions& options) {
  if (auto checked = check(options); !checked) return fail(checked);
  std::unique_ptr<WorkerNode> node(new WorkerNode(options));
  if (auto connected = node->connect_session(); !connected) return fail(connected);
  return node;
}

WorkerNode::WorkerNode(const WorkerOptions& options)
    : options_(options), id_(detail::new_worker_id()) {}
WorkerNode::~WorkerNode() = default;

Result<void> WorkerNode::connect_session() {
  auto signals = std::make_shared<detail::WorkerSession::Signals>();
  const auto shut = [signals, tell = options_.on_problem](const Error& error) {
    if (tell) tell(error);
    if (error.code == ErrorCode::closed) signals->refused = true;
    signals->shut = true;
  };
  auto connection =
      Connection::connect(options_.cluster, {.restored = [signals] { signals->restored = true; },
                                             .problem = options_.on_problem,
                                             .shut = shut});
  if (!connection) return fail(connection);
  const unsigned threads =
      options_.threads > 0 ? options_.threads : std::min(usable_cpus(), kThreadsMax);
  auto made = std::make_shared<detail::WorkerSession>(options_, std::move(*connection), threads,
                                                      std::move(signals), id_);
  if (auto opened = made->open(); !opened) return opened;
  const std::lock_guard guard(lock_);
  session_.swap(made);
  return {};
}

// False: it is not to, or cannot.
bool WorkerNode::connect_again(const std::stop_token& stop) {
  std::mutex pause;
  std::condition_variable_any changed;
  while (!stop.stop_requested()) {
    std::unique_lock guard(pause);
    changed.wait_for(guard, stop, kReconnectPause, [] { return false; });
    if (stop.stop_requested()) break;
    const auto connected = connect_session();
    if (connected) return true;
    if (options_.on_problem) options_.on_problem(connected.error());
    if (connected.error().code == ErrorCode::invalid) return false;
  }
  return false;
}

std::shared_ptr<detail::WorkerSession> WorkerNode::session() const {
  const std::lock_guard guard(lock_);
  return session_;
}

const std::string& WorkerNode::id() const { return id_; }
bool WorkerNode::shut() const { return session()->shut(); }
std::string WorkerNode::server_remark() const { return session()->server_remark(); }
WorkerReport WorkerNode::report() const { return session()->report(); }
void WorkerNode::hand_back_all() { session()->hand_back_all(); }

WorkerReport WorkerNode::run(const std::stop_token& stop) {
  while (true) {
    const auto current = session();
    WorkerReport last = current->run(stop);
    if (stop.stop_requested() || current->refused() || !connect_again(stop)) return last;
  }
}

Result<WorkerReport> serve(const WorkerOptions& options, const std::stop_token& stop) {
  auto node = WorkerNode::connect(options);
  if (!node) return fail(node);
  return (*node)->run(stop);
}

}  // namespace artel::cluster
