#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "artel/arena/load_match.hpp"
#include "artel/arena/standings.hpp"

namespace artel::arena {

/// How long policies meet.
struct ArenaOptions {
  std::uint32_t replications = 10;  ///< of every policy in every scenario
  /// Asked after every round, which is one replication of every policy in every scenario, from
  /// kRoundsMin on: true ends it there. Empty: never.
  std::function<bool()> enough{};
  unsigned jobs = 1;       ///< threads; results do not depend on it
  std::stop_token stop{};  ///< asked to stop: what the rounds that are over say
  /// How far it is, in replications; from any thread, one call at a time.
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// With fewer rounds an interval says next to nothing; stopped, there may be fewer.
inline constexpr std::uint32_t kRoundsMin = 3;

/// What came out.
struct ArenaResult {
  std::vector<Standing> standings;  ///< the winner first; empty: stopped before a round was over
  std::uint32_t replications = 0;   ///< rounds that are over: all that the standings know
  bool complete = true;             ///< false: stopped
};

/// Runs every policy in every scenario; all meet the same tasks (common random numbers).
///
/// The standings are a function of the matches and of ArenaResult::replications alone: who ends it
/// early gets what the same number of replications would have given.
/// Requires: all matches were loaded with the same policies.
[[nodiscard]] ArenaResult run_arena(std::span<const Match> matches, const ArenaOptions& options);

}  // namespace artel::arena
