#pragma once

#include <stop_token>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/accounts.hpp"
#include "artel/pool/detail/pool_queues.hpp"
#include "artel/pool/detail/pool_recording.hpp"
#include "artel/pool/detail/submission.hpp"
#include "artel/pool/detail/wakeups.hpp"
#include "artel/pool/detail/worker_choice.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

/// What submitters and workers of a pool act on together, in parts that know only those above
/// them. There is no thread in charge: WorkerThreads starts and ends the threads.
struct PoolCore {
  /// Requires: options that passed check().
  explicit PoolCore(PoolOptions checked_options) : options(std::move(checked_options)) {}
  PoolCore(const PoolCore&) = delete;
  PoolCore& operator=(const PoolCore&) = delete;

  const PoolOptions options;
  std::stop_source stop;  ///< of running tasks: requested by stop(cancel)
  /// Whether stall detection is on (worker_slot.hpp, L2).
  const bool guarded = options.stall_after != kForever || options.beacon_limit != kForever;

  PoolQueues queues{options};                     ///< where tasks wait
  PoolRecording recording{options};               ///< who hears of every one
  Accounts accounts{options, queues, recording};  ///< how many, how long; all done?
  WorkerChoice choice{options};                   ///< the policy's decisions
  Wakeups wakeups{queues, accounts};              ///< who is woken
  Submission submission{options, queues, recording, accounts, choice, wakeups};  ///< what gets in
};

}  // namespace artel::pool::detail
