#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::scenario {

/// What each row of a trace begins with, in blocks: equal keys are equal beginnings.
struct PrefixRows {
  std::vector<std::uint64_t> keys;    ///< of all blocks, row by row
  std::vector<std::size_t> ends;      ///< by row: where its keys end
  std::vector<std::uint32_t> tokens;  ///< by row: what its blocks hold; empty: block_tokens each
  std::uint32_t block_tokens = 1;     ///< what a block holds, but for a row's last one

  [[nodiscard]] bool empty() const { return ends.empty(); }
  /// The keys of a row.
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : ends[row - 1];
    return std::span(keys).subspan(begin, ends[row] - begin);
  }
  /// What the first so many blocks of a row hold. Requires: it has as many.
  [[nodiscard]] std::uint64_t tokens_of(std::size_t row, std::size_t blocks) const {
    const std::uint64_t full = std::uint64_t{block_tokens} * blocks;
    return tokens.empty() ? full : std::min<std::uint64_t>(full, tokens[row]);
  }
};

/// The rows of a trace, at the pace they were recorded; shared by all points of a study.
struct WorkloadTrace {
  std::vector<Instant> arrivals;       ///< since the first row; ascending; empty when not asked for
  std::vector<Duration> services;      ///< at speed 1, one per row; empty when not asked for
  std::vector<Duration> joins;         ///< BatchSettings::per_join, one per row; likewise
  std::vector<Duration> saves;         ///< CacheSettings::saves, one per row; likewise
  PrefixRows prefixes;                 ///< what pool.cache goes by; likewise
  std::vector<std::uint32_t> classes;  ///< numbers of TaskClass, one per row; likewise
  std::vector<Duration> patience;      ///< Workload::patience, one per row; kForever: it has no end
  std::vector<Duration> hints;         ///< what dispatchers are told of the service; empty: no more
                                       ///< than Workload::hint_error says
};

}  // namespace artel::scenario
