#pragma once

#include <fmt/core.h>

#include <concepts>
#include <string>
#include <string_view>

namespace artel {

/// How many of what there are, the noun in its number: "1 worker", "3 workers". For nouns that
/// take an s.
[[nodiscard]] std::string how_many(std::integral auto number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace artel
