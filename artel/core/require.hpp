#pragma once

#include <fmt/core.h>

#include <string_view>

namespace artel::error {

/// Prints condition, place, message and values to stderr, then aborts. Called by ARTEL_REQUIRE
/// only.
[[noreturn]] void contract_failed(std::string_view condition, std::string_view file, int line,
                                  std::string_view what, std::string_view names,
                                  fmt::format_args values, std::size_t value_count);

/// The same with the values themselves.
template <class... Values>
[[noreturn, gnu::cold, gnu::noinline]] void contract_failed_with(std::string_view condition,
                                                                 std::string_view file, int line,
                                                                 std::string_view what,
                                                                 std::string_view names,
                                                                 const Values&... values) {
  contract_failed(condition, file, line, what, names, fmt::make_format_args(values...),
                  sizeof...(values));
}

}  // namespace artel::error

/// Checks a programming contract, in release builds too: `ARTEL_REQUIRE(n > 0, "n must be
/// positive", n);` On violation it prints the place, the message and the values, and terminates.
#define ARTEL_REQUIRE(condition, what, ...)                                          \
  do {                                                                               \
    if (!(condition)) [[unlikely]] {                                                 \
      ::artel::error::contract_failed_with(#condition, __FILE__, __LINE__, what,     \
                                           #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__); \
    }                                                                                \
  } while (false)
