#include "app/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

Result<Terminal> Terminal::open() {
  file::OpenFile file(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (file.get() < 0) return fail(ErrorCode::invalid, "-p: there is no terminal to ask at");
  return Terminal(std::move(file));
}

std::optional<bool> Terminal::ask(const std::string& question, int other) const {
  ::dprintf(file_.get(), "%s ?...", question.c_str());
  std::array<pollfd, 2> files{{{.fd = other, .events = POLLIN, .revents = 0},
                               {.fd = file_.get(), .events = POLLIN, .revents = 0}}};
  while (::poll(files.data(), files.size(), -1) < 0 && errno == EINTR) {
  }
  if (files[0].revents != 0) {
    ::dprintf(file_.get(), "\n");
    return std::nullopt;
  }
  std::array<char, 256> line{};  // a terminal gives a line at a time
  const auto count = ::read(file_.get(), line.data(), line.size());
  return count > 0 && (line[0] == 'y' || line[0] == 'Y');
}

}  // namespace artel::app
