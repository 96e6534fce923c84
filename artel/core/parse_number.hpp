#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

#include "artel/core/detail/read_double.hpp"

namespace artel {

/// The number that `text` begins with ("12", "-0.5", "1e3"; for doubles also "nan" and "inf"), in
/// any locale; `text` goes on behind it. Nothing, and `text` as it was, when it begins with none or
/// with one that does not fit.
template <class Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::from_chars_result read{};
#ifndef __cpp_lib_to_chars
  if constexpr (std::same_as<Number, double>)
    read = detail::read_double(begin, end, number);
  else
#endif
    read = std::from_chars(begin, end, number);
  if (read.ec != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - begin));
  return number;
}

/// The whole text as a number, in any locale; nothing when it is none, or there is more to it. See
/// take_number().
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  const auto number = take_number<Number>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace artel
