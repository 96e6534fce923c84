#pragma once

#include <string>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/task_registry.hpp"

namespace artel::cluster::detail {

/// Works on the chunk, if it needs no other tags than these. What goes wrong is in the result,
/// never thrown.
[[nodiscard]] ChunkResult run_chunk(const TaskRegistry& registry, const ChunkOrder& order,
                                    const std::vector<std::string>& tags = {});

}  // namespace artel::cluster::detail
