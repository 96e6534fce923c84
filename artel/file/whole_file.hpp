#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::file {

/// Who may read a new file, and what becomes of an old one.
struct WholeFileOptions {
  bool owner_only = false;  ///< nobody else reads it, whatever the umask allows
  bool replace = true;      ///< false: there must be no such file yet, not even when it is done
};

/// A file in the making that appears under its name whole or not at all: it is written beside it
/// under a temporary name, and renamed by commit(). Without commit() nothing stays behind and an
/// old file of that name is untouched. A path that is no regular file (a pipe, /dev/stdout) is
/// written to directly; behind a symbolic link the file that it leads to is replaced, not the link.
///
/// Errors:  io with the path and the system's reason; invalid for an input, see protect_inputs.hpp.
/// Cost:    write() a system call, commit() waits for the disk.
/// Threads: one at a time.
class WholeFile {
 public:
  /// Begins a file that is to be called `path`.
  [[nodiscard]] static Result<WholeFile> create(const std::filesystem::path& path,
                                                WholeFileOptions options = {});
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&& other) noexcept;
  ~WholeFile();

  /// Not buffered: hand over big pieces.
  Result<void> write(std::string_view text);
  /// Makes sure that everything is on the disk and gives the file its name. To be called once.
  Result<void> commit();

  /// The name that it is to have.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  WholeFile(std::filesystem::path path, std::string temporary, int file, WholeFileOptions options);
  void discard();

  std::string path_;
  std::filesystem::path target_;  // what path_ is, behind links
  std::string temporary_;         // empty: written to directly
  int file_ = -1;                 // -1: closed
  WholeFileOptions options_;
};

/// Writes all of `text` to a file descriptor. Errors: false, and errno says why.
[[nodiscard]] bool write_all(int file, std::string_view text);

}  // namespace artel::file
