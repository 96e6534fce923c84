#include "artel/metrics/http_get.hpp"

#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"

namespace artel::metrics {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

/// One connection, until a deadline.
class Connection {
 public:
  Connection(Instant deadline, const std::stop_token& stop) : deadline_(deadline), stop_(stop) {}

  Result<void> open(const addrinfo& to) {
    socket_ = file::OpenFile(
        ::socket(to.ai_family, to.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, to.ai_protocol));
    if (socket_.get() < 0) return broken(errno);
    if (::connect(socket_.get(), to.ai_addr, to.ai_addrlen) == 0) return {};
    if (errno != EINPROGRESS) return broken(errno);
    if (const auto ready = wait_for(POLLOUT); !ready) return ready;
    int error = 0;
    socklen_t size = sizeof error;  // NOLINT(misc-include-cleaner): <sys/socket.h> has it
    ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    return error == 0 ? Result<void>() : broken(error);
  }

  Result<void> send(std::string_view text) {
    while (!text.empty()) {
      const auto sent = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        text.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno != EAGAIN && errno != EINTR) {
        return broken(errno);
      } else if (const auto ready = wait_for(POLLOUT); !ready) {
        return ready;
      }
    }
    return {};
  }

  Result<std::string> receive_all() {
    std::string all;
    std::array<char, 65536> part{};
    for (;;) {
      if (const auto ready = wait_for(POLLIN); !ready) return fail(ready);
      const auto size = ::recv(socket_.get(), part.data(), part.size(), 0);
      if (size == 0) return all;
      if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (size < 0) return fail(broken(errno));
      if (all.size() + static_cast<std::size_t>(size) > kHttpBytesMax) {
        return fail(ErrorCode::too_large,
                    fmt::format("the answer is longer than {} MB", kHttpBytesMax >> 20U));
      }
      all.append(part.data(), static_cast<std::size_t>(size));
    }
  }

 private:
  static Result<void> broken(int error) {
    return fail(ErrorCode::io, std::error_code(error, std::generic_category()).message());
  }

  Result<void> wait_for(short events) {
    for (;;) {
      if (stop_.stop_requested()) return fail(ErrorCode::cancelled, "stopped");
      const auto left = deadline_ - steady_now();
      if (left <= Duration{}) return fail(ErrorCode::timeout, "no whole answer in time");
      constexpr int kLookMs = 50;  // for a stop
      pollfd file{.fd = socket_.get(), .events = events, .revents = 0};
      const auto ms = std::min<std::int64_t>(kLookMs, left.count() / 1'000'000 + 1);
      if (::poll(&file, 1, static_cast<int>(ms)) > 0) return {};
    }
  }

  const Instant deadline_;
  const std::stop_token& stop_;
  file::OpenFile socket_;
};

Result<Addresses> look_up(const HttpAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const auto port = std::to_string(address.port);
  const int error = ::getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) return fail(ErrorCode::io, ::gai_strerror(error));
  return Addresses(found, &::freeaddrinfo);
}

// Host as it stands in a URL.
std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

bool equal_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// Of the head's field; nothing: it is not there.
std::optional<std::string_view> field_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const auto line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !equal_word(line.substr(0, colon), name)) continue;
    auto value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    return value.substr(0, value.find_last_not_of(" \t") + 1);
  }
  return std::nullopt;
}

Result<std::string> unchunked(std::string_view body) {
  const auto wrong = [] { return fail(ErrorCode::io, "the answer breaks off"); };
  std::string all;
  for (;;) {
    const auto line = body.substr(0, body.find("\r\n"));
    std::size_t size = 0;
    const std::string digits(line.substr(0, line.find(';')));
    const auto* const end = digits.c_str() + digits.size();
    const auto read = std::from_chars(digits.c_str(), end, size, 16);
    if (read.ec != std::errc{} || read.ptr != end || line.size() == body.size()) return wrong();
    body.remove_prefix(line.size() + 2);
    if (size == 0) return all;
    if (size > body.size() || body.size() - size < 2) return wrong();
    all += body.substr(0, size);
    body.remove_prefix(size + 2);
  }
}

}  // namespace

std::string HttpAddress::url() const {
  return fmt::format("http://{}:{}{}", bracketed(host), port, path);
}

Result<HttpAddress> parse_http_address(std::string_view text) {
  const auto wrong = [whole = std::string(text)] {
    return fail(ErrorCode::invalid,
                "not an address: expected host:9464 or http://host:9464/metrics", whole);
  };
  if (text.starts_with("https://")) {
    return fail(ErrorCode::unsupported, "https is not spoken here, only http", std::string(text));
  }
  HttpAddress address{.host = {}, .port = 80, .path = "/metrics"};
  constexpr std::string_view kScheme = "http://";
  const bool is_url = text.starts_with(kScheme);
  if (is_url) text.remove_prefix(kScheme.size());
  const auto slash = std::min(text.find_first_of("/?#"), text.size());
  if (slash < text.size() && text.substr(slash) != "/") address.path = text.substr(slash);
  if (address.path.front() != '/') return wrong();
  text = text.substr(0, slash);
  const auto bracket = text.find(']');
  const auto from = bracket == std::string_view::npos ? 0 : bracket;
  const auto colon = text.find(':', from);
  auto host = text.substr(0, colon);
  if (colon != std::string_view::npos || (!is_url && parse_number<std::uint16_t>(text))) {
    const auto digits = colon == std::string_view::npos ? text : text.substr(colon + 1);
    const auto port = parse_number<std::uint16_t>(digits);
    if (!port || *port == 0) return wrong();
    address.port = *port;
    if (colon == std::string_view::npos) host = {};
  } else if (!is_url) {
    return wrong();
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() && is_url) return wrong();
  address.host = host.empty() ? "127.0.0.1" : std::string(host);
  const auto printable = [](char c) { return c > ' ' && c < 0x7F; };
  if (!std::ranges::all_of(address.host, printable) ||
      !std::ranges::all_of(address.path, printable) ||
      address.host.find_first_of("@[]") != std::string::npos)
    return wrong();
  return address;
}

Result<std::string> http_get(const HttpAddress& address, Duration within,
                             const std::stop_token& stop) {
  const auto deadline = later(steady_now(), within);
  const auto found = look_up(address);
  if (!found) return fail(found);
  Connection connection(deadline, stop);
  Result<void> opened = fail(ErrorCode::io, "no address");
  for (const auto* each = found->get(); each != nullptr; each = each->ai_next) {
    opened = connection.open(*each);
    if (opened || opened.error().code == ErrorCode::cancelled) break;
  }
  if (!opened) return fail(opened);
  const auto request = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}:{}\r\nUser-Agent: artel\r\nAccept: text/plain\r\n"
      "Connection: close\r\n\r\n",
      address.path, bracketed(address.host), address.port);
  if (const auto sent = connection.send(request); !sent) return fail(sent);
  const auto answer = connection.receive_all();
  return answer ? http_body(*answer) : answer;
}

Result<std::string> http_body(std::string_view answer) {
  const auto end = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1."))
    return fail(ErrorCode::parse, answer.empty() ? "the answer is empty" : "it speaks no HTTP");
  if (end == std::string_view::npos) return fail(ErrorCode::io, "the answer breaks off");
  const auto head = answer.substr(0, end);
  const auto body = answer.substr(end + 4);
  const auto first = head.substr(0, head.find("\r\n"));
  const auto status = first.substr(std::min(first.find(' ') + 1, first.size()));
  if (status.substr(0, 3) != "200")
    return fail(ErrorCode::not_found, fmt::format("the server answers {}", status));
  const auto encoding = field_of(head, "Transfer-Encoding");
  if (encoding && equal_word(*encoding, "chunked")) return unchunked(body);
  if (encoding || field_of(head, "Content-Encoding"))
    return fail(ErrorCode::unsupported, "the answer is packed, though nobody asked for that");
  if (const auto length = field_of(head, "Content-Length")) {
    const auto bytes = parse_number<std::size_t>(*length);
    if (!bytes || *bytes > body.size()) return fail(ErrorCode::io, "the answer breaks off");
    return std::string(body.substr(0, *bytes));
  }
  return std::string(body);
}

}  // namespace artel::metrics
