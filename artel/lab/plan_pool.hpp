#pragma once

#include <cstdint>
#include <optional>

#include "artel/lab/scenario.hpp"

namespace artel::lab {

/// The pool with another number of workers, in the same mix: of the kinds that the pool has (speed
/// and queue bound), the one that is most wanting comes next. A larger pool has all workers of a
/// smaller one. Shape: 1 <= workers.
[[nodiscard]] Pool resized(const Pool& pool, std::uint32_t workers);

/// The bound that holds for every worker under that policy; nullopt: they have different ones.
[[nodiscard]] std::optional<std::uint32_t> queue_bound_of(const Pool& pool,
                                                          const PolicySpec& policy);

/// The fewest workers, at most `max`, with which the pool has a load below 1 if it takes all tasks,
/// and enough of them for a task's parts. A replayed trace ends, whatever its load. nullopt: more
/// than max.
[[nodiscard]] std::optional<std::uint32_t> fewest_workers(const Scenario& scenario,
                                                          const PolicySpec& policy,
                                                          std::uint32_t max);

}  // namespace artel::lab
