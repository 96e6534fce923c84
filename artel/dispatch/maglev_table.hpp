#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::dispatch {

/// Which worker has which keys: a table in which every worker fills places in an order of its own,
/// turn by turn, in proportion to its weight. Workers have equal parts to within a place each, and
/// few places change hands when workers come or go, beyond those that have to.
///
/// Cost:    at O(1); making O(places), allocates.
/// Threads: const after construction: safe from any thread.
/// Source:  Eisenbud et al., "Maglev", NSDI 2016.
class MaglevTable {
 public:
  /// Nobody has anything.
  MaglevTable() = default;
  /// Finite weights, at least 0; a worker of weight 0 has no place. Requires: `places` is prime.
  MaglevTable(std::span<const double> weights, std::uint32_t places);

  /// How many places there are; 0: nobody has anything.
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// The worker of a place. Requires: place < size().
  [[nodiscard]] WorkerId at(std::size_t place) const { return places_[place]; }

 private:
  std::vector<WorkerId> places_;
};

/// Whether a number of places will do: a MaglevTable needs a prime one.
[[nodiscard]] bool is_prime(std::uint32_t number);

}  // namespace artel::dispatch
