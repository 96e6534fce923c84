#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace artel::trace::detail {

/// Whole numbers in as few bytes as they need: seven bits per byte, the lowest first, the highest
/// bit says that more follow (LEB128). Signed numbers are folded first: 0, -1, 1, -2, …

inline constexpr std::size_t kVarintBytesMax = 10;

/// Returns behind the last byte written; at most kVarintBytesMax bytes.
inline std::byte* put_varint(std::byte* at, std::uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<std::byte>(value | 0x80);
    value >>= 7U;
  }
  *at++ = static_cast<std::byte>(value);
  return at;
}

[[nodiscard]] constexpr std::uint64_t folded(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unfolded(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1U));
}

/// Takes a number off the front of `bytes`; nothing when they end before it does, or when it has
/// more than 64 bits.
[[nodiscard]] inline std::optional<std::uint64_t> take_varint(std::span<const std::byte>& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    if (shift == 63 && byte > 1) return std::nullopt;
    value |= (byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace artel::trace::detail
