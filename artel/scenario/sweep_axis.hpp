#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/scenario/override.hpp"

namespace artel::scenario {

/// The values that one key goes through, as TOML text: "pool.workers" -> "16", "20", …
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
  std::string where;  ///< stands in front of errors: "--sweep pool.workers=16..48:4"
};

/// Reads "pool.workers=8..32:4" (both ends included, step 1 unless given) or
/// "pool.workers=8,16,24", the argument of --sweep. Numbers may have decimals; lists may hold
/// anything. Errors: parse, with what is expected; more than kSweepPointsMax values.
[[nodiscard]] Result<SweepAxis> parse_sweep(std::string_view argument);

/// Reads the part behind the "=" alone. Errors: as parse_sweep().
[[nodiscard]] Result<std::vector<std::string>> parse_sweep_values(std::string_view text);

/// One override per axis for every combination; the last axis changes fastest. No axes: one empty
/// combination.
/// Errors: more than kSweepPointsMax combinations, more than kSweepAxesMax axes, two for one key.
[[nodiscard]] Result<std::vector<std::vector<Override>>> combinations(
    std::span<const SweepAxis> axes);

/// Combinations of one study, at most.
inline constexpr std::size_t kSweepPointsMax = 1'000;
/// Axes of one study, at most.
inline constexpr std::size_t kSweepAxesMax = 10;

}  // namespace artel::scenario
