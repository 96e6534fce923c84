#pragma once

#include <string>

#include "artel/cluster/status.hpp"

namespace artel::app {

/// For the terminal: what waits, and a line for each worker.
[[nodiscard]] std::string status_table(const cluster::PoolStatus& status);

/// The same as JSON, schema artel.cluster.status/1. Times in seconds.
[[nodiscard]] std::string status_json(const cluster::PoolStatus& status);

}  // namespace artel::app
