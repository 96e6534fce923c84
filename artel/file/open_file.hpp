#pragma once

#include <unistd.h>

#include <utility>

namespace artel::file {

/// A file descriptor that closes itself. Threads: one at a time. Cost: closing is a system call.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int file) : file_(file) {}
  OpenFile(OpenFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~OpenFile() { close(); }

  /// Closes it now, if it is open.
  void close() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
  }
  /// -1: closed, or never opened.
  [[nodiscard]] int get() const { return file_; }

 private:
  int file_ = -1;
};

}  // namespace artel::file
