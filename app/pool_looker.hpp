#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "artel/cluster/pool_status.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

/// Looks at a pool from a thread of its own, because the server may take its time, for a loop over
/// events.
class PoolLooker {
 public:
  /// A look every `pause`, as long as it lives. It ends when the last look has.
  PoolLooker(cluster::PoolLooks looks, Duration pause);
  ~PoolLooker() = default;
  PoolLooker(const PoolLooker&) = delete;
  PoolLooker& operator=(const PoolLooker&) = delete;

  /// Becomes readable with the next look.
  [[nodiscard]] int file() const { return news_.get(); }
  /// What was seen, and when.
  struct Seen {
    Instant at{};
    Result<cluster::PoolStatus> status;
  };
  /// The newest that was not taken; nothing: there is none.
  [[nodiscard]] std::optional<Seen> take();

 private:
  void run(const std::stop_token& stop, Duration pause);

  cluster::PoolLooks looks_;  // the thread's
  const file::OpenFile news_;
  std::mutex mutex_;  // guards `seen_`
  std::optional<Seen> seen_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last: it uses all others
};

}  // namespace artel::app
