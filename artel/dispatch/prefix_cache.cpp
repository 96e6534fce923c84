#include "artel/dispatch/prefix_cache.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "artel/core/require.hpp"

namespace artel::dispatch {
namespace {

constexpr std::size_t kPlacesMin = 16;

unsigned shift_of(std::size_t places) {
  return 64U - static_cast<unsigned>(std::countr_zero(places));
}

}  // namespace

PrefixCache::PrefixCache(std::uint32_t blocks)
    : capacity_(blocks), shift_(shift_of(kPlacesMin)), table_(kPlacesMin, kFree) {
  ARTEL_REQUIRE(blocks >= 1, "a cache has room for one block at least");
}

void PrefixCache::use(std::span<const std::uint64_t> prefix) {
  for (const auto key : prefix) {
    const auto block = table_[place_of(key)];
    if (block == kFree) {
      add(key);
    } else {
      renew(block);
    }
  }
}

void PrefixCache::clear() {
  blocks_.clear();
  table_.assign(kPlacesMin, kFree);
  shift_ = shift_of(kPlacesMin);
}

// A key that is not there.
void PrefixCache::add(std::uint64_t key) {
  if (blocks_.size() < capacity_) {
    if (2 * (blocks_.size() + 1) > table_.size()) grow();
    const auto block = static_cast<std::uint32_t>(blocks_.size());
    blocks_.push_back({.key = key, .older = block, .newer = block});
    table_[place_of(key)] = block;
    if (block > 0) link_newest(block);
    newest_ = block;
    return;
  }
  const auto block = blocks_[newest_].newer;  // around: the oldest
  erase(place_of(blocks_[block].key));
  blocks_[block].key = key;
  table_[place_of(key)] = block;
  newest_ = block;
}

void PrefixCache::renew(std::uint32_t block) {
  if (block == newest_) return;
  unlink(block);
  link_newest(block);
  newest_ = block;
}

void PrefixCache::unlink(std::uint32_t block) {
  const auto& gone = blocks_[block];
  blocks_[gone.older].newer = gone.newer;
  blocks_[gone.newer].older = gone.older;
}

// Between the newest and the oldest.
void PrefixCache::link_newest(std::uint32_t block) {
  const auto oldest = blocks_[newest_].newer;
  blocks_[block].older = newest_;
  blocks_[block].newer = oldest;
  blocks_[newest_].newer = block;
  blocks_[oldest].older = block;
}

// What comes after it and could not be where its search begins moves up.
void PrefixCache::erase(std::size_t place) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t next = (place + 1) & mask; table_[next] != kFree; next = (next + 1) & mask) {
    const std::size_t home = home_of(blocks_[table_[next]].key);
    if (((next - home) & mask) < ((next - place) & mask)) continue;
    table_[place] = table_[next];
    place = next;
  }
  table_[place] = kFree;
}

void PrefixCache::grow() {
  const std::size_t places = 2 * table_.size();
  table_.assign(places, kFree);
  shift_ = shift_of(places);
  for (std::uint32_t block = 0; block < blocks_.size(); ++block)
    table_[place_of(blocks_[block].key)] = block;
}

}  // namespace artel::dispatch
