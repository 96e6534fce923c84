#include "artel/command/detail/output_stream.hpp"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

namespace artel::command::detail {

OutputStream::OutputStream(int file) : file_(file), kind_(Kind::plain) {
  struct stat status{};
  if (::fstat(file, &status) != 0) return;
  if (S_ISSOCK(status.st_mode)) kind_ = Kind::socket;
  if (S_ISFIFO(status.st_mode) || ::isatty(file) != 0) kind_ = Kind::slow;
}

tl::expected<std::size_t, std::error_code> OutputStream::write(std::string_view text) const {
  if (kind_ == Kind::slow) {
    pollfd one{.fd = file_, .events = POLLOUT, .revents = 0};
    if (::poll(&one, 1, 0) <= 0) return 0;
    text = text.substr(0, PIPE_BUF);  // a pipe is ready when it takes so much
  }
  const auto count = kind_ == Kind::socket
                         ? ::send(file_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL)
                         : ::write(file_, text.data(), text.size());
  if (count >= 0) return static_cast<std::size_t>(count);
  if (errno == EAGAIN || errno == EINTR) return 0;
  return tl::unexpected(std::error_code(errno, std::generic_category()));
}

}  // namespace artel::command::detail
