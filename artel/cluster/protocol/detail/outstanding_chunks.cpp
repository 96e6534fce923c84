#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::cluster::detail {
namespace {

constexpr double kMemory = 0.9;  // what the past counts against the latest response time

}  // namespace

void OutstandingChunks::issued(std::uint64_t index, Instant now,
                               std::shared_ptr<const ChunkOrder> order, std::string worker) {
  const bool fresh = out_.emplace(index, Chunk{.order = std::move(order),
                                               .worker = std::move(worker),
                                               .issued = now,
                                               .sent = now,
                                               .due = later(now, rules_.patience)})
                         .second;
  ARTEL_REQUIRE(fresh, "a chunk is issued once", index);
  ++counts_.issued;
}

OutstandingChunks::ResultKind OutstandingChunks::arrived(std::uint64_t index, Instant now) {
  const auto at = out_.find(index);
  if (at == out_.end()) {
    ++counts_.duplicates;
    return ResultKind::duplicate;
  }
  const auto response = static_cast<double>((now - at->second.issued).count());
  response_ns_ = counts_.done == 0 ? response : kMemory * response_ns_ + (1 - kMemory) * response;
  ++counts_.done;
  out_.erase(at);
  return ResultKind::first;
}

void OutstandingChunks::seen(std::uint64_t index, Instant now) {
  const auto at = out_.find(index);
  if (at != out_.end()) at->second.due = later(now, rules_.patience);
}

void OutstandingChunks::not_sent(std::uint64_t index, Instant now) {
  const auto at = out_.find(index);
  if (at != out_.end()) at->second.due = later(now, kPause);
}

void OutstandingChunks::doubt_all(Instant now) {
  for (auto& [index, chunk] : out_) chunk.due = std::min(chunk.due, later(now, kPause));
}

std::vector<std::uint64_t> OutstandingChunks::due(Instant now, std::size_t most) {
  std::vector<std::uint64_t> found;
  for (auto& [index, chunk] : out_) {
    if (found.size() == most) break;
    if (chunk.due > now) continue;
    chunk.due = later(now, rules_.patience);
    found.push_back(index);
  }
  return found;
}

std::optional<std::uint32_t> OutstandingChunks::reissue(std::uint64_t index, Instant now) {
  const auto at = out_.find(index);
  if (at == out_.end()) return std::nullopt;
  at->second.sent = now;
  at->second.due = later(now, rules_.patience);
  ++counts_.reissued;
  return ++at->second.epoch;
}

std::optional<OutstandingChunks::Copy> OutstandingChunks::speculate(Instant now) {
  if (rules_.speculation <= 0 || counts_.done == 0) return std::nullopt;
  const auto limit = std::max(
      rules_.speculation_min,
      Duration(static_cast<Duration::rep>(std::min(rules_.speculation * response_ns_, 1e18))));
  auto longest = out_.end();
  for (auto at = out_.begin(); at != out_.end(); ++at) {
    if (at->second.speculated || at->second.held_back) continue;
    if (now - at->second.issued <= limit) continue;
    if (longest == out_.end() || at->second.issued < longest->second.issued) longest = at;
  }
  if (longest == out_.end()) return std::nullopt;
  longest->second.speculated = true;
  longest->second.sent = now;
  ++counts_.speculated;
  return Copy{longest->first, ++longest->second.epoch};
}

OutstandingChunks::Chunk* OutstandingChunks::find(std::uint64_t index) {
  const auto at = out_.find(index);
  return at == out_.end() ? nullptr : &at->second;
}

const OutstandingChunks::Chunk* OutstandingChunks::find(std::uint64_t index) const {
  const auto at = out_.find(index);
  return at == out_.end() ? nullptr : &at->second;
}

std::vector<std::uint64_t> OutstandingChunks::indices() const {
  std::vector<std::uint64_t> all;
  all.reserve(out_.size());
  for (const auto& [index, chunk] : out_) all.push_back(index);
  return all;
}

}  // namespace artel::cluster::detail
