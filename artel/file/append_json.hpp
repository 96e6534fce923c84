#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace artel::file {

/// Appends `text` to `out` as a JSON string, quotes included. What is not valid UTF-8 becomes
/// U+FFFD, byte by byte, so that the result always is valid JSON.
void append_json(std::string& out, std::string_view text);

/// Appends a number that reads back as the same; null if there is none, or it is not finite.
void append_json_number(std::string& out, std::optional<double> number);

}  // namespace artel::file
