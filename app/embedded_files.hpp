#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace artel::app {

/// A file of `scenarios/` that is built in.
struct EmbeddedFile {
  std::string name;  ///< below `scenarios/`, where others may name it: "arena/bursts.toml"
  std::string text;
};

/// What `artel demo` and `artel arena` read; the build makes it.
[[nodiscard]] std::vector<EmbeddedFile> embedded_files();

/// Those whose names begin so.
[[nodiscard]] std::vector<EmbeddedFile> embedded_files(std::string_view beginning);

/// Writes them below that folder; ends the command if that fails.
void write_files(const std::vector<EmbeddedFile>& files, const std::filesystem::path& folder);

/// A folder with files for as long as it takes to read them.
class TemporaryFiles {
 public:
  /// Ends the command if they cannot be written.
  explicit TemporaryFiles(const std::vector<EmbeddedFile>& files);
  ~TemporaryFiles();
  TemporaryFiles(const TemporaryFiles&) = delete;
  TemporaryFiles& operator=(const TemporaryFiles&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace artel::app
