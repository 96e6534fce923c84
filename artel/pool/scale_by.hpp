#pragma once

#include <functional>
#include <memory>

#include "artel/core/error.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::pool {

class Pool;

/// Keeps a pool at the size that a scaling policy wants, as long as it lives.
///
/// A thread of its own looks at the pool ten times in each of the policy's periods and asks the
/// policy at its end. Must not outlive the pool. Threads: any.
class PoolScaling {
 public:
  PoolScaling(PoolScaling&&) noexcept;
  PoolScaling& operator=(PoolScaling&&) noexcept;
  ~PoolScaling();

 private:
  class Loop;
  explicit PoolScaling(std::unique_ptr<Loop> loop);
  friend Result<PoolScaling> scale_by(
      Pool& pool, scaling::ScalingPolicy policy,
      std::function<void(const scaling::FleetSample&, unsigned size)> on_decision);

  std::unique_ptr<Loop> loop_;
};

/// Has the policy decide how many workers the pool has, between its workers_min and workers_max.
///
///     auto scaling = pool::scale_by(pool, scaling::Hpa{.period = 1s, .target = 0.7});
///
/// Averages of the sample are over ten looks per period, mean service times those of the tasks that
/// were measured; its times count from the call. The same policy sizes a simulated fleet: see
/// `pool.scaling` in docs/scaling.md. A decision that the pool cannot follow, because workers that
/// leave have not gone yet, is made anew a period later. `on_decision` hears of every one, of
/// these, too, on the thread that decides. Cost:   what ten calls of Pool::stats() cost, in each
/// period. Errors: those of scaling::check(); the pool cannot change its size (workers_max); no
/// thread.
[[nodiscard]] Result<PoolScaling> scale_by(
    Pool& pool, scaling::ScalingPolicy policy,
    std::function<void(const scaling::FleetSample&, unsigned size)> on_decision = {});

}  // namespace artel::pool
