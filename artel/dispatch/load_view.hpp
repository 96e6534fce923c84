#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/load.hpp"

namespace artel::dispatch {

/// The loads of all workers as a policy sees them: all a host must offer to use every policy.
///
/// The answers depend on the loads alone, so that every view of equal loads gives equal decisions:
///   load(id)         the load of one worker, id < size()
///   least(busyness)  the least busy worker with room; ties go to the lowest id
///   count(group)     how many belong to the group
///   nth(group, k)    the k-th of the group in order of id, from 0; nothing beyond the last
///   next(group, id)  the first of the group at or after `id`, going round; nothing if it is empty
/// A view over atomics that change while it is read may answer from different moments, and may say
/// nothing where a moment ago there was something; the host then checks and asks again.
/// `ScanningView` derives everything from size() and load(), by linear scan.
template <class View>
concept LoadView =
    requires(const View& view, WorkerId id, Group group, std::size_t k, const Busyness& busyness) {
      { view.size() } -> std::same_as<std::size_t>;
      { view.load(id) } -> std::convertible_to<Load>;
      { view.least(busyness) } -> std::same_as<std::optional<WorkerId>>;
      { view.count(group) } -> std::same_as<std::size_t>;
      { view.nth(group, k) } -> std::same_as<std::optional<WorkerId>>;
      { view.next(group, id) } -> std::same_as<std::optional<WorkerId>>;
    };

/// A view that also knows how many workers with room are least busy, by some busyness:
///   indexes(busyness)  whether it knows that by this one
///   count_least()      how many they are
///   nth_least(k)       the k-th of them in order of id, from 0; nothing beyond the last
template <class View>
concept LeastIndex =
    LoadView<View> && requires(const View& view, const Busyness& busyness, std::size_t k) {
      { view.indexes(busyness) } -> std::same_as<bool>;
      { view.count_least() } -> std::same_as<std::size_t>;
      { view.nth_least(k) } -> std::same_as<std::optional<WorkerId>>;
    };

/// The worker of a dense index; the other way is index().
[[nodiscard]] constexpr WorkerId worker(std::size_t index) {
  return static_cast<WorkerId>(static_cast<std::uint32_t>(index));
}

/// Makes a LoadView of a class that has size() and load(id): least(), count(), nth() and next() by
/// linear scan: `class Loads : public ScanningView<Loads>`. What the class can do faster it defines
/// itself.
///
/// Cost: O(workers) per call, one load() per worker looked at.
template <class Derived>
class ScanningView {
 public:
  [[nodiscard]] std::optional<WorkerId> least(const Busyness& busyness) const {
    std::optional<WorkerId> best;
    double best_busyness = 0;
    for (std::size_t i = 0; i < self().size(); ++i) {
      const Load& load = self().load(worker(i));
      if (load.room() == 0) continue;
      const double busy = busyness(load);
      if (best && !(busy < best_busyness)) continue;
      best = worker(i);
      best_busyness = busy;
    }
    return best;
  }

  [[nodiscard]] std::size_t count(Group group) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < self().size(); ++i) found += in(i, group) ? 1 : 0;
    return found;
  }

  [[nodiscard]] std::optional<WorkerId> nth(Group group, std::size_t k) const {
    for (std::size_t i = 0; i < self().size(); ++i) {
      if (in(i, group) && k-- == 0) return worker(i);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<WorkerId> next(Group group, WorkerId from) const {
    const std::size_t size = self().size();
    const std::size_t first = std::min(index(from), size);
    for (std::size_t i = first; i < size; ++i) {
      if (in(i, group)) return worker(i);
    }
    for (std::size_t i = 0; i < first; ++i) {
      if (in(i, group)) return worker(i);
    }
    return std::nullopt;
  }

 private:
  friend Derived;
  ScanningView() = default;

  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }
  [[nodiscard]] bool in(std::size_t i, Group group) const {
    return belongs(self().load(worker(i)), group);
  }
};

}  // namespace artel::dispatch
