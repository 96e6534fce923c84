#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace artel::cluster::detail {

inline constexpr std::size_t kNumberBytes = 8;

/// A number as kNumberBytes bytes, the lowest first.
[[nodiscard]] std::string bytes_of(std::uint64_t number);
/// The number that these begin with. Requires: there are as many.
[[nodiscard]] std::uint64_t number_of(std::string_view bytes);

}  // namespace artel::cluster::detail
