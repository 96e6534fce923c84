#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/maglev_table.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// The table of a view's workers, by `Load::weight`; workers that have left have no place.
template <LoadView View>
[[nodiscard]] MaglevTable maglev_table_of(const View& view, std::uint32_t places) {
  std::vector<double> weights(view.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Load& load = view.load(worker(i));
    weights[i] = load.capacity > 0 ? double{load.weight} : 0.0;
  }
  return MaglevTable(weights, places);
}

/// Equal keys go to the same worker: Maglev hashing. Evener parts than Rendezvous and a decision
/// that is O(1), at the price of a few more keys that move when workers come or go.
///
/// A full worker's task goes to the owner of the next place that has room. A task without a key: as
/// Jsq(2).
/// Cost:    O(1) with the table in the draw, which the host makes anew when workers come or go;
///          without it the table is made for this one decision (O(places), allocates).
/// Requires: places is prime, 100 times as many as workers or more for parts within 1%.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Eisenbud et al., "Maglev", NSDI 2016.
struct Maglev {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::key, PolicyInput::weight};

  std::uint32_t places = 65'537;

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    if (draw.key == 0) return Jsq{}.choose(view, draw);
    if (draw.table != nullptr) return from(*draw.table, view, draw.key);
    return from(maglev_table_of(view, places), view, draw.key);
  }

 private:
  template <LoadView View>
  [[nodiscard]] static std::optional<WorkerId> from(const MaglevTable& table, const View& view,
                                                    std::uint64_t key) {
    constexpr std::size_t kLooks = 64;  // beyond them any worker will do
    WorkerId last{};
    const std::size_t first = table.size() == 0 ? 0 : splitmix64(key) % table.size();
    for (std::size_t i = 0; i < kLooks && i < table.size(); ++i) {
      const WorkerId id = table.at((first + i) % table.size());
      if (index(id) >= view.size()) continue;  // it has left since the table was made
      if (view.load(id).room() > 0) return id;
      last = id;
    }
    return view.next(Group::open, last);
  }
};

}  // namespace artel::dispatch
