#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/timer_callback.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

class Timers;

/// Tells whoever waits for a queued task as soon as its deadline passes or its stop is requested,
/// and not only when its turn comes. It touches the node alone: the task is accounted for at its
/// turn, so that the pool may end while this is going on.
///
/// Invariants:
///  E1  While it may fire it is kept by the Timers or by the node, and keeps the node. Whoever
///      begins or ends the task takes it from the node and disarms it.
///  E2  It is with the node only after all of it is armed (future_state.hpp, N3).
/// Cost:    an allocation, a lock of the Timers for arming and another for disarming.
/// Threads: any.
class EarlyEnd final : private TimerCallback {
 public:
  /// For a node that has been queued, by whoever has a reference to it. Without memory, or a thread
  /// for the timers, the task is told when its turn comes.
  static void arm(FutureNode& node, const std::shared_ptr<Timers>& timers, Instant deadline,
                  const std::stop_token& stop);
  /// Nothing is told any more once this returns; by whoever took it from its node.
  void disarm();

 private:
  struct OnStop {
    EarlyEnd* early_end;
    void operator()() const { early_end->node_->end_early(TaskOutcome::cancelled); }
  };

  EarlyEnd(FutureNode& node, std::shared_ptr<Timers> timers)
      : node_(NodePtr<FutureNode>::share(&node)), timers_(std::move(timers)) {}
  ~EarlyEnd() = default;

  Instant on_time(Instant now) override;
  void let_go(bool stopped) override;
  void drop_use();

  const NodePtr<FutureNode> node_;
  const std::shared_ptr<Timers> timers_;
  std::optional<std::stop_callback<OnStop>> on_stop_;
  std::atomic<unsigned> uses_ = 1;  // the node, and the Timers
};

}  // namespace artel::pool::detail
