#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/random.hpp"

namespace artel::dispatch {

/// JSQ(d): draws d workers uniformly and independently (the same one may come twice) and takes the
/// least busy of them; ties go to any of them with equal chance. When none of the d has room:
/// uniform among those that have.
///
/// With d = kAll (or as many as there are workers) it looks at all: join the shortest queue.
/// Against LeastLoaded, whose ties go to the lowest id, it is the one to use when several
/// dispatchers see the same old loads: they do not all pick the same worker.
/// Cost:    O(d) loads read, independent of the number of workers; O(workers) when it looks at all.
/// Requires: 1 <= d <= kChoicesMax, or kAll.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Mitzenmacher 1996; Vvedenskaya, Dobrushin, Karpelevich 1996.
struct Jsq {
  static constexpr std::uint32_t kChoicesMax = 64;
  static constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t d = 2;
  Busyness busyness{};

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    Dice dice(draw);
    if (d >= view.size()) return least_of_all(view, dice);
    const auto best = least_of_some(view, dice);
    return best ? best : random_open(view, dice);
  }

 private:
  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> least_of_all(const View& view, Dice& dice) const {
    std::optional<WorkerId> best;
    double best_busyness = 0;
    std::uint32_t ties = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
      const Load& load = view.load(worker(i));
      if (load.room() == 0) continue;
      const double busy = busyness(load);
      if (best && best_busyness < busy) continue;
      ties = best && best_busyness == busy ? ties + 1 : 1;
      if (dice.below(ties) > 0) continue;  // one of k ties replaces the one before in 1 / k
      best = worker(i);
      best_busyness = busy;
    }
    return best;
  }

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
