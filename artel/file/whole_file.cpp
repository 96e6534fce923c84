#include "artel/file/whole_file.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/protect_inputs.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::file {
namespace {

namespace fs = std::filesystem;

// A pipe, a device, a directory: nothing that a rename may replace.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
}

// /dev/stdout, /dev/fd/3 and the like: the number of a file that is open already. To open it by its
// name would write from its beginning again, and to rename to its name would replace the name.
std::optional<int> open_already(const fs::path& path) {
  std::string_view name = path.native();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (name.starts_with(folder)) return parse_number<int>(name.substr(folder.size()));
  }
  return std::nullopt;
}

// The file that a link leads to; a link that leads nowhere is replaced itself.
fs::path behind_links(const fs::path& path) {
  std::error_code broken;
  if (!fs::is_symlink(path, broken)) return path;
  auto target = fs::canonical(path, broken);
  return broken ? path : target;
}

// mkostemp makes private files: gives this one the usual permissions.
bool allow_others(int file) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(file, 0666 & ~mask) == 0;
}

// What cannot rename like that, as NFS, still does not put a link in the place of a file.
bool give_name(const char* from, const char* to, bool replace) {
  if (replace) return ::rename(from, to) == 0;
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  return errno == EINVAL && ::link(from, to) == 0 && ::unlink(from) == 0;
}

}  // namespace

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

WholeFile::WholeFile(fs::path path, std::string temporary, int file, WholeFileOptions options)
    : path_(path.string()),
      target_(temporary.empty() ? std::move(path) : behind_links(path)),
      temporary_(std::move(temporary)),
      file_(file),
      options_(options) {}

Result<WholeFile> WholeFile::create(const fs::path& path, WholeFileOptions options) {
  std::error_code ignored;
  if (!options.replace && fs::exists(fs::symlink_status(path, ignored))) {
    errno = EEXIST;
    return system_failure("create", path.string());
  }
  if (const auto input = refuse_input(path); !input) return fail(input);
  const auto open = open_already(path);
  if (open || is_special(path)) {
    const int file =
        open ? ::fcntl(*open, F_DUPFD_CLOEXEC, 3) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return system_failure("write", path.string());
    return WholeFile(path, {}, file, options);
  }
  std::string temporary = behind_links(path).string() + ".XXXXXX";  // mkostemp fills in the X
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return system_failure("create", path.string());
  return WholeFile(path, std::move(temporary), file, options);
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, -1)),
      options_(other.options_) {}

WholeFile& WholeFile::operator=(WholeFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(target_, other.target_);
  std::swap(temporary_, other.temporary_);
  std::swap(file_, other.file_);
  std::swap(options_, other.options_);
  return *this;
}

WholeFile::~WholeFile() { discard(); }

Result<void> WholeFile::write(std::string_view text) {
  if (!write_all(file_, text)) return system_failure("write", path_);
  return {};
}

Result<void> WholeFile::commit() {
  if (temporary_.empty()) {
    if (::close(std::exchange(file_, -1)) != 0) return system_failure("write", path_);
    return {};
  }
  if (const auto input = refuse_input(target_); !input) {  // noted since create()
    discard();
    return input;
  }
  if ((!options_.owner_only && !allow_others(file_)) || ::fsync(file_) != 0 ||
      !give_name(temporary_.c_str(), target_.c_str(), options_.replace)) {
    const auto failure = system_failure("write", path_);
    discard();
    return failure;
  }
  ::close(std::exchange(file_, -1));
  return {};
}

void WholeFile::discard() {
  if (file_ < 0) return;
  ::close(std::exchange(file_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

}  // namespace artel::file
