#include "app/embedded_files.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/command.hpp"
#include "artel/core/error.hpp"
#include "artel/file/make_temporary_folder.hpp"
#include "artel/file/write_file.hpp"

namespace artel::app {

namespace fs = std::filesystem;

std::vector<EmbeddedFile> embedded_files(std::string_view beginning) {
  auto files = embedded_files();
  std::erase_if(files, [&](const EmbeddedFile& file) { return !file.name.starts_with(beginning); });
  return files;
}

void write_files(const std::vector<EmbeddedFile>& files, const fs::path& folder) {
  for (const auto& file : files) {
    const auto path = folder / file.name;
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem) refuse({ErrorCode::io, problem.message(), path.parent_path().string()});
    demand(file::write_file(path, file.text));
  }
}

TemporaryFiles::TemporaryFiles(const std::vector<EmbeddedFile>& files) {
  const auto made = file::make_temporary_folder("artel-files-");
  demand(made);
  folder_ = *made;
  try {
    write_files(files, folder_);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

TemporaryFiles::~TemporaryFiles() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace artel::app
