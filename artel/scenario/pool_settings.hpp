#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::scenario {

/// "As many as come", for queue bounds.
using dispatch::kUnbounded;

/// A fleet whose size goes by a policy.
struct ScalingSettings {
  scaling::ScalingPolicy policy;
  dispatch::SizeLimits limits;
  random::Distribution start_up{};  ///< from the decision until a new worker takes tasks
  Duration metric_delay{};          ///< the policy sees the fleet as it was so long ago
};

/// What a scenario says of the workers and their queues: [pool].
struct PoolSettings {
  std::vector<double> speeds;               ///< one per worker; service time = size / speed
  std::vector<std::uint32_t> queue_bounds;  ///< one per worker, the running task included
  std::uint32_t common_bound = kUnbounded;  ///< tasks that wait for any worker
  dispatch::WhenFull when_full = dispatch::WhenFull::reject;
  bool take_over = false;         ///< an idle worker takes the task that waits longest elsewhere
  dispatch::Stealing stealing{};  ///< what a worker that runs out does; not with take_over
  /// How long an idle worker takes to begin a task: one of these, each equally likely; empty: no
  /// time.
  std::vector<Duration> wake_ups;
  Duration task_overhead{};  ///< a worker's time per task besides the service, from task to task
  WorkerSettings worker;     ///< how each of them serves
  AdmissionSettings admission{};
  std::optional<ScalingSettings> scaling{};  ///< the workers above are those at the start

  /// Seconds of service that all of them can do in a second; see WorkerSettings::capacity.
  [[nodiscard]] double capacity(double mean_service_s) const;
  [[nodiscard]] std::size_t workers_max() const {
    return scaling ? scaling->limits.max : speeds.size();
  }
};

}  // namespace artel::scenario
