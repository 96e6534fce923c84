#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command::detail {

/// A file without a name, made when first written.
///
/// Errors:  those of nameless_file; io, with the system's reason.
/// Threads: one at a time.
class TemporaryFile {
 public:
  [[nodiscard]] Result<void> write(std::uint64_t place, std::span<const std::byte> bytes);
  /// What was never written is zeros.
  [[nodiscard]] Result<void> read(std::uint64_t place, std::span<std::byte> bytes) const;
  /// Gives this part's space back, if the file system can; it may be read as zeros then.
  void free(std::uint64_t place, std::uint64_t bytes) const;
  /// Gives all space back.
  void clear();

  /// Bytes that are left where it is made; 0: not known.
  [[nodiscard]] static std::uint64_t space_left();

 private:
  file::OpenFile file_;
};

}  // namespace artel::command::detail
