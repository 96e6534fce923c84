#include "artel/sim/kernel/log_sink.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/file/append_json.hpp"

namespace artel::sim {
namespace {

std::string seconds_text(Instant time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t count = time.time_since_epoch().count();
  return fmt::format("{}.{:09}", count / kSecond, count % kSecond);
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
    case LogLevel::process:
      return "process";
    case LogLevel::event:
      return "event";
  }
  return "?";
}

void TextLog::write(const LogRecord& record) {
  std::string line =
      fmt::format("[{}] {:<7} {}", seconds_text(record.time), name(record.level), record.component);
  if (!record.process.empty()) line.append(", ").append(record.process);
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
  file::append_json(line, record.component);
  if (!record.process.empty()) {
    line += R"(,"process":)";
    file::append_json(line, record.process);
  }
  if (!record.payload.empty()) {
    line += R"(,"src":)";
    file::append_json(line, record.src);
    line += R"(,"payload":)";
    file::append_json(line, record.payload);
  }
  line += R"(,"text":)";
  file::append_json(line, record.text);
  line += "}\n";
  out_ << line;
}

}  // namespace artel::sim
