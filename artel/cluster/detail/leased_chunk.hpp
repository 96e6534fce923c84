#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// A chunk that a worker has in hand, from its delivery until the server has been told what became
/// of it. A chunk that is let go without a word is delivered again when its lease has ended.
///
/// Threads: all members are safe from any thread.
class LeasedChunk {
 public:
  /// Requires: a message of the pool's queue, and the order in it.
  LeasedChunk(const Connection& connection, Message message, ChunkOrder order);

  [[nodiscard]] const ChunkOrder& order() const { return order_; }
  /// How often this copy has been delivered, this time included.
  [[nodiscard]] std::uint32_t delivery() const { return delivery_; }
  [[nodiscard]] HeldChunk report(Instant now) const;

  /// Work on it begins. False: it has been handed back already.
  bool begin(Instant now);
  /// Asks for another lease, unless the server has been told already.
  void renew();
  /// It is done, or never will be: nobody else gets it.
  void acknowledge();
  /// It failed for good: as acknowledge(), and the server says so to whoever watches.
  void give_up();
  /// Somebody else is to have it, at once or later.
  void hand_back(Duration delay = {});
  /// Hands it back if nobody works on it yet.
  bool hand_back_unless_begun();

 private:
  bool settle(const std::string& what);

  const Connection& connection_;
  const ChunkOrder order_;
  std::uint32_t delivery_ = 1;

  mutable std::mutex lock_;
  const Message message_;
  std::optional<Instant> begun_;
  bool settled_ = false;
};

}  // namespace artel::cluster::detail
