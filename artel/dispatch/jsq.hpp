#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/random.hpp"

namespace artel::dispatch {

/// The worker with room whose `cost(load)`, or `cost(load, id)`, is least; ties go to any of them
/// with equal chance.
///
/// Cost: one load() per worker.
template <LoadView View, class CostOf>
[[nodiscard]] std::optional<WorkerId> least_of_all(const View& view, Dice& dice,
                                                   const CostOf& cost) {
  std::optional<WorkerId> best;
  double best_cost = 0;
  std::uint32_t ties = 0;
  for (std::size_t i = 0; i < view.size(); ++i) {
    const Load& load = view.load(worker(i));
    if (load.room() == 0) continue;
    double one = 0;
    if constexpr (std::is_invocable_v<const CostOf&, const Load&, WorkerId>) {
      one = cost(load, worker(i));
    } else {
      one = cost(load);
    }
    if (best && best_cost < one) continue;
    ties = best && best_cost == one ? ties + 1 : 1;
    if (dice.below(ties) > 0) continue;  // one of k ties replaces the one before in 1 / k
    best = worker(i);
    best_cost = one;
  }
  return best;
}

/// The worker with room that is least busy; of k that are, any in one throw: in order of id the one
/// of that number. Every view of equal loads gives the same answer to the same dice.
///
/// Cost: two load() per worker; O(log workers) where the view indexes this busyness.
template <LoadView View>
[[nodiscard]] std::optional<WorkerId> one_of_least(const View& view, Dice& dice,
                                                   const Busyness& busyness) {
  if constexpr (LeastIndex<View>) {
    if (view.indexes(busyness)) {
      const std::size_t ties = view.count_least();
      return ties == 0 ? std::nullopt : view.nth_least(dice.below(ties));
    }
  }
  WorkerId best{};  // the first of them
  double least = 0;
  std::uint32_t ties = 0;
  for (std::size_t i = 0; i < view.size(); ++i) {
    const Load& load = view.load(worker(i));
    if (load.room() == 0) continue;
    const double one = busyness(load);
    if (ties > 0 && least < one) continue;
    if (ties > 0 && least == one) {
      ++ties;
      continue;
    }
    best = worker(i);
    least = one;
    ties = 1;
  }
  if (ties == 0) return std::nullopt;
  std::uint32_t left = dice.below(ties);
  for (std::size_t i = index(best); left > 0 && ++i < view.size();) {
    const Load& load = view.load(worker(i));
    if (load.room() == 0 || busyness(load) > least) continue;
    best = worker(i);  // the last of them, if loads have changed and they are fewer now
    --left;
  }
  return best;
}

/// One of 0 … last that was not drawn before, by Floyd's way: so many different ones of n are drawn
/// uniformly with `last` from n - so many up to n - 1.
[[nodiscard]] inline std::uint32_t draw_another(Dice& dice, std::span<const std::uint32_t> before,
                                                std::size_t last) {
  const std::uint32_t pick = dice.below(last + 1);
  const bool again = std::find(before.begin(), before.end(), pick) != before.end();
  return again ? static_cast<std::uint32_t>(last) : pick;
}

/// The same among d different workers, drawn uniformly; nothing if none of them has room.
///
/// Cost:     O(d) loads read, O(d^2) comparisons of what was drawn.
/// Requires: d < view.size(), d <= 64.
template <LoadView View, class CostOf>
[[nodiscard, gnu::noinline]] std::optional<WorkerId> least_of_different(const View& view,
                                                                        Dice& dice, std::uint32_t d,
                                                                        const CostOf& cost) {
  constexpr std::uint32_t kMost = 64;
  std::array<std::uint32_t, kMost> drawn;
  const std::uint32_t choices = std::min(d, kMost);
  std::optional<WorkerId> best;
  double best_cost = 0;
  std::uint32_t ties = 0;
  for (std::uint32_t i = 0; i < choices; ++i) {
    drawn[i] = draw_another(dice, {drawn.data(), i}, view.size() - choices + i);
    const Load& load = view.load(worker(drawn[i]));
    if (load.room() == 0) continue;
    const double one = cost(load);
    if (best && best_cost < one) continue;
    ties = best && best_cost == one ? ties + 1 : 1;
    if (dice.below(ties) > 0) continue;
    best = worker(drawn[i]);
    best_cost = one;
  }
  return best;
}

/// Of all workers if d is so many or kAll, else of d different ones: the one with room whose
/// `cost(load)` is least; when none of the d has room, uniform among the workers with room.
///
/// Cost: as of least_of_all() and least_of_different().
template <LoadView View, class CostOf>
[[nodiscard]] std::optional<WorkerId> least_cost(const View& view, Dice& dice, std::uint32_t d,
                                                 const CostOf& cost) {
  if (d >= view.size()) return least_of_all(view, dice, cost);
  const auto best = least_of_different(view, dice, d, cost);
  return best ? best : random_open(view, dice);
}

/// JSQ(d): draws d workers uniformly and independently (the same one may come twice) and takes the
/// least busy of them; ties go to any of them with equal chance. When none of the d has room:
/// uniform among those that have. With `different` no worker comes twice, which matters where there
/// are few, or some are far worse than others.
///
/// With d = kAll (or, without repetition, as many as there are workers) it looks at all: join the
/// shortest queue. Independent draws may miss workers however large d is: of two workers, two draws
/// see one of them half of the time. Against LeastLoaded, whose ties go to the lowest id, it is the
/// one to use when several dispatchers see the same old loads: they do not all pick the same
/// worker. Ties among up to kThrowsMax workers take a throw each, among more workers one throw in
/// all, so that an index can answer: see one_of_least(). Cost:    O(d) loads read, independent of
/// the number of workers; O(workers) when it looks at all,
///          O(log workers) if these are more than kThrowsMax and the view indexes this busyness.
/// Requires: 1 <= d <= kChoicesMax, or kAll.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Mitzenmacher 1996; Vvedenskaya, Dobrushin, Karpelevich 1996.
struct Jsq {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads = Busyness::kReads;
  static constexpr std::uint32_t kChoicesMax = 64;
  static constexpr std::uint32_t kThrowsMax = 128;
  static constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t d = 2;
  Busyness busyness{};
  bool different = false;  ///< draws without repetition

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    const bool all = d == kAll || (different && d >= view.size());
    if (all || view.size() == 0) {
      return view.size() > kThrowsMax ? one_of_least(view, dice, busyness)
                                      : least_of_all(view, dice, busyness);
    }
    const auto best =
        different ? least_of_different(view, dice, d, busyness) : least_of_some(view, dice);
    return best ? best : random_open(view, dice);
  }

 private:
  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> least_of_some(const View& view, Dice& dice) const {
    const std::uint32_t choices = std::min(d, kChoicesMax);
    std::optional<WorkerId> best;
    double best_busyness = 0;
    for (std::uint32_t i = 0; i < choices; ++i) {
      const std::uint32_t pick = dice.below(view.size());
      const Load& load = view.load(worker(pick));
      if (load.room() == 0) continue;
      const double busy = busyness(load);
      if (best && !(busy < best_busyness)) continue;  // drawn in random order: a fair tie-break
      best = worker(pick);
      best_busyness = busy;
    }
    return best;
  }
};

}  // namespace artel::dispatch
