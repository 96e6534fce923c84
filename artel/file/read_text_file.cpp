#include "artel/file/read_text_file.hpp"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>

#include "artel/core/error.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::file {

Result<std::ifstream> open_text_file(const std::filesystem::path& path, std::uint64_t bytes_max,
                                     ReadFor what) {
  namespace fs = std::filesystem;
  const auto refuse = [&](ErrorCode code, const std::string& found) {
    return fail(code, fmt::format("'{}' {}", path.string(), found));
  };
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return refuse(ErrorCode::not_found, "does not exist");
  }
  if (error) return refuse(ErrorCode::io, "cannot be read: " + error.message());
  if (fs::is_directory(status))
    return refuse(ErrorCode::invalid, "is a directory; expected a file");
  if (!fs::is_regular_file(status)) {
    return refuse(ErrorCode::invalid, "is a device, pipe or socket; expected a regular file");
  }
  if (const auto bytes = fs::file_size(path, error); !error && bytes > bytes_max) {
    return refuse(ErrorCode::too_large,
                  fmt::format("has {} bytes; at most {} are read", bytes, bytes_max));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return refuse(ErrorCode::io,
                  "cannot be read: " + std::error_code(errno, std::generic_category()).message());
  }
  if (what == ReadFor::input) {
    if (const auto noted = note_input(path); !noted) return artel::fail(noted);
  }
  return file;
}

Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t bytes_max,
                                   ReadFor what) {
  std::error_code unknown;
  auto file = std::filesystem::is_fifo(path, unknown)
                  ? Result<std::ifstream>(std::ifstream(path, std::ios::binary))
                  : open_text_file(path, bytes_max, what);
  if (!file) return fail(file);
  std::string text;
  std::array<char, 1 << 16> part{};
  while (*file) {
    file->read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file->gcount()));
    if (text.size() > bytes_max)
      return fail(ErrorCode::too_large, fmt::format("'{}' has more than the {} bytes that are read",
                                                    path.string(), bytes_max));
  }
  if (file->bad() || !file->eof()) return fail(ErrorCode::io, "reading failed", path.string());
  return text;
}

}  // namespace artel::file
