#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::scenario::detail {

/// Most blocks of one task.
inline constexpr std::uint64_t kBlocksMax = 1'000'000;

/// Appends the keys that a field of a trace names: whole numbers with blanks between, of which
/// "3-6" is 3 4 5 6. Returns true. Errors: anything else, a range that goes down, more than
/// kBlocksMax.
[[nodiscard]] Result<bool> read_prefix(std::string_view text, std::vector<std::uint64_t>& keys);

}  // namespace artel::scenario::detail
