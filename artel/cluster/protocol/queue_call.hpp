#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// Master to all workers, on `mr.<pool>.who`, when it uses a queue that some of them do not pull
/// from: whoever knows these tasks is to. An empty message there asks everybody to report.
struct QueueCall {
  std::string queue;           ///< its consumer; empty: every worker has one of its own
  std::vector<TaskKey> tasks;  ///< all of them
};

[[nodiscard]] std::string encode(const QueueCall& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<QueueCall> decode_queue_call(std::string_view bytes);

}  // namespace artel::cluster
