#pragma once

#include <string_view>

namespace artel::command::detail {

/// Whether no shell gives this character a meaning of its own within a word. At the beginning of a
/// word some do: "=x", "%x".
[[nodiscard]] inline bool is_plain_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./,:=@%+").find(c) != std::string_view::npos;
}

/// Of ASCII.
[[nodiscard]] inline bool is_control_character(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace artel::command::detail
