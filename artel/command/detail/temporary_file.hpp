#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "artel/core/error.hpp"

namespace artel::command::detail {

/// A file without a name, so that nothing of it outlives the process; made when first written, in
/// $TMPDIR or /tmp.
///
/// Errors:  io, with the folder and the system's reason.
/// Threads: one at a time.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] Result<void> write(std::uint64_t place, std::span<const std::byte> bytes);
  /// What was never written is zeros.
  [[nodiscard]] Result<void> read(std::uint64_t place, std::span<std::byte> bytes) const;
  /// Gives this part's space back, if the file system can; it may be read as zeros then.
  void free(std::uint64_t place, std::uint64_t bytes) const;
  /// Gives all space back.
  void clear();

  /// Whether one could be made now. Errors: why not.
  [[nodiscard]] static Result<void> check();
  /// Bytes that are left where it is made; 0: not known.
  [[nodiscard]] static std::uint64_t space_left();

 private:
  [[nodiscard]] Result<void> create();

  int file_ = -1;
  std::string folder_;
};

}  // namespace artel::command::detail
