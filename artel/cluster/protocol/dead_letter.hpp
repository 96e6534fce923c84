#pragma once

#include <string>
#include <string_view>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// A chunk that was given up, in the stream of dead letters.
struct DeadLetter {
  std::string reason;  ///< why nobody tries it again, for people
  std::string worker;  ///< the last that had it, if known
  ChunkOrder order;
};

[[nodiscard]] std::string encode(const DeadLetter& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<DeadLetter> decode_dead_letter(std::string_view bytes);

}  // namespace artel::cluster
