#pragma once

#include <filesystem>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/file/whole_file.hpp"

namespace artel::file {

/// Writes a file whole or not at all, see WholeFile. Errors: io with the path and the
/// system's reason; the old file, if any, is then untouched.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view text,
                                      WholeFileOptions options = {});

/// Whether write_file could create `path` now: asked before long work whose result would have no
/// place to go. Errors: as write_file. Leaves nothing behind.
[[nodiscard]] Result<void> check_writable(const std::filesystem::path& path);

/// Writes to standard output and makes sure that it got there. Errors: io (disk full, closed pipe).
[[nodiscard]] Result<void> write_stdout(std::string_view text);

}  // namespace artel::file
