#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/maglev_table.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/probe_pool.hpp"
#include "artel/dispatch/prober.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"

namespace artel::dispatch {

/// What a host makes apart from its decisions, now and then, for all of them to use.
struct Published {
  std::uint64_t version = 0;  ///< differs between any two publications of a process; 0: nothing yet
  std::shared_ptr<const Shares> shares{};        ///< the closed loop's distribution; null: none yet
  std::shared_ptr<const WeightedCycle> cycle{};  ///< of the workers' weights; null: nobody needs it
  std::shared_ptr<const MaglevTable> table{};    ///< of the workers; null: nobody needs it
};

/// A policy at work: makes the draws of its decisions, and the decisions. Every host has one: a
/// simulated fleet, a cluster's master, the pool of threads.
///
/// What all who decide share is in here: the policy, what it needs, and what was published last
/// (the closed loop's distribution, the cycle of weights). What each has for itself comes in: its
/// turn, its dice, and a copy of what it saw published, so that a decision takes no lock. On one
/// thread that is a DrawSource.
///
/// A decision takes two steps, so that a host can record the draw: draw(), then choose().
/// Cost:    draw() a few ns, and one dice if the policy throws any; after a publication once a lock
///          and two reference counts. choose() the policy's own.
/// Threads: any, each with its own `seen` and dice. Publishing too: whoever decides meanwhile uses
///          the old or the new.
class Chooser {
 public:
  explicit Chooser(Policy policy);

  /// The policy and what it needs(): constant, of the time of construction.
  [[nodiscard]] const Policy& policy() const { return policy_; }
  [[nodiscard]] const Needs& needs() const { return needs_; }

  /// The draw for a task, now. `bits()` gives 64 random bits, and is called only if the policy
  /// throws dice; the time may be left out if the policy does not read it. The draw refers to what
  /// `seen` holds: use it before `seen` changes.
  template <class Bits>
  [[nodiscard]] Draw draw(std::uint64_t turn, Bits&& bits, Published& seen, const TaskHints& task,
                          Instant now = {}) const {
    Draw draw = draw_alone(turn, bits, task, now);
    if (needs_.shares || needs_.cycle || needs_.places > 0) {
      look(seen);
      draw.shares = seen.shares.get();
      draw.cycle = seen.cycle.get();
      draw.table = seen.table.get();
    }
    return draw;
  }

  /// Whether draw_alone() has all that the policy reads: nothing that is published, no answers.
  [[nodiscard]] bool draws_alone() const { return draws_alone_; }
  /// draw() without what was made apart from this decision.
  template <class Bits>
  [[nodiscard]] Draw draw_alone(std::uint64_t turn, Bits&& bits, const TaskHints& task,
                                Instant now) const {
    return {.turn = turn,
            .dice = needs_.dice ? bits() : 0,
            .now = now,
            .size = task.size,
            .key = task.key,
            .task_class = task.task_class,
            .deadline = task.deadline};
  }

  /// The worker that gets the task; nothing only when no worker has room.
  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& loads, const Draw& draw) const {
    return dispatch::choose(policy_, loads, draw);
  }

  /// What asks workers how busy they are, if the policy goes by that; one for each who decides.
  [[nodiscard]] std::optional<Prober> prober() const {
    if (!needs_.probes) return std::nullopt;
    return Prober(std::get<Prequal>(policy_));
  }

  /// From now on decisions use this distribution, this cycle, or this table.
  void publish(Shares shares);
  void publish(WeightedCycle cycle);
  void publish(MaglevTable table);
  /// What was published last.
  [[nodiscard]] Published published() const;

 private:
  /// What was published, apart so that a Chooser can be moved. `version` is that of `last`, which
  /// the lock guards: a reader that finds its own version here has read `last` since it changed.
  struct Board {
    std::atomic<std::uint64_t> version = 0;
    std::mutex lock{};
    Published last{};
  };

  template <class T>
  void put(std::shared_ptr<const T> Published::* where, T made);
  /// Brings `seen` up to date.
  void look(Published& seen) const {
    if (seen.version == board_->version.load(std::memory_order_acquire)) return;
    seen = published();
  }

  Policy policy_;
  Needs needs_;
  bool draws_alone_;
  std::unique_ptr<Board> board_;
};

/// The draws and decisions of one on one thread: counts its turns, throws its dice, and keeps what
/// workers answered to it.
///
/// Several of them may share a Chooser, as dispatchers that do not know of each other do.
/// Cost: as Chooser; a policy that probes copies what it knows for each draw.
/// Threads: one at a time.
template <class Bits = SplitMix64>
class DrawSource {
 public:
  /// Its turns begin with `first_turn`: dispatchers that do not know of each other begin anywhere.
  explicit DrawSource(Bits bits, std::uint64_t first_turn = 0)
      : turn_(first_turn), bits_(std::move(bits)) {}

  /// The next draw, for this task. It is good until the next one.
  [[nodiscard]] Draw next(const Chooser& chooser, const TaskHints& task = {}, Instant now = {}) {
    Draw draw = chooser.draw(turn_++, bits_, seen_, task, now);
    if (chooser.needs().probes) [[unlikely]]
      draw.probes = known(chooser, now);
    return draw;
  }

  /// The worker that gets the task of this draw, the last one, by these loads; nothing only when no
  /// worker has room. Workers that are asked how busy they are answer as `asked` shows.
  template <LoadView View, LoadView Asked>
  [[nodiscard]] std::optional<WorkerId> choose(const Chooser& chooser, const View& loads,
                                               const Draw& draw, const Asked& asked) {
    const auto chosen = chooser.choose(loads, draw);
    if (prober_) [[unlikely]]
      prober_->decided(asked, draw, chosen);
    return chosen;
  }
  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const Chooser& chooser, const View& loads,
                                               const Draw& draw) {
    return choose(chooser, loads, draw, loads);
  }

  /// next() and choose() in one, of which nothing is made that the policy does not read.
  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> decide(const Chooser& chooser, const View& loads,
                                               const TaskHints& task = {}, Instant now = {}) {
    if (!chooser.draws_alone()) return choose(chooser, loads, next(chooser, task, now));
    return std::visit(
        [&](const auto& policy) {
          return policy.choose(loads, chooser.draw_alone(turn_++, bits_, task, now));
        },
        chooser.policy());
  }

 private:
  // A copy, as the draw is good until the next one and the decision itself changes what is known.
  const ProbePool* known(const Chooser& chooser, Instant now) {
    if (!prober_) prober_ = chooser.prober();
    if (prober_) known_ = prober_->pool(now);
    return &known_;
  }

  std::uint64_t turn_;
  Bits bits_;
  Published seen_;
  std::optional<Prober> prober_{};  // if the policy asks
  ProbePool known_{};               // of the last draw
};

}  // namespace artel::dispatch
