#include "tests/cluster/cut_proxy.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/file/open_file.hpp"

namespace artel {
namespace {

constexpr int kLookMs = 5;
constexpr std::size_t kWaitingMax = std::size_t{1} << 20U;

std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

template <class Address>
auto* any(Address& address) {
  return reinterpret_cast<sockaddr*>(&address);  // NOLINT(*-reinterpret-cast): the calls' type
}

}  // namespace

CutProxy::CutProxy(std::uint16_t target)
    : target_(target), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  auto address = loopback(0);
  socklen_t size = sizeof address;
  ARTEL_REQUIRE(::bind(listener_.get(), any(address), size) == 0 &&
                    ::listen(listener_.get(), SOMAXCONN) == 0 &&
                    ::getsockname(listener_.get(), any(address), &size) == 0,
                "a proxy has a port", errno);
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

CutProxy::~CutProxy() = default;

void CutProxy::cut_for(Duration time) { mended_ns_ = now_ns() + time.count(); }

void CutProxy::end_all(std::string words) {
  const std::lock_guard guard(lock_);
  last_words_ = std::move(words);
}

bool CutProxy::is_cut() const { return now_ns() < mended_ns_; }

void CutProxy::accept_one() {
  file::OpenFile client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  file::OpenFile server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  auto address = loopback(target_);
  // Without the server behind it, the client sees its connection closed.
  if (client.get() < 0 || ::connect(server.get(), any(address), sizeof address) != 0) return;
  const int yes = 1;
  for (const int file : {client.get(), server.get()}) {
    ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  auto connection = std::make_unique<Connection>();
  connection->up = {.from = client.get(), .to = server.get(), .waiting = {}};
  connection->down = {.from = server.get(), .to = client.get(), .waiting = {}};
  connection->client = std::move(client);
  connection->server = std::move(server);
  open_.push_back(std::move(connection));
  ++connections_;
}

// False: the connection is over.
bool CutProxy::pass_on(Pipe& pipe) {
  std::array<char, 65'536> piece;  // NOLINT(*-member-init): just read into
  if (pipe.waiting.size() < kWaitingMax) {
    const auto count = ::recv(pipe.from, piece.data(), piece.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (count > 0) pipe.waiting.append(piece.data(), static_cast<std::size_t>(count));
  }
  if (pipe.waiting.empty()) return true;
  const auto count =
      ::send(pipe.to, pipe.waiting.data(), pipe.waiting.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
  if (count > 0) pipe.waiting.erase(0, static_cast<std::size_t>(count));
  return true;
}

std::uint16_t port_of(const std::string& server) {
  return static_cast<std::uint16_t>(std::stoul(server.substr(server.rfind(':') + 1)));
}

void CutProxy::run(const std::stop_token& stop) {
  std::vector<pollfd> files;
  while (!stop.stop_requested()) {
    files.clear();
    if (!is_cut()) {
      files.push_back({.fd = listener_.get(), .events = POLLIN, .revents = 0});
      for (const auto& connection : open_) {
        for (const auto* pipe : {&connection->up, &connection->down}) {
          files.push_back({.fd = pipe->from, .events = POLLIN, .revents = 0});
        }
      }
    }
    ::poll(files.data(), files.size(), kLookMs);
    if (is_cut() || files.empty()) continue;
    {
      const std::lock_guard guard(lock_);
      if (const std::string words = std::exchange(last_words_, {}); !words.empty()) {
        for (const auto& connection : open_)
          ::send(connection->client.get(), words.data(), words.size(), MSG_NOSIGNAL);
        open_.clear();
      }
    }
    std::erase_if(open_, [](const auto& connection) {
      return !pass_on(connection->up) || !pass_on(connection->down);
    });
    if ((files.front().revents & POLLIN) != 0) accept_one();
  }
}

}  // namespace artel
