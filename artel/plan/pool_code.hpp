#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "artel/plan/plan_result.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::plan {

/// The pool that a row of a plan asks for: as many workers, its policy, its bounds.
///
/// A bound of 1 on worker queues, and none, both become the pool's own bound, about 100 us of work:
/// then the rest waits in the common queue, and idle workers take over what waits elsewhere, which
/// is never worse than what was simulated. Errors: nullopt when the row has no answer, or one
/// beyond a pool's most workers, or workers that no pool has (slots, say).
[[nodiscard]] std::optional<pool::PoolOptions> pool_options(const PlanResult& plan,
                                                            const PlanRow& row);

/// A C++ program's piece that makes a pool with these options: compiles as it is, at namespace
/// scope. Requires: what pool_options() returns.
[[nodiscard]] std::string pool_code(const pool::PoolOptions& options);

}  // namespace artel::plan
