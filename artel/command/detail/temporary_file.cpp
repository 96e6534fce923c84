#include "artel/command/detail/temporary_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

#include "artel/core/error.hpp"

namespace artel::command::detail {
namespace {

tl::unexpected<Error> system_failure(std::string_view action, const std::string& folder) {
  return fail(ErrorCode::io,
              fmt::format("cannot {} a temporary file: {}", action,
                          std::error_code(errno, std::generic_category()).message()),
              folder);
}

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

// Not every file system knows files without a name.
int open_and_unlink(const std::string& folder) {
  std::string path = folder + "/artel.XXXXXX";  // mkostemp fills in the X
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(path.c_str());
  return file;
}

}  // namespace

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) ::close(file_);
}

Result<void> TemporaryFile::create() {
  folder_ = temporary_folder();
  file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (file_ < 0) file_ = open_and_unlink(folder_);
  if (file_ < 0) return system_failure("create", folder_);
  return {};
}

Result<void> TemporaryFile::write(std::uint64_t place, std::span<const std::byte> bytes) {
  if (file_ < 0) {
    if (auto created = create(); !created) return created;
  }
  while (!bytes.empty()) {
    const auto count = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure("write", folder_);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  return {};
}

Result<void> TemporaryFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  while (!bytes.empty() && file_ >= 0) {
    const auto count = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure("read", folder_);
    if (count == 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  std::ranges::fill(bytes, std::byte{0});
  return {};
}

void TemporaryFile::free(std::uint64_t place, std::uint64_t bytes) const {
  if (file_ < 0) return;
  static_cast<void>(::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(place), static_cast<off_t>(bytes)));
}

Result<void> TemporaryFile::check() {
  TemporaryFile file;
  return file.create();
}

std::uint64_t TemporaryFile::space_left() {
  struct statvfs status{};
  if (::statvfs(temporary_folder().c_str(), &status) != 0) return 0;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

void TemporaryFile::clear() {
  if (file_ < 0) return;
  ::close(file_);
  file_ = -1;
}

}  // namespace artel::command::detail
