#pragma once

#include <cstdint>
#include <optional>

#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan::detail {

/// The pool with another number of workers, in the same mix: of the kinds that the pool has (speed
/// and queue bound), the one that is most wanting comes next. A larger pool has all workers of a
/// smaller one. Requires: 1 <= workers.
[[nodiscard]] scenario::PoolSettings resized(const scenario::PoolSettings& pool,
                                             std::uint32_t workers);

/// The bound that holds for every worker under that policy; nullopt: they have different ones.
[[nodiscard]] std::optional<std::uint32_t> queue_bound_of(const scenario::PoolSettings& pool,
                                                          const scenario::PolicySpec& policy);

/// The fewest workers, at most `max`, with which the pool has a load below 1 if it takes all tasks,
/// and enough of them for the copies of a task that callers send, and for one to be left out by
/// ejection. A replayed trace ends, whatever its load. nullopt: more than max.
[[nodiscard]] std::optional<std::uint32_t> fewest_workers(const scenario::Scenario& scenario,
                                                          const scenario::PolicySpec& policy,
                                                          std::uint32_t max);

}  // namespace artel::plan::detail
