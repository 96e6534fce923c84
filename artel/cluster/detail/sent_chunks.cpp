#include "artel/cluster/detail/sent_chunks.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "artel/cluster/chunk_order.hpp"

namespace artel::cluster::detail {

const SentChunks::SentChunk* SentChunks::find(std::uint64_t index) const {
  const auto at = chunks_.find(index);
  return at == chunks_.end() ? nullptr : &at->second;
}

std::vector<std::uint64_t> SentChunks::indices() const {
  std::vector<std::uint64_t> all;
  all.reserve(chunks_.size());
  for (const auto& [index, chunk] : chunks_) all.push_back(index);
  return all;
}

std::shared_ptr<const ChunkOrder> SentChunks::copy(std::uint64_t index, std::uint32_t epoch) {
  const auto at = chunks_.find(index);
  if (at == chunks_.end()) return nullptr;
  ChunkOrder next = *at->second.order;
  next.epoch = epoch;
  return at->second.order = std::make_shared<const ChunkOrder>(std::move(next));
}

bool SentChunks::left_worker(std::uint64_t index) {
  const auto at = chunks_.find(index);
  if (at == chunks_.end()) return false;
  at->second.worker.clear();
  return true;
}

std::optional<unsigned> SentChunks::refused(std::uint64_t index) {
  const auto at = chunks_.find(index);
  if (at == chunks_.end()) return std::nullopt;
  return ++at->second.refusals;
}

}  // namespace artel::cluster::detail
