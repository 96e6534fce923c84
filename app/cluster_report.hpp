#pragma once

#include <span>
#include <string>

#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/pool_status.hpp"

namespace artel::app {

/// For the terminal: what waits, and a line for each worker.
[[nodiscard]] std::string status_table(const cluster::PoolStatus& status);

/// The same as JSON, schema artel.cluster.status/1. Times in seconds.
[[nodiscard]] std::string status_json(const cluster::PoolStatus& status);

/// A line for each chunk that was given up.
[[nodiscard]] std::string dead_table(std::span<const cluster::GivenUpChunk> chunks);

/// The same as JSON, schema artel.cluster.dead/1.
[[nodiscard]] std::string dead_json(std::span<const cluster::GivenUpChunk> chunks);

}  // namespace artel::app
