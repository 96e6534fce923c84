#pragma once

#include <nats/nats.h>

#include <string>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// The streams of a pool: what waits, and dead letters. Both have limits.
/// Threads: all members are safe from any thread; they wait for the server's answer.
class PoolStreams {
 public:
  /// All of these must outlive it.
  PoolStreams(const Connection& connection, const Subjects& subjects, const QueueOptions& options)
      : connection_(connection), subjects_(subjects), options_(options) {}

  /// Makes them if they are not there. A limit in bytes beyond what the server has room for is left
  /// out, as that is one as well. Errors: no permission; the connection's.
  [[nodiscard]] Result<void> make() const;
  /// What of the settings that hold is not as asked for: "… storage is memory, not file".
  [[nodiscard]] Result<std::vector<std::string>> differences() const;

 private:
  [[nodiscard]] Result<void> add(jsStreamConfig& config) const;

  const Connection& connection_;
  const Subjects& subjects_;
  const QueueOptions& options_;
};

}  // namespace artel::cluster::detail
