#pragma once

#include <cstdint>

namespace artel::dispatch {

/// What artel's pool of threads does instead of taking over: held tasks wait until a worker runs
/// out, which takes as many of them as it has room for, or half of what waits at the next worker
/// where something waits. An idle worker is woken for tasks that are bound to busy ones.
enum class Stealing : std::uint8_t {
  none,         ///< held tasks are bound as soon as anybody has room
  before_held,  ///< looks at other workers first: their tasks came before the held ones
  after_held,   ///< looks at the held tasks first: with short ones the cheaper way
};

/// Where a held task waits; but for the usual one for hosts that steal.
enum class Precedence : std::uint8_t {
  first,  ///< before all others that wait anywhere
  usual,  ///< in order of arrival
  last,   ///< until nothing else waits
};
/// Tasks that a worker steals from another at most, at a time.
inline constexpr std::uint32_t kStolenMax = 32;

}  // namespace artel::dispatch
