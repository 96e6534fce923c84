#include "artel/file/nameless_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::file {
namespace {

// Not every file system knows files without a name.
int open_and_unlink(const std::string& folder) {
  std::string path = folder + "/artel.XXXXXX";  // mkostemp fills in the X
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(path.c_str());
  return file;
}

}  // namespace

std::string nameless_file_folder() {
  const char* const asked = std::getenv("TMPDIR");
  return asked != nullptr && *asked != '\0' ? asked : "/tmp";
}

Result<OpenFile> nameless_file() {
  const auto folder = nameless_file_folder();
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) file = open_and_unlink(folder);
  if (file >= 0) return OpenFile(file);
  return system_failure("create a temporary file", folder);
}

}  // namespace artel::file
