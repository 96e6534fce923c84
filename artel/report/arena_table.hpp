#pragma once

#include <span>
#include <string>

#include "artel/arena/load_match.hpp"
#include "artel/arena/run_arena.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::report {

/// Who won an arena, and then the regrets of all policies in every scenario. `policies`: those
/// that the matches were loaded with.
[[nodiscard]] std::string arena_table(std::span<const scenario::PolicySpec> policies,
                                      std::span<const arena::Match> matches,
                                      const arena::ArenaResult& result);

/// The same with everything that is known, schema artel.arena/1; see docs/arena.md.
[[nodiscard]] std::string arena_json(std::span<const scenario::PolicySpec> policies,
                                     std::span<const arena::Match> matches,
                                     const arena::ArenaResult& result);

}  // namespace artel::report
