#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/unit/id.hpp"

namespace artel::dispatch {

/// JSQ(d): looks at d different workers drawn uniformly and takes the least busy of them; among
/// equals the one drawn first. When none of the d has room: uniform among those that have.
///
/// Cost:    O(d) loads read, d² / 4 comparisons of indices; independent of the number of workers.
/// Shape:   1 <= d <= kChoicesMax.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Mitzenmacher 1996; Vvedenskaya, Dobrushin, Karpelevich 1996.
struct Jsq {
  static constexpr std::uint32_t kChoicesMax = 64;

  std::uint32_t d = 2;
  Busyness busyness{};

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    const std::size_t workers = view.size();
    const std::size_t choices = std::min<std::size_t>({d, kChoicesMax, workers});
    Dice dice(draw);
    std::array<std::uint32_t, kChoicesMax>
        drawn;  // NOLINT(*-member-init): filled as drawn, ascending
    std::optional<WorkerId> best;
    double best_busyness = 0;
    for (std::size_t i = 0; i < choices; ++i) {
      std::uint32_t pick = dice.below(workers - i);  // the pick-th of those not drawn yet
      std::size_t place = 0;
      for (; place < i && drawn[place] <= pick; ++place) ++pick;
      for (std::uint32_t next = pick; place <= i; ++place) std::swap(next, drawn[place]);

      const Load& load = view.load(worker(pick));
      if (load.room() == 0) continue;
      const double busy = busyness(load);
      if (best && !(busy < best_busyness)) continue;
      best = worker(pick);
      best_busyness = busy;
    }
    return best ? best : random_open(view, dice);
  }
};

}  // namespace artel::dispatch
