#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/cache_line_pair.hpp"

namespace artel::pool::detail {

/// The pool's policy, with what its decisions need beside the loads: turns, dice, the weighted
/// cycle, the shares that a closed loop publishes.
///
/// Cost:    a decision is one atomic addition more than the policy itself.
/// Threads: any.
class WorkerChoice {
 public:
  explicit WorkerChoice(const PoolOptions& options);
  WorkerChoice(const WorkerChoice&) = delete;
  WorkerChoice& operator=(const WorkerChoice&) = delete;

  /// Nothing: no worker has room. Dice are the producer's.
  [[nodiscard]] std::optional<WorkerId> choose(const LiveLoads& loads, Producer& producer,
                                               Duration size);
  /// Decisions are made by these shares from now on.
  void publish(std::shared_ptr<const dispatch::Shares> shares);

 private:
  const dispatch::Shares* seen_shares();

  const PoolOptions& options_;
  const dispatch::Needs needs_;
  const std::unique_ptr<const dispatch::WeightedCycle> cycle_;

  alignas(sync::kCacheLinePair) std::atomic<std::uint64_t> turns_ = 0;

  // Tells what was published last from all that any pool ever published; 0: nothing was. Grows
  // under the lock and after `shares_` has changed.
  alignas(sync::kCacheLinePair) std::atomic<std::uint64_t> shares_version_ = 0;
  std::mutex shares_lock_;
  std::shared_ptr<const dispatch::Shares> shares_;
};

}  // namespace artel::pool::detail
