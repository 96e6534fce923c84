#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/chunk_order.hpp"

namespace artel::cluster::detail {

/// The orders of a job's chunks that are out, as they were sent last, and where to.
///
/// Threads: one at a time.
class SentChunks {
 public:
  struct SentChunk {
    std::shared_ptr<const ChunkOrder> order;
    std::uint64_t fingerprint = 0;  ///< if there is a journal
    std::string worker;             ///< in whose queue; empty: in the shared one
    unsigned refusals = 0;
  };

  void add(std::uint64_t index, SentChunk chunk) { chunks_[index] = std::move(chunk); }
  void erase(std::uint64_t index) { chunks_.erase(index); }
  void clear() { chunks_.clear(); }

  /// Null: it is not out.
  [[nodiscard]] const SentChunk* find(std::uint64_t index) const;
  [[nodiscard]] std::vector<std::uint64_t> indices() const;

  /// The order of its next copy; null: it is not out.
  [[nodiscard]] std::shared_ptr<const ChunkOrder> copy(std::uint64_t index, std::uint32_t epoch);
  /// It is not in a worker's own queue any more. False: it is not out.
  bool left_worker(std::uint64_t index);
  /// A worker cannot do it. How often that was said; nothing: it is not out.
  std::optional<unsigned> refused(std::uint64_t index);

 private:
  std::map<std::uint64_t, SentChunk> chunks_;
};

}  // namespace artel::cluster::detail
