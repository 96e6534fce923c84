#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// The items of a chunk on their way through a task's function.
struct ItemRun {
  Decoder items;
  ChunkKind kind{};
  std::uint64_t first = 0;    ///< index of the first item in the job
  std::uint32_t count = 0;    ///< items
  std::uint32_t retries = 0;  ///< of an item, on the spot

  std::string output;                   ///< encoded so far
  std::uint32_t done = 0;               ///< items in `output`
  std::vector<RemoteProblem> problems;  ///< of items whose function threw; with `unreadable`, one
  bool unreadable = false;  ///< items or seed are not what the function takes; see problems

  /// What the current exception says about item `i` of the chunk.
  void note_failure(std::uint32_t i, std::uint32_t attempts);
  /// What is wrong with item `i`, or with the seed.
  void note_unreadable(std::uint32_t i, const Error& error);
};

}  // namespace artel::cluster
