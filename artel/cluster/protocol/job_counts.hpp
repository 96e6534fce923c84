#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::cluster {

/// What became of the chunks of a map or reduce.
struct ChunkCounts {
  std::uint64_t issued = 0;      ///< chunks
  std::uint64_t done = 0;        ///< chunks with a result that counted
  std::uint64_t duplicates = 0;  ///< results of chunks that had one already
  std::uint64_t reissued = 0;    ///< copies, because the one before was lost
  std::uint64_t speculated = 0;  ///< copies, because the one before was slow
};

/// What became of one map or reduce on a cluster, or of several.
struct JobCounts {
  ChunkCounts chunks;
  std::uint64_t refused = 0;  ///< answers of workers that cannot do it
  std::uint64_t suspect = 0;  ///< chunks that were given up once, and tried again
  std::uint64_t dead = 0;     ///< chunks that were given up for good
  std::uint64_t resumed = 0;  ///< chunks whose result was in the journal
  std::uint64_t forged = 0;   ///< results and reports that nobody trusted had signed: dropped
  std::size_t out_max = 0;    ///< most chunks that were out at once
};

}  // namespace artel::cluster
