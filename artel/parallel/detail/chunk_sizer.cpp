#include "artel/parallel/detail/chunk_sizer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::parallel::detail {
namespace {

constexpr std::size_t kGrowth = 16;
constexpr double kMemory = 0.5;       // what the past counts against the chunk that just ended
constexpr double kItemNsMin = 0.01;   // shorter than anything a processor does
constexpr std::uint64_t kRounds = 2;  // chunks per worker in which the rest would be done

}  // namespace

std::size_t ChunkSizer::next(std::optional<std::uint64_t> left) const {
  if (limits_.fixed > 0) return limits_.fixed;
  if (items_ <= 0) return 1;
  const double item_ns = std::max(time_ns_ / items_, kItemNsMin);
  const auto items_in = [item_ns](Duration time) {
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(static_cast<double>(time.count()) / item_ns));
  };
  std::size_t size = std::min({items_in(limits_.target), largest_ * kGrowth, limits_.most});
  if (limits_.bytes > 0 && item_bytes_ > 0) {
    const double fit = static_cast<double>(limits_.bytes) / item_bytes_;
    if (fit < static_cast<double>(size)) size = static_cast<std::size_t>(fit);
  }
  if (left) {
    const std::uint64_t share = *left / (kRounds * limits_.width) + 1;
    size = std::min<std::size_t>(
        size, std::max<std::uint64_t>(share, items_in(limits_.target / kLastShare)));
  }
  return std::max<std::size_t>(size, 1);
}

void ChunkSizer::record(std::size_t items, Duration time) {
  largest_ = std::max(largest_, items);
  items_ = items_ * kMemory + static_cast<double>(items);
  time_ns_ = time_ns_ * kMemory + static_cast<double>(time.count());
}

void ChunkSizer::weigh(std::size_t items, std::size_t bytes) {
  if (items == 0) return;
  item_bytes_ = std::max(item_bytes_, static_cast<double>(bytes) / static_cast<double>(items));
}

}  // namespace artel::parallel::detail
