#include "artel/sim/kernel/log.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "artel/unit/instant.hpp"

namespace artel::sim {
namespace {

std::string seconds_text(Instant time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t count = time.time_since_epoch().count();
  return fmt::format("{}.{:09}", count / kSecond, count % kSecond);
}

/// The text as a JSON string, quotes included. Bytes beyond ASCII pass as they are (UTF-8).
void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string_view name(LogLevel level) {
  switch (level) {
    case LogLevel::off:
      return "off";
    case LogLevel::error:
      return "error";
    case LogLevel::warning:
      return "warning";
    case LogLevel::info:
      return "info";
    case LogLevel::debug:
      return "debug";
    case LogLevel::event:
      return "event";
  }
  return "?";
}

void TextLog::write(const LogRecord& record) {
  std::string line =
      fmt::format("[{}] {:<7} {}", seconds_text(record.time), name(record.level), record.component);
  if (record.payload.empty()) {
    line += ':';
  } else {
    line += fmt::format(" <- {} {}", record.src, record.payload);
  }
  if (!record.text.empty()) line.append(" ").append(record.text);
  line += '\n';
  out_ << line;
}

void JsonLog::write(const LogRecord& record) {
  std::string line = fmt::format(R"({{"time_ns":{},"level":"{}","component":)",
                                 record.time.time_since_epoch().count(), name(record.level));
  append_json(line, record.component);
  if (!record.payload.empty()) {
    line += R"(,"src":)";
    append_json(line, record.src);
    line += R"(,"payload":)";
    append_json(line, record.payload);
  }
  line += R"(,"text":)";
  append_json(line, record.text);
  line += "}\n";
  out_ << line;
}

}  // namespace artel::sim
