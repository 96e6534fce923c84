#include "artel/cluster/protocol/detail/chunks_ahead.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

constexpr Duration kAhead = std::chrono::milliseconds(1);
constexpr Duration kBrief = std::chrono::microseconds(50);
constexpr int kMeanOf = 8;  // chunks, about: how fast the mean of their times follows

}  // namespace

void ChunksAhead::note_work(Duration worked) {
  mean_work_ += mean_work_ == Duration{} ? worked : (worked - mean_work_) / kMeanOf;
  const auto chunks = kAhead * threads_ / std::max(mean_work_, Duration(1));
  ahead_ = static_cast<std::size_t>(
      std::clamp<std::int64_t>(chunks, 1, static_cast<std::int64_t>(kMost)));
}

bool ChunksAhead::is_brief() const { return mean_work_ < kBrief; }

}  // namespace artel::cluster::detail
