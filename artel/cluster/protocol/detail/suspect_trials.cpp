#include "artel/cluster/protocol/detail/suspect_trials.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

SuspectTrials::Suspicion SuspectTrials::given_up(std::uint64_t index, std::uint32_t epoch) {
  const auto known = std::ranges::find(suspects_, index, &Suspect::index);
  if (known == suspects_.end()) {
    suspects_.push_back({.index = index});
    return Suspicion::suspect;
  }
  if (known->trial == 0 || epoch < known->trial) return Suspicion::known;
  return ++known->lost < copies_ ? Suspicion::again : Suspicion::guilty;
}

SuspectTrials::Change SuspectTrials::next(const OutstandingChunks& chunks) {
  const auto over = [&](const Suspect& suspect) { return !chunks.is_out(suspect.index); };
  if (trying_ && !over(suspects_.front())) return {};
  std::erase_if(suspects_, over);
  const bool tried = std::exchange(trying_, !suspects_.empty() && chunks.out() == suspects_.size());
  if (trying_) return {.to_try = suspects_.front().index};
  return {.over = tried};
}

bool SuspectTrials::waits(std::uint64_t index) const {
  const auto at = std::ranges::find(suspects_, index, &Suspect::index);
  return at != suspects_.end() && !(trying_ && at == suspects_.begin());
}

void SuspectTrials::wait(OutstandingChunks& chunks, Instant now) const {
  for (const Suspect& suspect : suspects_) {
    OutstandingChunks::Chunk* const chunk = chunks.find(suspect.index);
    if (chunk == nullptr) continue;
    chunk->held_back = waits(suspect.index);
    if (chunk->held_back) chunks.seen(suspect.index, now);
  }
}

}  // namespace artel::cluster::detail
