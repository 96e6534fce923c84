#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "artel/core/error.hpp"

namespace artel::file {

/// What a file is read for: an input, which no output of the command may replace (see
/// protect_inputs.hpp), or something that the command carries on and writes again.
enum class ReadFor : std::uint8_t { input, update };

/// Opens a regular file of at most `bytes_max` bytes for reading.
/// Errors: says when it does not exist, is a directory or something else, is larger, or may not be
///         read; `where` is empty, the text names the file.
[[nodiscard]] Result<std::ifstream> open_text_file(const std::filesystem::path& path,
                                                   std::uint64_t bytes_max,
                                                   ReadFor what = ReadFor::input);

/// All of it; of a pipe, too, to whose end it waits. Errors: as open_text_file(), and when reading
/// fails.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path,
                                                 std::uint64_t bytes_max,
                                                 ReadFor what = ReadFor::input);

}  // namespace artel::file
