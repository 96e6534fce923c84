#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// What became of the chunks of one job, for its master: which are out, which results count, which
/// chunks have to be looked for, or issued again.
///
/// A chunk is out from issued() until its first result. Whatever gets lost, doubled or reordered
/// on the way:
///  B1  arrived() says `first` exactly once for every chunk issued, if any result of it comes.
///  B2  A chunk that is out is due to be looked for at some time, always.
///  B3  Epochs of a chunk's copies are all different.
/// Cost:    O(log n) of the chunks out; memory for these only.
/// Threads: one at a time; no clock, no network: `now` comes from outside.
class OutstandingChunks {
 public:
  struct Rules {
    Duration patience{};         ///< without news for so long: due
    double speculation = 0;      ///< times the usual response time; 0: never
    Duration speculation_min{};  ///< but at least so long
  };
  enum class ResultKind : std::uint8_t { first, duplicate };

  /// A chunk that is out.
  struct Chunk {
    std::shared_ptr<const ChunkOrder> order{};  ///< as it was sent last
    std::string worker{};                       ///< in whose queue; empty: in the shared one
    std::vector<std::uint64_t> stored{};        ///< messages with copies, as the server has told
    bool unacknowledged = false;                ///< its queue is gone: nobody can acknowledge it
    unsigned refusals = 0;
    std::uint32_t epoch = 0;
    bool speculated = false;
    bool held_back = false;  ///< no copy is to be made of it because it seems slow
    Instant issued{};
    Instant sent{};  ///< the last copy
    Instant due{};

    void add_copy(std::uint64_t number) {
      if (std::ranges::find(stored, number) == stored.end()) stored.push_back(number);
    }
  };

  explicit OutstandingChunks(Rules rules) : rules_(rules) {}

  /// A chunk has been sent for the first time.
  /// Requires: an index that was not issued before.
  void issued(std::uint64_t index, Instant now, std::shared_ptr<const ChunkOrder> order = {},
              std::string worker = {});
  /// A result came, or the chunk was given up: it is not out any more.
  ResultKind arrived(std::uint64_t index, Instant now);
  /// Somebody has it, or it waits at the server.
  void seen(std::uint64_t index, Instant now);
  /// Sending it failed: due after a short pause.
  void not_sent(std::uint64_t index, Instant now);
  /// Messages may have been lost: every chunk is due after a short pause.
  void doubt_all(Instant now);

  /// Chunks that nobody has mentioned for too long, at most so many; counted as seen now.
  [[nodiscard]] std::vector<std::uint64_t> due(Instant now, std::size_t most);
  /// It was lost: the epoch of its next copy. Nothing: it is not out.
  [[nodiscard]] std::optional<std::uint32_t> reissue(std::uint64_t index, Instant now);
  /// The chunk that has been out for longest, if that is far longer than usual, and the epoch of
  /// its copy. Every chunk once.
  struct Copy {
    std::uint64_t index = 0;
    std::uint32_t epoch = 0;
  };
  [[nodiscard]] std::optional<Copy> speculate(Instant now);

  /// Null: it is not out.
  [[nodiscard]] Chunk* find(std::uint64_t index);
  [[nodiscard]] const Chunk* find(std::uint64_t index) const;
  [[nodiscard]] std::vector<std::uint64_t> indices() const;
  [[nodiscard]] bool is_out(std::uint64_t index) const { return out_.contains(index); }
  [[nodiscard]] std::size_t out() const { return out_.size(); }
  [[nodiscard]] const ChunkCounts& counts() const { return counts_; }

  /// The pause after which a chunk that could not be sent is tried again.
  static constexpr Duration kPause = std::chrono::milliseconds(100);

 private:
  Rules rules_;
  std::map<std::uint64_t, Chunk> out_;
  ChunkCounts counts_;
  double response_ns_ = 0;  // mean of the recent ones, from issue to result
};

}  // namespace artel::cluster::detail
