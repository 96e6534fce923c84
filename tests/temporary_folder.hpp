#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "artel/core/require.hpp"

namespace artel {

/// A new folder that is gone, with all that is in it, at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "artel-test-XXXXXX").string();
    ARTEL_REQUIRE(::mkdtemp(name.data()) != nullptr, "no temporary folder", name);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace artel
