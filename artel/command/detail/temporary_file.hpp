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
  /// Gives the space back.
  void clear();

 private:
  [[nodiscard]] Result<void> create();

  int file_ = -1;
  std::string folder_;
};

}  // namespace artel::command::detail
