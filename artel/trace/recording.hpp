#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::trace {

/// How much a recorder holds back, and for how long.
struct RecorderOptions {
  /// For tasks that are not yet in the file, but at least 32 KB per lane; what does not fit is
  /// dropped and counted.
  std::size_t memory_bytes = std::size_t{16} << 20U;
  /// A task is in the file so long after its end, at most (unless the disk is slower).
  Duration flush_every = std::chrono::seconds(1);
};

/// How a recording went, or goes.
struct Recording {
  std::uint64_t tasks = 0;    ///< in the file
  std::uint64_t dropped = 0;  ///< had no room
  std::uint64_t bytes = 0;    ///< of the file
  /// Why writing stopped (disk full); all that ends later is dropped. Never in what stop() gives.
  std::optional<Error> failure{};
};

}  // namespace artel::trace
