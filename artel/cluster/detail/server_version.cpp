#include "artel/cluster/detail/server_version.hpp"

#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kLineMax = 32'768;  // of an INFO, with the addresses of all other servers
constexpr std::size_t kVersionMax = 64;

struct Address {
  std::string host;
  std::string port;
};

Address address_of(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
  }
  const auto colon = url.rfind(':');
  Address address{std::string(url.substr(0, colon)),
                  colon == std::string_view::npos ? "4222" : std::string(url.substr(colon + 1))};
  if (address.host.starts_with('[')) address.host = address.host.substr(1, address.host.size() - 2);
  return address;
}

// Whether there is something, or room, before the deadline.
bool wait_for(int socket, short what, Instant deadline) {
  pollfd waiting{.fd = socket, .events = what, .revents = 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_now()).count();
  return left > 0 && ::poll(&waiting, 1, static_cast<int>(left)) > 0;
}

Result<file::OpenFile> connect_to(const Address& address, Instant deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found) != 0) {
    return fail(ErrorCode::not_found, "no such host", address.host);
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    file::OpenFile socket(::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                                   one->ai_protocol));
    if (socket.get() < 0) continue;
    const int begun = ::connect(socket.get(), one->ai_addr, one->ai_addrlen);
    if (begun == 0 || (errno == EINPROGRESS && wait_for(socket.get(), POLLOUT, deadline))) {
      return socket;
    }
  }
  return fail(ErrorCode::not_found, "no server answers", address.host);
}

// The numbers of "2.9.10-beta.1"; what is not there is 0.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers{};
  for (int& number : numbers) {
    const auto digits = version.substr(0, version.find_first_not_of("0123456789"));
    number = parse_number<int>(digits).value_or(0);
    version.remove_prefix(std::min(version.size(), digits.size() + 1));
  }
  return numbers;
}

}  // namespace

Result<std::string> server_version(std::string_view url, Duration timeout) {
  const Instant deadline = later(steady_now(), timeout);
  const auto socket = connect_to(address_of(url), deadline);
  if (!socket) return fail(socket);
  std::string line;
  std::array<char, 4096> buffer{};
  while (line.find('\n') == std::string::npos && line.size() < kLineMax) {
    if (!wait_for(socket->get(), POLLIN, deadline)) {
      return fail(ErrorCode::timeout, "the server does not say what it is", std::string(url));
    }
    const auto got = ::recv(socket->get(), buffer.data(), buffer.size(), 0);
    if (got <= 0) {
      return fail(ErrorCode::io, "the server does not say what it is", std::string(url));
    }
    line.append(buffer.data(), static_cast<std::size_t>(got));
  }
  auto version = version_in(line);
  if (!version) return fail(ErrorCode::parse, "that is not a NATS server", std::string(url));
  return *version;
}

std::optional<std::string> version_in(std::string_view info) {
  constexpr std::string_view kName = "\"version\":\"";
  const auto at = info.find(kName);
  if (!info.starts_with("INFO ") || at == std::string_view::npos) return std::nullopt;
  info.remove_prefix(at + kName.size());
  const auto version = info.substr(0, std::min(info.find('"'), kVersionMax));
  const bool plain = std::ranges::all_of(version, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '+';
  });
  if (version.empty() || !plain) return std::nullopt;
  return std::string(version);
}

std::string remarks_on_version(std::string_view version) {
  const auto numbers = numbers_of(version);
  if (numbers < std::array{2, 9, 0}) {
    return fmt::format("nats-server {} is older than 2.9, and artel is not tested with it",
                       version);
  }
  if (numbers < std::array{2, 9, 12}) {
    return fmt::format(
        "nats-server {}: if anybody purges a subject of a stream (nats stream purge --subject), "
        "all "
        "that waits in the stream is passed over; it is found and sent again some leases later. "
        "2.9.12 and newer do not do that",
        version);
  }
  return {};
}

}  // namespace artel::cluster::detail
