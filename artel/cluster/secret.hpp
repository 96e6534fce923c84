#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "artel/core/error.hpp"

namespace artel::cluster {

/// A password or a token. It has no way into a message or a log but reveal(): nothing converts,
/// prints or formats it.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  /// The first line of a file. Errors: as read_text_file(), or the file is empty.
  [[nodiscard]] static Result<Secret> from_file(const std::filesystem::path& path);
  /// The value of an environment variable, which is wiped out there: neither child processes nor
  /// /proc/PID/environ have it any more. Empty if there is none. Not beside other threads that use
  /// the environment.
  [[nodiscard]] static Secret take_from_environment(const char* variable);

  /// 192 random bits, in hexadecimal digits. Errors: io: the system has no randomness.
  [[nodiscard]] static Result<Secret> random();

  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// For the call that hands it to the engine, and nothing else.
  [[nodiscard]] const std::string& reveal() const { return text_; }

 private:
  std::string text_;
};

}  // namespace artel::cluster
