#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "artel/logs/log_stream.hpp"

namespace artel::logs::detail {

/// Files that are read one after the other, told as one. Must outlive what next() gives.
class FilesProgress {
 public:
  /// Pipes count from when they are read.
  FilesProgress(std::span<const std::filesystem::path> files, BytesRead hears)
      : hears_(std::move(hears)) {
    if (!hears_) return;
    for (const auto& file : files) {
      std::error_code none;
      const auto bytes = std::filesystem::file_size(file, none);
      if (!none) total_ += bytes;
    }
  }

  /// For the reader of the next file.
  [[nodiscard]] BytesRead next() {
    before_ = done_;
    if (!hears_) return {};
    return [this](std::uint64_t done, std::uint64_t /*of_this*/) {
      done_ = before_ + done;
      hears_(done_, std::max(done_, total_));
    };
  }

  /// All files have been read as far as that was of use.
  void finish() const {
    const auto all = std::max(done_, total_);
    if (hears_) hears_(all, all);
  }

 private:
  BytesRead hears_;
  std::uint64_t total_ = 0, before_ = 0, done_ = 0;
};

}  // namespace artel::logs::detail
