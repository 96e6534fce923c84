#include "artel/command/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {
namespace {

using file::OpenFile;

// Others of this process, which die with it, may write to the folder once more meanwhile. A signal
// must not come between the folder and its end: not that of our death, nor that nobody reads.
constexpr const char* kCleaner =
    R"(trap '' TERM PIPE; folder=$(mktemp -d -- "$1/$2XXXXXX") || exit; printf %s "$folder"; exec >&2
read _; rm -rf -- "$folder"; sleep 1; rm -rf -- "$folder")";

tl::unexpected<Error> failure(int reason, const std::filesystem::path& where) {
  return fail(ErrorCode::io,
              fmt::format("cannot create a temporary folder: {}",
                          std::error_code(reason, std::generic_category()).message()),
              where.empty() ? "$TMPDIR" : where.string());
}

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
  if (problem) return failure(problem.value(), {});
  std::array<int, 2> in{}, out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0) return failure(errno, parent);
  const OpenFile waits(in[0]);
  OpenFile alive(in[1]);
  if (::pipe2(out.data(), O_CLOEXEC) != 0) return failure(errno, parent);
  const OpenFile told(out[0]);
  OpenFile tells(out[1]);
  const OpenFile null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const std::vector<std::string> arguments{
      "sh", "-c", kCleaner, "sh", parent.string(), std::string(prefix)};
  auto child =
      Child::start("/bin/sh", arguments,
                   {.in = waits.get(), .out = tells.get(), .err = null.get(), .inherit = false});
  if (!child) return fail(ErrorCode::io, "cannot run: " + child.error().message(), "/bin/sh");
  tells.close();
  ScratchFolder made(*std::move(child), std::move(alive));
  made.path_ = read_to_end(told);
  // The shell does not say why it could not.
  if (made.path_.empty())
    return failure(::access(parent.c_str(), W_OK | X_OK) != 0 ? errno : EIO, parent);
  return made;
}

ScratchFolder::~ScratchFolder() {
  if (alive_.get() < 0) return;  // moved from
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  cleaner_.signal(SIGKILL);
}

}  // namespace artel::command
