#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/probe_pool.hpp"

namespace artel::dispatch {

/// Asks workers how busy they are, and keeps what they answer: the memory of one who decides by
/// Prequal. What is asked for with one decision serves those after it, so that no task waits for an
/// answer.
///
/// The pool that it gives and the draw fully determine a decision; what it does after a decision is
/// determined by the loads, the draw and the worker chosen.
///  P1  One answer per worker at most, no more than `pool` of them, none older than `max_age`.
///  P2  An answer that has served as many decisions as it may is gone. That many is
///      max(1, (1 + delta) / ((1 - pool / workers) r_probe - r_remove)), rounded by chance to a
///      whole number with this mean; any number where the divisor is not above 0.
///  P3  Hot is who has more tasks than the quantile q_rif of the last kRecent answers: 0 makes all
///      hot, 1 none.
/// Cost:    pool() O(pool); decided() O(r_probe) loads and O(pool + kRecent) moves each; allocates
///          in the constructor only.
/// Threads: one at a time.
class Prober {
 public:
  static constexpr std::size_t kRecent = 128;  ///< answers that "lately" means

  explicit Prober(const Prequal& policy);

  /// What is known now.
  [[nodiscard]] const ProbePool& pool(Instant now);

  /// A decision has been made, with what pool() gave: counts the task, forgets, and asks workers,
  /// whose answers are what `asked` shows now.
  template <LoadView View>
  void decided(const View& asked, const Draw& draw, std::optional<WorkerId> chosen) {
    forget(chosen);
    Dice dice(Draw{.dice = ~draw.dice});  // other ones than the decision threw
    const std::size_t workers = asked.size();
    const std::size_t count = std::min<std::size_t>(due(probes_due_, policy_.r_probe), workers);
    std::array<std::uint32_t, Prequal::kPoolMax + 1> drawn;
    for (std::size_t i = 0; i < count; ++i) {
      drawn[i] = draw_another(dice, {drawn.data(), i}, workers - count + i);
      const WorkerId id = worker(drawn[i]);
      const Load load = asked.load(id);
      if (load.capacity == 0) continue;  // it has left: nobody answers
      answered({.worker = id,
                .queued = load.queued,
                .latency = expected_latency(load, draw.now),
                .taken = draw.now,
                .uses = uses(workers, dice)});
      if (chosen == id) ++pool_.probes.back().queued;  // the task itself is on its way there
    }
  }

 private:
  /// How many of something of which there are `rate` per decision are due with this one.
  [[nodiscard]] static std::size_t due(double& left, double rate);
  /// Decisions that a new answer may serve.
  [[nodiscard]] std::uint32_t uses(std::size_t workers, Dice& dice) const;
  [[nodiscard]] Duration expected_latency(const Load& load, Instant now) const;
  void forget(std::optional<WorkerId> chosen);
  void answered(const Probe& probe);

  Prequal policy_;
  ProbePool pool_;
  double probes_due_ = 0;    // the part of one that is left over
  double removals_due_ = 0;  // likewise
  bool oldest_next_ = false;
  std::vector<std::uint32_t> recent_;   // tasks of workers that answered, going round …
  std::size_t oldest_ = 0;              // … from here on
  std::vector<std::uint32_t> ordered_;  // the same, ascending
};

}  // namespace artel::dispatch
