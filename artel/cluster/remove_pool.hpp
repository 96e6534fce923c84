#pragma once

#include <cstdint>
#include <string>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// What was at the server of a pool, and is gone.
struct RemovedPool {
  std::uint64_t chunks = 0;        ///< that waited, or were at workers
  std::uint64_t dead_letters = 0;  ///< and what else the server had given up
};

/// What becomes of chunks and dead letters in a pool that is to be removed.
enum class WhatWaits : std::uint8_t {
  keep,    ///< a pool where anything waits for a master, or dead letters lie, is left as it is
  remove,  ///< with the rest
};

/// Removes the chunks of masters that are gone: nobody waits for their results. Returns how many.
/// To know that a master is gone takes the right to publish to its inbox, which the role `master`
/// has; without it nothing is removed. Errors: the connection's.
[[nodiscard]] Result<std::uint64_t> remove_unwanted_chunks(const ClusterOptions& options);

/// Removes all that the server keeps of a pool: its streams, and what is in them. Masters and
/// workers that are there make and find it anew.
/// Errors: not_found: there is no such pool; full: something is in it, with WhatWaits::keep; the
///         connection's.
[[nodiscard]] Result<RemovedPool> remove_pool(const Connection& connection, const std::string& pool,
                                              WhatWaits what_waits = WhatWaits::keep);

}  // namespace artel::cluster
