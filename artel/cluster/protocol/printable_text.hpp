#pragma once

#include <cstdint>
#include <string>

namespace artel::cluster {

/// Whether a text may have several lines.
enum class Lines : std::uint8_t {
  one,      ///< a name: no newline and no tab
  several,  ///< what somebody says: newlines and tabs stay
};

/// The text with a '?' for each byte, or character, that would do more on a terminal than be seen:
/// control characters (C0, DEL, C1) and what is not UTF-8.
[[nodiscard]] std::string printable_text(std::string text, Lines lines);

}  // namespace artel::cluster
