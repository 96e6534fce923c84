#pragma once

#include <cstddef>
#include <span>

namespace artel::stat {

/// How many of the first observations to drop, because the run had not settled yet (MSER-5).
///
/// Of all cuts between batches of 5, takes the one after which the mean of the rest has the least
/// estimated squared error, sum of squared distances / count²; ties go to the earliest. It never
/// drops more than half: a result close to values.size() / 2 says that the run is too short to
/// tell. Feed it observations in order of time, or their averages over equal spans of it.
///
/// Gives a multiple of 5, at most values.size() / 2; of fewer than 10 observations 0.
/// Cost:    O(n).
/// Source:  K. P. White, M. J. Cobb, S. C. Spratt, A Comparison of Five Steady-State Truncation
///          Heuristics for Simulation (2000).
[[nodiscard]] std::size_t mser5(std::span<const double> values);

}  // namespace artel::stat
