#include "artel/command/detail/live_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>

#include "artel/file/open_file.hpp"

namespace artel::command::detail {

std::optional<LiveProcess> live_process(pid_t pid) {
  std::array<char, 64> path{};
  static_cast<void>(std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid));
  const file::OpenFile file(::open(path.data(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> text{};
  if (file.get() < 0 || ::read(file.get(), text.data(), text.size() - 1) <= 0) return std::nullopt;
  const char* const name_end = std::strrchr(text.data(), ')');
  if (name_end == nullptr) return std::nullopt;
  LiveProcess status{.pid = pid};
  // The fields from the third one on, and the 22nd.
  const int read = std::sscanf(  // NOLINT(cert-err34-c): numbers of the system
      name_end + 1,
      " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
      &status.state, &status.parent, &status.group, &status.started);
  if (read != 4 || status.state == 'Z' || status.state == 'X') return std::nullopt;
  return status;
}

}  // namespace artel::command::detail
