#pragma once

#include <filesystem>

#include "artel/file/make_temporary_folder.hpp"

namespace artel {

/// A new folder that is gone, with all that is in it, at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(file::make_temporary_folder("artel-test-").value()) {}
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace artel
