#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {

/// A folder of this process's own that goes with it, however the process ends: a shell of ours,
/// which made the folder, waits for that and removes it.
///
/// Cost:    a process as long as it is there.
/// Threads: one at a time.
class ScratchFolder {
 public:
  /// For its owner alone, `prefix` and six characters: in `parent`, or else where $TMPDIR says, or
  /// in /tmp. Errors: io, with the reason.
  [[nodiscard]] static Result<ScratchFolder> make(std::string_view prefix,
                                                  std::filesystem::path parent = {});

  ScratchFolder(ScratchFolder&& other) noexcept = default;
  ScratchFolder& operator=(ScratchFolder&& other) = delete;
  /// Removes it, with all that is in it.
  ~ScratchFolder();

  /// Absolute if `parent` and $TMPDIR are.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(Child cleaner, file::OpenFile alive)
      : cleaner_(std::move(cleaner)), alive_(std::move(alive)) {}

  Child cleaner_;
  file::OpenFile alive_;  // as long as this process has it open, the cleaner waits
  std::filesystem::path path_;
};

}  // namespace artel::command
