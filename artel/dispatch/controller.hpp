#pragma once

#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/detail/water_level.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::dispatch {

/// What a beacon tells when it comes back: a light task that was sent through the worker's queue
/// like real work.
struct BeaconReport {
  WorkerId worker{};
  std::uint32_t queued = 0;     ///< tasks the worker still had when it reached the beacon
  std::uint64_t committed = 0;  ///< tasks it finished since the beacon before
  Instant sent{};
  Instant back{};
};

/// The closed loop: turns beacon reports into the distribution that callers sample.
///
/// `yawp`, as published: weight = committed / (queued × gap between the last two beacons that came
/// back, in ns), zeros raised to one. It rewards whoever worked most: positive feedback. For
/// comparison only.
///
/// `level` (Basic LI of Dahlin 2000, made for reports of different age): pours the arrivals that
/// are expected until the next distribution over the queues, so that they end up level, counted per
/// weight. A queue is taken to be
///     reported length + arrivals expected since the report - departures expected since then,
/// where the arrivals are the worker's shares so far × the measured rate, and the departures its
/// fair part of the same rate, for one beacon interval at most: whoever has been silent for longer
/// gets no credit for work nobody has seen. When all reports are as old as the distribution, this
/// is Basic LI, and expects the arrivals of the whole interval between distributions, not those
/// since the report. The arrival rate is measured: every task that arrived at a worker is either
/// committed or still queued at its next report.
///
/// In both laws a member's share is never zero because of load: in `level` it is at least kShareMin
/// of its fair share.
/// Cost:    join, leave, report O(1); publish O(workers), see water_level(); allocates the Shares.
/// Threads: one at a time; the Shares can be handed to any thread.
/// Source:  YAWP; M. Dahlin, Interpreting Stale Load Information, 2000.
class Controller {
 public:
  static constexpr double kShareMin = 0.01;
  /// The arrival rate is measured over about this many beacon intervals.
  static constexpr double kRateWindow = 32;

  explicit Controller(const ClosedLoop& options) : options_(options) {}

  /// A worker takes part from now on. Weight: its relative speed, above 0.
  void join(WorkerId id, float weight, Instant now);
  /// The worker's share is zero from the next distribution on.
  void leave(WorkerId id);
  /// A beacon of a member came back. Of workers that are none it is ignored.
  void report(const BeaconReport& report);

  /// The distribution to use from `now` on.
  [[nodiscard]] Shares publish(Instant now);

  /// Tasks per second that arrive at all workers together, as measured; 0 before the first reports.
  [[nodiscard]] double arrival_rate() const;

 private:
  /// What is known of a worker's queue, and what is reckoned from it: what `level` reads of
  /// thousands of workers with every distribution, and no more.
  struct QueueEstimate {
    double expected = 0;  // arrivals since the last report, up to expected_until
    Instant expected_until{};
    Instant back{};            // of the last report
    double share = 0;          // in the distribution in force
    std::uint32_t queued = 0;  // at the last report
    float weight = 0;          // 0: no member
  };
  /// What `yawp` reads besides.
  struct LastReport {
    std::uint64_t committed = 0;
    Duration gap{};  // between the last two beacons back
  };

  [[nodiscard]] bool is_member(WorkerId id) const;
  void change_members(std::uint32_t members);
  /// Into weights_.
  void yawp_weights();
  void level_weights(Instant now);

  ClosedLoop options_;
  std::vector<QueueEstimate> queues_;    // by worker
  std::vector<LastReport> reports_;      // by worker
  std::vector<double> weights_;          // by worker, of the distribution that is being made
  std::vector<detail::Vessel> vessels_;  // by worker, for this too
  std::vector<detail::Vessel> wet_;
  std::uint32_t members_ = 0;
  double weight_total_ = 0;  // of them; 0: not known
  // Tasks that arrived at the workers between reports, and the time in which they did, summed over
  // the workers. The older, the less they count: with every report both keep window / (window + its
  // gap), so that their ratio, tasks per worker and second, is smoothed over kRateWindow beacon
  // intervals however unevenly the reports come.
  double arrived_ = 0;
  double worker_seconds_ = 0;
};

}  // namespace artel::dispatch
