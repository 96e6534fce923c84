#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "artel/core/error.hpp"

namespace artel::file {

/// Opens a regular file of at most `bytes_max` bytes for reading.
/// Errors: says when it does not exist, is a directory or something else, is larger, or may not be
///         read; `where` is empty, the text names the file.
[[nodiscard]] Result<std::ifstream> open_text_file(const std::filesystem::path& path,
                                                   std::uint64_t bytes_max);

/// All of it; of a pipe, too, to whose end it waits. Errors: as open_text_file(), and when reading
/// fails.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path,
                                                 std::uint64_t bytes_max);

}  // namespace artel::file
