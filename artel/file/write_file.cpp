#include "artel/file/write_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/file/whole_file.hpp"

namespace artel::file {

Result<void> check_writable(const std::filesystem::path& path) {
  if (const auto file = WholeFile::create(path); !file) return fail(file);
  return {};
}

Result<void> write_file(const std::filesystem::path& path, std::string_view text,
                        WholeFileOptions options) {
  auto file = WholeFile::create(path, options);
  if (!file) return fail(file);
  if (const auto written = file->write(text); !written) return written;
  return file->commit();
}

Result<void> write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return {};
  return fail(ErrorCode::io, std::string("cannot write: ") + std::strerror(errno),
              "standard output");
}

}  // namespace artel::file
