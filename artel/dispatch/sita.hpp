#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Size interval task assignment: short tasks never wait behind long ones.
///
/// The cut-offs part the sizes into cutoffs.size() + 1 intervals, the lower end included; each
/// interval owns an equal block of neighbouring workers and draws one of them uniformly. A full
/// worker's task goes to the next one with room, which is towards the longer sizes first. A task
/// without a hint counts as the shortest.
/// Cost:    O(log cut-offs); next() of the view where the worker drawn is full.
/// Requires: cut-offs strictly ascending, above 0. More intervals than workers share workers.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Harchol-Balter, Crovella, Murta 1999.
struct Sita {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::size};

  std::vector<Duration> cutoffs{};
  /// Without cut-offs: how many intervals `fit` is to make; 0: one per worker. Until then there is
  /// one interval.
  std::uint32_t intervals = 0;

  /// Cut-offs at which every interval carries an equal part of the total work of `sizes`; fewer
  /// where one size alone would fill several intervals.
  /// Cost: O(sizes log sizes). Requires: 1 <= intervals; sizes not empty.
  [[nodiscard]] static std::vector<Duration> equal_load(std::span<const Duration> sizes,
                                                        std::size_t intervals);

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    const std::size_t workers = view.size();
    if (workers == 0) return std::nullopt;
    const std::size_t parts = cutoffs.size() + 1;
    const auto part = static_cast<std::size_t>(
        std::upper_bound(cutoffs.begin(), cutoffs.end(), draw.size) - cutoffs.begin());
    const std::size_t first = part * workers / parts;
    const std::size_t block = std::max((part + 1) * workers / parts, first + 1) - first;
    Dice dice(draw);
    const WorkerId id = worker(first + (block > 1 ? dice.below(block) : 0));
    if (view.load(id).room() > 0) return id;
    return view.next(Group::open, id);
  }
};

}  // namespace artel::dispatch
