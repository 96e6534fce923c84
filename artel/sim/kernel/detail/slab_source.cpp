#include "artel/sim/kernel/detail/slab_source.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>

namespace artel::sim::detail {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;

}  // namespace

std::span<std::byte> SlabSource::take() {
  const std::size_t bytes = next_bytes_;
  next_bytes_ = std::min(2 * bytes, kHugePage);
  const std::size_t alignment = bytes == kHugePage ? kHugePage : kAlignment;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(alignment, bytes));
  if (memory == nullptr) throw std::bad_alloc{};
  slabs_.emplace_back(memory);
  if (bytes == kHugePage) (void)madvise(memory, bytes, MADV_HUGEPAGE);  // advice may be ignored
  return {memory, bytes};
}

void SlabSource::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace artel::sim::detail
