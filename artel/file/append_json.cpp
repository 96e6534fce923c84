#include "artel/file/append_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace artel::file {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// The length of the valid UTF-8 sequence (beyond ASCII) at the beginning; 0 when there is none.
/// The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF
/// (Unicode standard, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  }
  if (length == 0 || text.size() < length) return 0;
  if (byte_at(text, 1) < low || byte_at(text, 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80) return 0;
  }
  return length;
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const char c = text.front();
    std::size_t length = 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte_at(text, 0) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte_at(text, 0));
    } else if (byte_at(text, 0) < 0x80) {
      out += c;
    } else {
      length = sequence_length(text);
      out += length == 0 ? "\\ufffd" : text.substr(0, length);
      if (length == 0) length = 1;
    }
    text.remove_prefix(length);
  }
  out += '"';
}

void append_json_number(std::string& out, std::optional<double> number) {
  out += number && std::isfinite(*number) ? fmt::format("{}", *number) : "null";
}

}  // namespace artel::file
