#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/probe_pool.hpp"
#include "artel/dispatch/random.hpp"

namespace artel::dispatch {

/// Prequal: with every task some workers drawn at random are asked how busy they are, and what they
/// answer serves later tasks. Who has more tasks than a quantile of what was answered lately is
/// hot. The task goes to the cold worker of least latency; if all are hot, to the one with fewest
/// tasks. Ties go to any of them with equal chance.
///
/// The answers come with the draw, as a ProbePool; a Prober asks, forgets what is old or used up,
/// and counts what was sent since. A worker without room is passed over. With fewer than kProbesMin
/// answers at hand, or if nobody among them has room: uniform among the workers with room.
///
/// In the paper a server answers with the median latency of its recent requests at about as many
/// requests in flight as it has now. Here it is the mean time per task (Load::latency by a
/// LatencyLaw with per_task) times the tasks that it has and one more, which comes to the same as
/// far as latency grows in proportion. It fades while no answer comes, so that a worker that was
/// slow once is tried again.
/// Cost:    O(pool), no load read but of workers that are the best so far; then r_probe loads.
/// Requires: 2 <= pool <= kPoolMax; 0 < r_probe <= kPoolMax; 0 <= r_remove <= kPoolMax; q_rif in
///           [0, 1]; delta >= 0; max_age, decay and initial above 0.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Wydrowski, Kleinberg, Rumble, Archer, "Load is not what you should balance", NSDI 2024.
struct Prequal {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::latency, PolicyInput::now};
  static constexpr std::uint32_t kPoolMax = 64;
  static constexpr std::size_t kProbesMin = 2;  ///< one would be no choice

  std::uint32_t pool = 16;  ///< most answers kept
  double r_probe = 3;       ///< workers asked per task
  double r_remove = 1;      ///< answers forgotten per task, the worst and the oldest in turn
  double q_rif = 0.8408964152537145;  ///< hot: more tasks than this quantile; 2^-0.25
  double delta = 1;  ///< answers are used up 1 / (1 + delta) times as fast as they come in
  Duration max_age = std::chrono::seconds(1);  ///< an older answer is forgotten
  Duration decay = std::chrono::seconds(10);  ///< of the latency: after so long the past counts 1/e
  Duration initial = std::chrono::milliseconds(30);  ///< per task, of who has not answered yet

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    if (draw.probes == nullptr || draw.probes->probes.size() < kProbesMin)
      return random_open(view, dice);
    const ProbePool& known = *draw.probes;
    const Probe* best = nullptr;
    std::uint32_t ties = 0;
    for (const Probe& probe : known.probes) {
      if (best != nullptr && known.better(*best, probe)) continue;
      if (index(probe.worker) >= view.size() || view.load(probe.worker).room() == 0) continue;
      ties = best != nullptr && !known.better(probe, *best) ? ties + 1 : 1;
      if (dice.below(ties) > 0) continue;  // one of k ties replaces the one before in 1 / k
      best = &probe;
    }
    return best != nullptr ? best->worker : random_open(view, dice);
  }
};

}  // namespace artel::dispatch
