#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

namespace artel::command::detail {

/// Writes to a file that belongs to others too (stdout), without blocking and without changing its
/// flags: pipes and terminals get as much at a time as they take for sure when they are ready.
///
/// Threads: one at a time.
class OutputStream {
 public:
  /// Does not own `file`.
  explicit OutputStream(int file);

  /// How much was written; 0: it is not ready, poll it. Shape: SIGPIPE is ignored.
  [[nodiscard]] tl::expected<std::size_t, std::error_code> write(std::string_view text) const;
  [[nodiscard]] int file() const { return file_; }

 private:
  enum class Kind : std::uint8_t { plain, socket, slow };

  int file_;
  Kind kind_;
};

}  // namespace artel::command::detail
