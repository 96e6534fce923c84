#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// How a try to work on a chunk ended.
enum class ChunkOutcome : std::uint8_t {
  done,     ///< every item has its result
  failed,   ///< an item's function threw, as often as it may
  refused,  ///< this worker cannot do it: unknown task, other version, unreadable
};

/// An item whose function threw, or why a worker refuses.
struct RemoteProblem {
  std::uint64_t item = 0;      ///< index in the job
  std::uint32_t attempts = 0;  ///< calls of the function for this item
  std::string type;            ///< of the exception, as its author wrote it
  std::string what;            ///< its text, or the reason
};

/// Worker to master, to ChunkOrder::reply.
struct ChunkResult {
  std::string job;  ///< id of the ChunkOrder's job, as `index` and `epoch` are the order's, too
  std::uint64_t index = 0;
  std::uint32_t epoch = 0;
  std::uint32_t delivery = 0;  ///< 1: it was the first worker to get this copy
  std::string worker;
  ChunkOutcome outcome{};
  Duration worked{};  ///< in the function, decoding and encoding included
  std::uint32_t count = 0;
  std::string output;                   ///< encoded: `count` results, or outcomes, or the sum
  std::vector<RemoteProblem> problems;  ///< the last is why the chunk ended early, unless done
};

[[nodiscard]] std::string encode(const ChunkResult& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<ChunkResult> decode_chunk_result(std::string_view bytes);

}  // namespace artel::cluster
