#include "artel/logs/detail/process_lives.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::logs::detail {

void ProcessLives::seen(std::uint64_t process, Instant at) {
  constexpr std::size_t kMost = 100'000;
  const auto found = lives_.find(process);
  if (found == lives_.end()) {
    if (lives_.size() < kMost) lives_.emplace(process, Life{.first = at, .last = at, .tasks = 1});
    return;
  }
  auto& life = found->second;
  life.first = std::min(life.first, at);
  life.last = std::max(life.last, at);
  ++life.tasks;
}

ProcessLives::Changes ProcessLives::changes() const {
  constexpr std::uint64_t kTasksMin = 10;  // fewer say nothing of gaps
  constexpr double kGaps = 20;             // that chance does not make
  Instant first = kNever, last = Instant::min();
  for (const auto& [process, life] : lives_) {
    first = std::min(first, life.first);
    last = std::max(last, life.last);
  }
  Changes changes;
  for (const auto& [process, life] : lives_) {
    if (life.tasks < kTasksMin) continue;
    const double gap = to_seconds(life.last - life.first) / static_cast<double>(life.tasks - 1);
    if (to_seconds(life.first - first) > kGaps * gap) ++changes.began;
    if (to_seconds(last - life.last) > kGaps * gap) ++changes.ended;
  }
  return changes;
}

}  // namespace artel::logs::detail
