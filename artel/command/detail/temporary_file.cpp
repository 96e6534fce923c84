#include "artel/command/detail/temporary_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/file/nameless_file.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::command::detail {
Result<void> TemporaryFile::write(std::uint64_t place, std::span<const std::byte> bytes) {
  if (file_.get() < 0) {
    auto created = file::nameless_file();
    if (!created) return fail(created);
    file_ = *std::move(created);
  }
  while (!bytes.empty()) {
    const auto count = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return file::system_failure("write a temporary file", file::nameless_file_folder());
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  return {};
}

Result<void> TemporaryFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  while (!bytes.empty() && file_.get() >= 0) {
    const auto count = ::pread(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return file::system_failure("read a temporary file", file::nameless_file_folder());
    if (count == 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  std::ranges::fill(bytes, std::byte{0});
  return {};
}

void TemporaryFile::free(std::uint64_t place, std::uint64_t bytes) const {
  if (file_.get() < 0) return;
  static_cast<void>(::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(place), static_cast<off_t>(bytes)));
}

std::uint64_t TemporaryFile::space_left() {
  std::error_code unknown;
  const auto space = std::filesystem::space(file::nameless_file_folder(), unknown);
  return unknown ? 0 : space.available;
}

void TemporaryFile::clear() { file_.close(); }

}  // namespace artel::command::detail
