#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// What is done with the items of a chunk.
enum class ChunkKind : std::uint8_t {
  map,      ///< a result for each; stops at the first that fails
  collect,  ///< a result or a failure for each
  each,     ///< no results; stops at the first that fails
  fold,     ///< one result; stops at the first that fails
};

/// Master to worker, `mr.<pool>.t.s.<job>.<index>`, or through the worker's own queue,
/// `mr.<pool>.t.w.<wid>.<job>.<index>`: work on these items.
struct ChunkOrder {
  std::string job;
  std::uint64_t index = 0;  ///< of the chunk in the job
  std::uint32_t epoch = 0;  ///< how often it was issued before
  std::string reply;        ///< subject for the ChunkResult
  Duration lease{};         ///< a worker that does not renew it within this time loses the chunk
  std::uint32_t tries = 1;  ///< deliveries of this copy: a failure of the last one counts
  ChunkKind kind{};
  std::optional<TaskKey> map;      ///< applied to every item; nothing: items are folded as they are
  std::optional<TaskKey> fold;     ///< if kind is fold
  std::vector<std::string> needs;  ///< tags that a worker must have
  std::uint32_t retries = 0;       ///< so often an item is tried again on the spot
  std::uint64_t first = 0;         ///< index of the first item in the job
  std::uint32_t count = 0;         ///< items
  std::uint64_t sent_s = 0;        ///< when its master made it, in seconds since 1970
  std::string items_from;          ///< subject where the rest is asked for; empty: it is all here
  std::string init;                ///< what folding begins with, encoded
  std::string items;               ///< encoded, one after the other

  /// Not part of the message: the message as it came, with its master's seal. Empty: it is our own.
  std::string sealed;

  static constexpr std::uint32_t kRetriesMax = 10'000;  ///< of `retries`
};

/// As msgpack; decoders of every message are beside it.
[[nodiscard]] std::string encode(const ChunkOrder& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<ChunkOrder> decode_chunk_order(std::string_view bytes);

}  // namespace artel::cluster
