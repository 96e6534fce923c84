#include "artel/report/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include "artel/error/error.hpp"

namespace artel::report {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> system_failure(std::string_view action, const std::string& where) {
  return fail(ErrorCode::io, fmt::format("cannot {}: {}", action, std::strerror(errno)), where);
}

// Errors: errno says why.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<void> write_directly(const fs::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return system_failure("write", path.string());
  const bool written = write_all(file, text);
  const bool closed = ::close(file) == 0 || written;  // keep the first reason
  if (!written || !closed) return system_failure("write", path.string());
  return {};
}

// Suffix of the file that is renamed when it is whole; mkostemp fills in the X.
constexpr const char* kTemporary = ".XXXXXX";

// A pipe, a device, a directory: nothing that a rename may replace.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
}

}  // namespace

Result<void> check_writable(const fs::path& path) {
  if (is_special(path)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return system_failure("write", path.string());
    ::close(file);
    return {};
  }
  auto temporary = path.string() + kTemporary;
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return system_failure("create", path.string());
  ::close(file);
  ::unlink(temporary.c_str());
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view text) {
  if (is_special(path)) return write_directly(path, text);
  auto temporary = path.string() + kTemporary;
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return system_failure("create", path.string());
  const mode_t mask =
      ::umask(0);  // mkostemp makes private files; give this one the usual permissions
  ::umask(mask);
  const bool written =
      write_all(file, text) && ::fchmod(file, 0666 & ~mask) == 0 && ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  errno = reason;
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const auto failure = system_failure("write", path.string());
    ::unlink(temporary.c_str());
    return failure;
  }
  return {};
}

Result<void> write_stdout(std::string_view text) {
  if (!write_all(STDOUT_FILENO, text)) return system_failure("write", "standard output");
  return {};
}

}  // namespace artel::report
