#include "artel/command/scratch_folder.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/file/make_temporary_folder.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/pipe_ends.hpp"

namespace artel::command {
namespace {

using file::OpenFile;

// Others of this process, which die with it, may write to the folder once more meanwhile. A signal
// must not come between the folder and its end: not that of our death, nor that nobody reads.
constexpr const char* kCleaner =
    R"(trap '' TERM PIPE; folder=$(mktemp -d -- "$1/$2XXXXXX") || exit; printf %s "$folder"; exec >&2
read _; rm -rf -- "$folder"; sleep 1; rm -rf -- "$folder")";

std::string read_to_end(const OpenFile& file) {
  std::string text;
  std::array<char, 4096> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): just read into
  while (true) {
    const auto count = ::read(file.get(), piece.data(), piece.size());
    if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(std::string_view prefix, std::filesystem::path parent) {
  std::error_code problem;
  if (parent.empty()) parent = std::filesystem::temp_directory_path(problem);
  if (problem) return fail(file::make_temporary_folder(prefix));  // says what is wrong with it
  auto in = file::make_pipe();
  auto out = file::make_pipe();
  if (!in || !out) {
    return fail(ErrorCode::io, "cannot make a pipe: " + (in ? out : in).error().message(),
                parent.string());
  }
  const OpenFile null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const std::vector<std::string> arguments{
      "sh", "-c", kCleaner, "sh", parent.string(), std::string(prefix)};
  auto child = Child::start(
      "/bin/sh", arguments,
      {.in = in->read.get(), .out = out->write.get(), .err = null.get(), .inherit = false});
  if (!child) return fail(ErrorCode::io, "cannot run: " + child.error().message(), "/bin/sh");
  out->write.close();
  ScratchFolder made(*std::move(child), std::move(in->write));
  made.path_ = read_to_end(out->read);
  if (!made.path_.empty()) return made;
  // The shell does not say why it could not.
  const auto again = file::make_temporary_folder(prefix, parent);
  if (!again) return fail(again);
  std::filesystem::remove(*again, problem);
  return fail(ErrorCode::io, "cannot create a temporary folder by mktemp", parent.string());
}

ScratchFolder::~ScratchFolder() {
  if (alive_.get() < 0) return;  // moved from
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  cleaner_.signal(SIGKILL);
}

}  // namespace artel::command
