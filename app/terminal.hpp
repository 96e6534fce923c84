#pragma once

#include <optional>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

/// The user's terminal, wherever the standard files go.
class Terminal {
 public:
  /// Errors: io: there is none.
  [[nodiscard]] static Result<Terminal> open();

  /// Whether the answer begins with y. `other`: nobody waits any longer when this file is readable;
  /// then there is no answer.
  [[nodiscard]] std::optional<bool> ask(const std::string& question, int other) const;

 private:
  explicit Terminal(file::OpenFile file) : file_(std::move(file)) {}

  file::OpenFile file_;
};

}  // namespace artel::app
