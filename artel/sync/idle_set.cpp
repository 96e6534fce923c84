#include "artel/sync/idle_set.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"

namespace artel::sync {

std::optional<WorkerId> IdleSet::claim_any() {
  for (std::size_t i = 0; i < word_count_; ++i) {
    for (std::uint64_t seen = words_[i].load(); seen != 0; seen = words_[i].load()) {
      const std::uint64_t lowest = seen & (~seen + 1);
      if ((words_[i].fetch_and(~lowest) & lowest) != 0) {
        return static_cast<WorkerId>(i * kWordBits +
                                     static_cast<std::size_t>(std::countr_zero(lowest)));
      }
    }
  }
  return std::nullopt;
}

}  // namespace artel::sync
