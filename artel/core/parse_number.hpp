#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace artel {

/// The whole text as a number ("12", "-0.5", "1e3"; for doubles also "nan" and "inf"), in any
/// locale; nothing when there is more to it, or when it does not fit.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stopped, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

}  // namespace artel
