#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim {

/// How much a component tells; each level includes those before it.
enum class LogLevel : std::uint8_t {
  off,      ///< nothing
  error,    ///< what should not be
  warning,  ///< what may be a mistake
  info,     ///< what is worth knowing
  debug,    ///< what helps to find a mistake
  process,  ///< what processes do: spawned, starts, waits for what, resumes, finished, cancelled…
  event,    ///< every delivery too
};

/// One line of the log.
struct LogRecord {
  Instant time;  ///< simulated
  LogLevel level{};
  std::string_view component;  ///< who says it; for a delivery, who gets the event
  std::string_view text;       ///< the message; for a delivery, the payload if it can be formatted
  std::string_view payload;    ///< for a delivery, the payload's type
  std::string_view src;        ///< for a delivery, who emitted the event
  std::string_view process;    ///< at LogLevel::process, whom it is about: number and source line
};

/// Where log lines go.
class LogSink {
 public:
  virtual ~LogSink() = default;
  /// Takes one line. The texts of the record are gone when it returns.
  virtual void write(const LogRecord& record) = 0;
};

/// "[12.345000000] info    node-1: text", "[12.345000000] event   node-1 <- node-2 Ping text" and
/// "[12.345000000] process node-1, process 3 (model.cpp:42): waits for Pong from node-2".
class TextLog final : public LogSink {
 public:
  explicit TextLog(std::ostream& out) : out_(out) {}
  void write(const LogRecord& record) override;

 private:
  std::ostream& out_;
};

/// One JSON object a line: {"time_ns":…,"level":"info","component":"node-1","text":"…"}, for a
/// delivery also "payload" and "src", for a process "process".
class JsonLog final : public LogSink {
 public:
  explicit JsonLog(std::ostream& out) : out_(out) {}
  void write(const LogRecord& record) override;

 private:
  std::ostream& out_;
};

/// "debug", "info", …: the name of the enumerator.
[[nodiscard]] std::string_view name(LogLevel level);

}  // namespace artel::sim
