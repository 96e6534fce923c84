#include "artel/cluster/detail/encode_within.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster::detail {

std::string encode_within(std::size_t limit, const ChunkOrder& order, ChunkResult& result) {
  std::string bytes = encode(result);
  if (bytes.size() <= limit) return bytes;
  result.outcome = ChunkOutcome::failed;
  result.output.clear();
  result.count = 0;
  result.problems = {{order.first, 1, "",
                      fmt::format("the results have {} bytes, {} are the most: use smaller chunks "
                                  "(MapOptions::chunk)",
                                  bytes.size(), limit)}};
  return encode(result);
}

}  // namespace artel::cluster::detail
