#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/fleet/detail/aimd_limit.hpp"
#include "artel/fleet/detail/codel.hpp"
#include "artel/fleet/detail/concurrency_limit.hpp"
#include "artel/fleet/detail/gradient_limit.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::fleet::detail {

/// What a simulated fleet lets in, and what it drops as it comes out of the common queue: the bound
/// of that queue, a limit by response times, and CoDel.
///
/// Cost: O(1). Threads: its simulation's.
class FleetAdmission {
 public:
  explicit FleetAdmission(const scenario::PoolSettings& pool)
      : common_bound_(pool.when_full == dispatch::WhenFull::block ? dispatch::kUnbounded
                                                                  : pool.common_bound) {
    const auto& settings = pool.admission;
    if (settings.aimd) limit_ = std::make_unique<AimdLimit>(*settings.aimd);
    if (settings.gradient) limit_ = std::make_unique<GradientLimit>(*settings.gradient);
    if (settings.codel) codel_.emplace(*settings.codel);
  }

  /// Whether one more may come in beside so many.
  [[nodiscard]] bool admits(std::size_t in_pool) const {
    return !limit_ || limit_->admits(in_pool);
  }
  /// Whether one more may wait in the common queue beside so many.
  [[nodiscard]] bool may_wait(std::size_t waiting) const { return waiting < common_bound_; }
  /// Whether what comes out of the common queue is dropped. `last`: nothing is behind it.
  [[nodiscard]] bool drops(Instant now, Duration waited, bool last) {
    return codel_ && codel_->drops(now, waited, last);
  }
  /// A task that was let in has left, after so long and with so many others still there.
  void left(Instant now, Duration after, std::size_t in_pool, bool served) {
    if (!limit_) return;
    served ? limit_->left(now, after, in_pool) : limit_->unanswered(now, after, in_pool);
  }

 private:
  std::uint32_t common_bound_;
  std::unique_ptr<ConcurrencyLimit> limit_;  // if there is one
  std::optional<Codel> codel_;               // likewise
};

}  // namespace artel::fleet::detail
