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

  /// How much was written; 0: it is not ready, poll it. Requires: SIGPIPE is ignored.
  [[nodiscard]] tl::expected<std::size_t, std::error_code> write(std::string_view text);
  /// How much of it has been taken by the reader of a pipe or socket, at least; of other files,
  /// all.
  [[nodiscard]] std::uint64_t taken();
  /// Whether nobody reads the pipe or socket any more.
  [[nodiscard]] bool is_forsaken() const;
  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  enum class Kind : std::uint8_t { plain, socket, terminal, pipe };

  int file_;
  Kind kind_;
  std::uint64_t written_ = 0;
  std::uint64_t taken_ = 0;  // socket: all that had been written when it was last empty
};

}  // namespace artel::command::detail
