#pragma once

namespace artel::scenario::detail {

/// The longest that anything in a scenario takes, in seconds: 31 years. Simulated time ends after
/// nine times as long.
inline constexpr double kSecondsMax = 1e9;

}  // namespace artel::scenario::detail
