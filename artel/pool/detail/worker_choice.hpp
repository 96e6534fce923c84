#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/prober.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/pool/detail/live_loads.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/sync/cache_line_pair.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool::detail {

/// The pool's decisions: a Chooser, turns that all threads take from one counter, dice and what was
/// published as each thread has them.
///
/// A policy that asks workers how busy they are has kAskers who keep what they answer; a thread
/// goes to one of them, always the same.
/// Cost:    a decision is one atomic addition more than the policy itself; where workers are asked,
///          a spin lock that few threads share.
/// Threads: any.
class WorkerChoice {
 public:
  static constexpr std::size_t kAskers = 16;

  explicit WorkerChoice(const PoolOptions& options);
  WorkerChoice(const WorkerChoice&) = delete;
  WorkerChoice& operator=(const WorkerChoice&) = delete;

  /// Nothing: no worker has room. Dice are the producer's; `now` is asked for where reads_clock().
  [[nodiscard]] std::optional<WorkerId> choose(const LiveLoads& loads, Producer& producer,
                                               const dispatch::TaskHints& hints, Instant now);
  /// Whether the policy reads the time, or the work that is left, which runs off with it.
  [[nodiscard]] bool reads_clock() const { return reads_clock_; }
  /// Whether the policy reads anything of the task itself: then a decision is good for no other
  /// one.
  [[nodiscard]] bool by_task() const { return by_task_; }
  /// Decisions are made by these shares from now on.
  void publish(dispatch::Shares shares);

  /// How many decisions were made.
  [[nodiscard]] std::uint64_t turn() const { return turns_.load(); }
  /// Who publishes rests, or does so no more (monitor.hpp, O1).
  void rest(bool rests) { resting_.store(rests); }
  /// Set before the first decision: what the next one after rest(true) calls, which ends the rest.
  void on_decision_while_resting(std::function<void()> wake) { wake_ = std::move(wake); }

 private:
  // What one or some of the threads know by asking workers, if the policy goes by that.
  struct alignas(sync::kCacheLinePair) Asking {
    explicit Asking(dispatch::Prober made) : prober(std::move(made)) {}
    sync::SpinLock lock;
    dispatch::Prober prober;
  };
  [[nodiscard]] std::optional<WorkerId> choose_by_asking(const LiveLoads& loads,
                                                         const Producer& producer,
                                                         dispatch::Draw draw);

  const PoolOptions& options_;
  dispatch::Chooser chooser_;
  bool by_task_;
  bool reads_clock_;
  std::function<void()> wake_;
  std::atomic<bool> resting_ = false;
  std::deque<Asking> asking_;

  alignas(sync::kCacheLinePair) std::atomic<std::uint64_t> turns_ = 0;
};

}  // namespace artel::pool::detail
