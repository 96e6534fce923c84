#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace artel {

/// The allowed name that `found` was most likely meant to be, if one is close enough to suggest.
///
/// Distance: insertions, deletions, substitutions and swaps of neighbours, case ignored; at most a
/// third of the length.
[[nodiscard]] std::optional<std::string_view> nearest_name(
    std::string_view found, std::span<const std::string_view> allowed);

/// "unknown <kind> 'found' (did you mean 'x'?); allowed: a, b, c"
[[nodiscard]] std::string unknown_name(std::string_view kind, std::string_view found,
                                       std::span<const std::string_view> allowed);

}  // namespace artel
