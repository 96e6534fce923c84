#include "artel/cluster/worker_node.hpp"

#include <fmt/core.h>

#include <atomic>
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
  auto restored = std::make_shared<std::atomic<bool>>(false);
  auto connection = Connection::connect(
      options.cluster,
      {.restored = [restored] { *restored = true; }, .problem = options.on_problem});
  if (!connection) return fail(connection);
  auto session = std::make_unique<detail::WorkerSession>(options, std::move(*connection), threads,
                                                         std::move(restored));
  if (auto opened = session->open(); !opened) return fail(opened);
  return std::unique_ptr<WorkerNode>(new WorkerNode(std::move(session)));
}

WorkerNode::WorkerNode(std::unique_ptr<detail::WorkerSession> session)
    : session_(std::move(session)) {}
WorkerNode::~WorkerNode() = default;

const std::string& WorkerNode::id() const { return session_->id(); }
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
