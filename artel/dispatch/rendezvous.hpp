#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/rounded_digit.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {

/// Equal keys go to the same worker: rendezvous hashing, with bounded loads and subsets.
///
/// Every key has an order of preference of its own among the workers, in which those of more weight
/// come early more often. The task goes to the first of them that has room and, with `bound`, at
/// most ceil(bound × (tasks + 1) × weight / all weights) tasks then; where all those are full, to
/// the first with room. With `subset`: to the least busy of the first so many. Without a bound,
/// workers that come or go move only the keys that they get or had.
/// The bound is of the moment: when others' tasks end, or workers leave, somebody may be above it,
/// and gets no more until he is below.
/// A task without a key: as Jsq(2).
/// Cost:    O(workers) loads read, and as many log().
/// Requires: 1 <= subset <= kSubsetMax; bound at least 1.
/// Errors:  none; nullopt when no worker has room.
/// Threads: const and free of state: safe from any thread.
/// Source:  Thaler, Ravishankar 1998 (rendezvous); Mirrokni, Thorup, Zadimoghaddam 2018 (bounds).
struct Rendezvous {
  /// Besides queued and capacity.
  static constexpr PolicyInputs kReads{PolicyInput::key, PolicyInput::weight};
  static constexpr std::uint32_t kSubsetMax = 64;

  double bound = std::numeric_limits<double>::infinity();
  std::uint32_t subset = 1;

  /// How far back in the key's order the worker is: less is earlier.
  [[nodiscard]] static double distance(std::uint64_t key, WorkerId id, float weight) {
    std::uint64_t state = key ^ (0xD1B54A32D192ED03U * (index(id) + std::uint64_t{1}));
    const auto hash = splitmix64(state);
    const double uniform = (static_cast<double>(hash >> 11U) + 0.5) * 0x1p-53;
    return -std::log(uniform) / weight;
  }

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    if (draw.key == 0) return Jsq{}.choose(view, draw);
    const double per_weight = most_per_weight(view);
    std::array<Preferred, kSubsetMax> first;  // the first of the key's order, whether free or not
    const std::size_t wanted = std::min(subset, kSubsetMax);
    std::size_t found = 0;
    std::optional<Preferred> any;   // the first that is below its bound …
    std::optional<Preferred> open;  // … or that has room at all
    for (std::size_t i = 0; i < view.size(); ++i) {
      const Load& load = view.load(worker(i));
      if (load.capacity == 0) continue;
      const bool room = load.room() > 0;
      const bool free = room && load.queued + 1.0 <= near_ceil(per_weight * load.weight);
      const Preferred one{distance(draw.key, worker(i), load.weight), worker(i), load.queued, free};
      if (room && (!open || one.distance < open->distance)) open = one;
      if (free && (!any || one.distance < any->distance)) any = one;
      if (wanted > 1) found = insert(first, found, wanted, one);
    }
    const Preferred* best = nullptr;
    for (std::size_t i = 0; i < found; ++i) {
      if (first[i].free && (best == nullptr || first[i].queued < best->queued)) best = &first[i];
    }
    if (best != nullptr) return best->id;
    if (any) return any->id;
    if (open) return open->id;
    return std::nullopt;
  }

 private:
  struct Preferred {
    double distance = 0;
    WorkerId id{};
    std::uint32_t queued = 0;
    bool free = false;
  };

  // Tasks that a worker of weight 1 may have, with the new one; infinity: without a bound.
  template <LoadView View>
  [[nodiscard]] double most_per_weight(const View& view) const {
    if (!std::isfinite(bound)) return bound;
    double tasks = 1;
    double weights = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
      const Load& load = view.load(worker(i));
      if (load.capacity == 0) continue;
      tasks += load.queued;
      weights += load.weight;
    }
    return bound * tasks / weights;
  }

  // Keeps the `wanted` of least distance, in order; returns how many there are.
  static std::size_t insert(std::array<Preferred, kSubsetMax>& first, std::size_t found,
                            std::size_t wanted, const Preferred& one) {
    std::size_t at = found;
    while (at > 0 && one.distance < first[at - 1].distance) --at;
    if (at == wanted) return found;
    const std::size_t kept = std::min(found + 1, wanted);
    for (std::size_t i = kept - 1; i > at; --i) first[i] = first[i - 1];
    first[at] = one;
    return kept;
  }
};

}  // namespace artel::dispatch
