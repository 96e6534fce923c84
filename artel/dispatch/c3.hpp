#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// C3's ranking of replicas: the worker whose latency × (1 + clients × tasks it has)³ is least, of
/// all workers, or of d different ones. The cube keeps queues at fast workers short: one that is
/// five times as fast gets a queue 1.7 times as long, not five times. Ties go to any of them with
/// equal chance. When none of the d has room: uniform among those that have.
///
/// The latency is a mean over time, not a peak. It stands for the service time, too, which no host
/// tells apart from the waiting. C3's rate control is left out: here, workers have bounds.
/// Cost:    O(workers) loads read, or O(d), and as many exp().
/// Requires: 1 <= d <= Jsq::kChoicesMax, or Jsq::kAll; 1 <= clients; decay and initial above 0.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Suresh, Canini, Schmid, Feldmann 2015.
struct C3 {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::latency, PolicyInput::now};

  std::uint32_t d = Jsq::kAll;
  /// How many dispatchers share the workers, if each of them sees its own tasks only; else 1.
  std::uint32_t clients = 1;
  Duration decay = std::chrono::seconds(10);         ///< after so long the past counts 1/e
  Duration initial = std::chrono::milliseconds(30);  ///< of a worker that has not answered yet

  /// What workers are compared by.
  [[nodiscard]] double cost(const Load& load, Instant now) const {
    const Duration latency = latency_now(load, now, decay, initial);
    const double queue = 1.0 + static_cast<double>(clients) * load.queued;
    return to_seconds(latency) * queue * queue * queue;
  }

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    return least_cost(view, dice, d, [&](const Load& load) { return cost(load, draw.now); });
  }
};

}  // namespace artel::dispatch
