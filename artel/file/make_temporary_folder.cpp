#include "artel/file/make_temporary_folder.hpp"

#include <fmt/core.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "artel/core/error.hpp"

namespace artel::file {

Result<std::filesystem::path> make_temporary_folder(std::string_view prefix,
                                                    const std::filesystem::path& parent) {
  std::error_code problem;
  const auto in = parent.empty() ? std::filesystem::temp_directory_path(problem) : parent;
  std::string path = (in / fmt::format("{}XXXXXX", prefix)).string();
  if (!problem && ::mkdtemp(path.data()) == nullptr) {
    problem = std::error_code(errno, std::generic_category());
  }
  if (problem) {
    return fail(ErrorCode::io,
                fmt::format("cannot create a temporary folder: {}", problem.message()),
                problem && in.empty() ? "$TMPDIR" : in.string());
  }
  return std::filesystem::path(path);
}

}  // namespace artel::file
