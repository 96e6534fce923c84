#pragma once

#include <string>
#include <string_view>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// A chunk that was given up, in the stream of dead letters.
///
/// What travels of the order is ChunkOrder::sealed alone: its bytes with the seal of the master
/// that made it, which nobody else can put under another order.
struct DeadLetter {
  std::string reason;  ///< why it was given up, for people
  std::string worker;  ///< the last that had it, if known
  ChunkOrder order;    ///< a decoded letter has only `sealed`
};

[[nodiscard]] std::string encode(const DeadLetter& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<DeadLetter> decode_dead_letter(std::string_view bytes);

}  // namespace artel::cluster
