#include "artel/cluster/protocol/printable_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace artel::cluster {
namespace {

constexpr std::uint32_t kC1End = 0xa0;  // from 0x80 on, controls
constexpr std::uint32_t kSurrogates = 0xd800;
constexpr std::uint32_t kSurrogatesEnd = 0xe000;
constexpr std::uint32_t kCodePointEnd = 0x110000;

// Bytes of the sequence that begins with it; 0: none does.
std::size_t length_of(unsigned char first) {
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

// How many bytes of the beginning are one character beyond ASCII; 0: it is not UTF-8. `code`: it.
std::size_t character_at(std::string_view text, std::uint32_t& code) {
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = length_of(first);
  if (length == 0 || text.size() < length) return 0;
  code = first & (0xffU >> (length + 1));
  for (const char c : text.substr(1, length - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) != 0x80) return 0;
    code = (code << 6U) | (byte & 0x3fU);
  }
  const bool sound = code >= kLeast.at(length) && code < kCodePointEnd &&
                     (code < kSurrogates || code >= kSurrogatesEnd);
  return sound ? length : 0;
}

}  // namespace

std::string printable_text(std::string text, Lines lines) {
  const auto is_plain = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte < 0x7f) || (lines == Lines::several && (c == '\n' || c == '\t'));
  };
  if (std::ranges::all_of(text, is_plain)) return text;
  std::string seen;
  seen.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    std::uint32_t code = 0;
    const bool ascii = static_cast<unsigned char>(rest.front()) < 0x80;
    const std::size_t length = ascii ? 1 : character_at(rest, code);
    const bool shown = ascii ? is_plain(rest.front()) : length > 0 && code >= kC1End;
    const std::size_t taken = std::max<std::size_t>(length, 1);
    shown ? seen.append(rest.substr(0, taken)) : seen.append("?");
    rest.remove_prefix(taken);
  }
  return seen;
}

}  // namespace artel::cluster
