#pragma once

#include <string>
#include <string_view>

namespace artel::file {

/// Appends `text` to `out` as a JSON string, quotes included. What is not valid UTF-8 becomes
/// U+FFFD, byte by byte, so that the result always is valid JSON.
void append_json(std::string& out, std::string_view text);

}  // namespace artel::file
