#include "artel/cluster/worker_node.hpp"

#include <fmt/core.h>

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/worker_session.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

constexpr unsigned kThreadsMax = 4096;

}  // namespace

Result<std::unique_ptr<WorkerNode>> WorkerNode::connect(const WorkerOptions& options) {
  const unsigned threads = options.threads > 0 ? options.threads : usable_cpus();
  if (threads > kThreadsMax) {
    return fail(ErrorCode::invalid, fmt::format("threads is {}; at most {}", threads, kThreadsMax));
  }
  for (const std::string& tag : options.tags) {
    if (!is_tag_name(tag)) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is no tag: letters, digits, '-._:'", tag));
    }
  }
  auto signals = std::make_shared<detail::WorkerSession::Signals>();
  const auto shut = [signals, tell = options.on_problem](const Error& error) {
    if (tell) tell(error);
    signals->shut = true;
  };
  auto connection =
      Connection::connect(options.cluster, {.restored = [signals] { signals->restored = true; },
                                            .problem = options.on_problem,
                                            .shut = shut});
  if (!connection) return fail(connection);
  auto session = std::make_unique<detail::WorkerSession>(options, std::move(*connection), threads,
                                                         std::move(signals));
  if (auto opened = session->open(); !opened) return fail(opened);
  return std::unique_ptr<WorkerNode>(new WorkerNode(std::move(session)));
}

WorkerNode::WorkerNode(std::unique_ptr<detail::WorkerSession> session)
    : session_(std::move(session)) {}
WorkerNode::~WorkerNode() = default;

const std::string& WorkerNode::id() const { return session_->id(); }
bool WorkerNode::shut() const { return session_->shut(); }
std::string WorkerNode::server_remark() const { return session_->server_remark(); }
WorkerReport WorkerNode::report() const { return session_->report(); }
WorkerReport WorkerNode::run(const std::stop_token& stop) { return session_->run(stop); }
void WorkerNode::hand_back_all() { session_->hand_back_all(); }

Result<WorkerReport> serve(const WorkerOptions& options, const std::stop_token& stop) {
  auto node = WorkerNode::connect(options);
  if (!node) return fail(node);
  return (*node)->run(stop);
}

}  // namespace artel::cluster
