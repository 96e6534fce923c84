#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/scenario/objective.hpp"

namespace artel::fleet {

/// Statistics of one quantity over the tasks of one replication, in seconds. (For quantiles over
/// several replications see stat::ReplicatedHistogram: no mean of these.) Quantiles p50, p90, p95,
/// p99 and p999 are those of 50, 90, 95, 99 and 99.9%, max the largest value.
struct TimeSummary {
  double mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0, max = 0;

  friend bool operator==(const TimeSummary&, const TimeSummary&) = default;
};

/// The counted tasks of one class: response and wait of those that were completed, and what became
/// of all that arrived, as in Replication: completed, rejected, abandoned.
struct ClassSummary {
  TimeSummary response;
  TimeSummary wait;
  std::uint64_t arrived = 0;
  std::uint64_t completed = 0;
  std::uint64_t rejected = 0;
  std::uint64_t abandoned = 0;
  std::uint64_t late = 0;  ///< of those completed: after their deadline

  friend bool operator==(const ClassSummary&, const ClassSummary&) = default;
};

/// Queue lengths told apart by Replication::beyond.
inline constexpr std::size_t kDepths = 16;

/// What one replication of one policy measured after its warm-up.
struct Replication {
  std::uint32_t index = 0;      ///< ReplicationOptions::index
  TimeSummary response;         ///< from arrival to the end of service
  TimeSummary wait;             ///< from arrival to the start of service, or to going away
  double wait_probability = 0;  ///< share of completed tasks that waited at all
  double rejected_share = 0;    ///< of the tasks that arrived
  double abandoned_share = 0;   ///< of them: went away unserved, lost, or not answered in time
  double utilisation = 0;       ///< share of the workers' time spent serving, over all slots
  double in_system = 0;         ///< tasks waiting or running, averaged over time
  double workers = 0;           ///< that cost something, averaged over time
  /// [k]: share of workers that have more than k tasks bound to them, averaged over time.
  std::array<double, kDepths> beyond{};
  std::uint64_t arrived = 0;  ///< counted tasks: after the warm-up
  std::uint64_t completed = 0;
  std::uint64_t rejected = 0;     ///< nobody had room for them
  std::uint64_t abandoned = 0;    ///< they went away unserved, were lost or not answered in time
  std::uint64_t late = 0;         ///< of those completed: after their deadline
  std::uint64_t attempts = 0;     ///< sent for them, where callers may send several
  std::uint64_t prefix_all = 0;   ///< tokens that they began with, where workers have caches …
  std::uint64_t prefix_held = 0;  ///< … and of them those that their workers' caches held
  std::vector<ClassSummary> classes;  ///< of Scenario::groups()
  std::uint64_t tasks = 0;            ///< all tasks simulated, warm-up included
  std::uint64_t events = 0;           ///< all events simulated
  double window_s = 0;                ///< simulated seconds that averages over time are taken over

  friend bool operator==(const Replication&, const Replication&) = default;
};

/// One statistic of one quantity: seconds, or of a share (see is_share) the part of all tasks. NaN
/// when no task counted.
[[nodiscard]] double value_of(const Replication& replication, scenario::Quantity quantity,
                              scenario::Statistic statistic);

}  // namespace artel::fleet
