#pragma once

#include <cstddef>
#include <string>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster::detail {

/// The result encoded; one of more bytes than `limit` becomes a failure that says so, for it would
/// be as large anywhere.
[[nodiscard]] std::string encode_within(std::size_t limit, const ChunkOrder& order,
                                        ChunkResult& result);

}  // namespace artel::cluster::detail
