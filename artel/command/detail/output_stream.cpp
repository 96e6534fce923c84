#include "artel/command/detail/output_stream.hpp"

#include <limits.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

namespace artel::command::detail {

OutputStream::OutputStream(int file) : file_(file), kind_(Kind::plain) {
  struct stat status{};
  if (::fstat(file, &status) != 0) return;
  if (S_ISSOCK(status.st_mode)) kind_ = Kind::socket;
  if (::isatty(file) != 0) kind_ = Kind::terminal;
  if (S_ISFIFO(status.st_mode)) kind_ = Kind::pipe;
}

tl::expected<std::size_t, std::error_code> OutputStream::write(std::string_view text) {
  if (kind_ == Kind::terminal || kind_ == Kind::pipe) {
    pollfd one{.fd = file_, .events = POLLOUT, .revents = 0};
    if (::poll(&one, 1, 0) <= 0) return 0;
    text = text.substr(0, PIPE_BUF);  // a pipe is ready when it takes so much
  }
  const auto count = kind_ == Kind::socket
                         ? ::send(file_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL)
                         : ::write(file_, text.data(), text.size());
  if (count >= 0) {
    written_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }
  if (errno == EAGAIN || errno == EINTR) return 0;
  return tl::unexpected(std::error_code(errno, std::generic_category()));
}

std::uint64_t OutputStream::taken() {
  int unread = 0;
  if (kind_ == Kind::pipe && ::ioctl(file_, FIONREAD, &unread) == 0) {
    return written_ - std::min(written_, static_cast<std::uint64_t>(unread));
  }
  // What it tells of a socket is not in bytes of ours, but for zero; and that it also says when the
  // other end is closed and what was unread is gone.
  const bool known = kind_ == Kind::socket && ::ioctl(file_, SIOCOUTQ, &unread) == 0;
  if (!known || (unread == 0 && !is_forsaken())) taken_ = written_;
  return taken_;
}

bool OutputStream::is_forsaken() const {
  if (kind_ != Kind::pipe && kind_ != Kind::socket) return false;
  pollfd one{.fd = file_, .events = 0, .revents = 0};
  return ::poll(&one, 1, 0) > 0 && (one.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace artel::command::detail
