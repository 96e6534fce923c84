#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// Orders that are larger than a message of the server. What goes into the queue says where to ask
/// for the rest (ChunkOrder::items_from); the master keeps that, and answers the workers who ask, a
/// piece at a time.
///
/// A request is bytes_of(index), bytes_of(number of the piece) and the job; an answer is
/// bytes_of(count of the pieces) and the piece, or nothing: the chunk is not out any more.
/// Threads: all members are safe from any thread.
class LargeOrders {
 public:
  /// Keeps the bytes as long as the order lives, in the place of older ones of that chunk.
  void keep(const std::shared_ptr<const ChunkOrder>& order, std::string bytes);
  /// With pieces of `room` bytes at most.
  [[nodiscard]] std::string answer(std::string_view request, std::size_t room);

 private:
  struct KeptOrder {
    std::weak_ptr<const ChunkOrder> order;
    std::string bytes;
  };

  std::mutex lock_;
  std::map<ChunkAddress, KeptOrder> kept_;
};

/// All of an order whose items are elsewhere. Waits for its master.
/// Errors: the connection's; not_found: the master does not answer, or wants it no more; those of
///         MessageSeal::open() and decode_chunk_order(); too_large.
[[nodiscard]] Result<ChunkOrder> fetch_order(const Connection& connection, const ChunkOrder& order);

}  // namespace artel::cluster::detail
