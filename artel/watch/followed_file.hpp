#pragma once

#include <filesystem>
#include <functional>
#include <istream>
#include <memory>

#include "artel/core/error.hpp"

namespace artel::watch {

/// A text file that grows, as a stream that gives whole lines and waits at the end for more. When
/// the file is replaced by another of its name, or cut short (rotation), it goes on with the new
/// one, whose first line is passed over if it is that of the first file: a line of column names.
/// What the old one has after its last line end is a line of its own.
///
/// Threads: one at a time.
class FollowedFile : public std::istream {
 public:
  /// Called at the end of what there is: waits a while; false: the stream ends here.
  using AtEnd = std::function<bool()>;

  /// Errors: those of file::open_text_file(); unsupported: it is packed.
  [[nodiscard]] static Result<std::unique_ptr<FollowedFile>> open(const std::filesystem::path& path,
                                                                  AtEnd at_end);
  ~FollowedFile() override;
  FollowedFile(const FollowedFile&) = delete;
  FollowedFile& operator=(const FollowedFile&) = delete;

 private:
  class Lines;
  explicit FollowedFile(std::unique_ptr<Lines> lines);
  std::unique_ptr<Lines> lines_;
};

}  // namespace artel::watch
