#include "artel/file/protect_inputs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::file {
namespace {

struct Identity {
  dev_t device;
  ino_t inode;
  bool operator==(const Identity&) const = default;
};

// Of a regular file, the only kind that has something to lose.
std::optional<Identity> identity_of(const struct stat& file) {
  if (!S_ISREG(file.st_mode)) return std::nullopt;
  return Identity{file.st_dev, file.st_ino};
}

std::optional<Identity> identity_of(const std::filesystem::path& path) {
  struct stat file{};
  return ::stat(path.c_str(), &file) == 0 ? identity_of(file) : std::nullopt;
}

std::optional<Identity> identity_of(int open_file) {
  struct stat file{};
  return ::fstat(open_file, &file) == 0 ? identity_of(file) : std::nullopt;
}

// One state per process, as the files of a process are: an output does not know which code read the
// inputs.
class Inputs {
 public:
  void protect() {
    const std::lock_guard lock(mutex_);
    protected_ = true;
  }
  bool is_protected() const {
    const std::lock_guard lock(mutex_);
    return protected_;
  }
  void add(const Identity& file, const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    files_.emplace_back(file, path);
  }
  // A file that was removed since may have left its inode to another one, so the path has a say.
  bool has(const Identity& file) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(files_, [&](const auto& input) {
      return input.first == file && identity_of(input.second) == file;
    });
  }

 private:
  mutable std::mutex mutex_;
  bool protected_ = false;
  std::vector<std::pair<Identity, std::filesystem::path>> files_;
};

Inputs& inputs() {
  static Inputs all;
  return all;
}

Result<void> refuse(const std::optional<Identity>& file, const std::filesystem::path& name) {
  if (!file || !inputs().has(*file)) return {};
  return fail(ErrorCode::invalid,
              "the output is also an input of this command; write to another file", name.string());
}

}  // namespace

void protect_inputs() { inputs().protect(); }

Result<void> note_input(const std::filesystem::path& path) {
  if (!inputs().is_protected()) return {};
  const auto file = identity_of(path);
  if (!file) return {};
  if (identity_of(STDOUT_FILENO) == file) {
    return fail(ErrorCode::invalid, "the input is also standard output; write to another file",
                path.string());
  }
  inputs().add(*file, path);
  return {};
}

Result<void> refuse_input(const std::filesystem::path& path) {
  return refuse(identity_of(path), path);
}

Result<void> refuse_input(int file, const std::filesystem::path& name) {
  return refuse(identity_of(file), name);
}

}  // namespace artel::file
