#include "artel/metrics/http_get.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"

namespace artel::metrics {
namespace {

using namespace std::chrono_literals;

// Answers the first one who asks with just that, and closes.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer) : answer_(std::move(answer)) {
    listening_ = file::OpenFile(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);  // NOLINT(*-reinterpret-cast)
    EXPECT_EQ(::bind(listening_.get(), any, size), 0);
    EXPECT_EQ(::listen(listening_.get(), 1), 0);
    EXPECT_EQ(::getsockname(listening_.get(), any, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { serve(); });
  }
  [[nodiscard]] HttpAddress address() const { return {"127.0.0.1", port_, "/metrics"}; }
  [[nodiscard]] const std::string& asked() {
    thread_.join();
    return asked_;
  }

 private:
  void serve() {
    const file::OpenFile caller(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<char, 4096> part{};
    while (asked_.find("\r\n\r\n") == std::string::npos) {
      const auto size = ::recv(caller.get(), part.data(), part.size(), 0);
      if (size <= 0) return;
      asked_.append(part.data(), static_cast<std::size_t>(size));
    }
    ::send(caller.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
  }

  std::string answer_, asked_;
  std::uint16_t port_ = 0;
  file::OpenFile listening_;
  std::jthread thread_;
};

TEST(HttpGet, AsksAndReads) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more");
  const auto body = http_get(server.address(), 10s);
  ASSERT_TRUE(body) << to_string(body.error());
  EXPECT_EQ(*body, "hello");
  EXPECT_EQ(server.asked().substr(0, 23), "GET /metrics HTTP/1.1\r\n");
}

TEST(HttpGet, NobodyThere) {
  HttpAddress address;
  {
    OneAnswer server("");
    address = server.address();
    EXPECT_EQ(http_get(address, 10s).error().code, ErrorCode::parse);  // an empty answer
  }
  const auto body = http_get(address, 10s);
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code, ErrorCode::io);
}

TEST(HttpGet, WaitsNoLongerThanTold) {
  const file::OpenFile silent(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const any = reinterpret_cast<sockaddr*>(&at);  // NOLINT(*-reinterpret-cast)
  ASSERT_EQ(::bind(silent.get(), any, size), 0);
  ASSERT_EQ(::listen(silent.get(), 1), 0);
  ASSERT_EQ(::getsockname(silent.get(), any, &size), 0);
  const HttpAddress address{"127.0.0.1", ntohs(at.sin_port), "/"};
  EXPECT_EQ(http_get(address, 30ms).error().code, ErrorCode::timeout);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(http_get(address, 10s, stop.get_token()).error().code, ErrorCode::cancelled);
}

TEST(HttpBody, IsWholeOrAnError) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(*http_body(ok + "\r\nall\nof it"), "all\nof it");
  EXPECT_EQ(*http_body(ok + "content-LENGTH: 3 \r\n\r\nabcd"), "abc");
  const std::string chunked = ok + "Transfer-Encoding: Chunked\r\n\r\n";
  EXPECT_EQ(*http_body(chunked + "3\r\nabc\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n"), "abc0123456789");
  EXPECT_EQ(http_body(ok + "Content-Length: 5\r\n\r\nabcd").error().code, ErrorCode::io);
  EXPECT_EQ(http_body(ok + "Content-Length: -5\r\n\r\nabcd").error().code, ErrorCode::io);
  for (const char* cut :
       {"", "3", "3\r\n", "3\r\nabc", "3\r\nabc\r", "3\r\nabc\r\n", "x\r\n", "-1\r\n",
        "FFFFFFFFFFFFFFFF\r\nabc\r\n", "FFFFFFFFFFFFFFFFF\r\nabc\r\n", "3x\r\nabc\r\n"})
    EXPECT_EQ(http_body(chunked + cut).error().code, ErrorCode::io) << cut;
  EXPECT_EQ(http_body("HTTP/1.1 404 Not Found\r\n\r\n").error().what,
            "the server answers 404 Not Found");
  EXPECT_EQ(http_body("HTTP/1.1\r\n\r\n").error().code, ErrorCode::not_found);
  EXPECT_EQ(http_body("SSH-2.0-OpenSSH").error().code, ErrorCode::parse);
  EXPECT_EQ(http_body("HTTP/1.1 200 OK\r\n").error().code, ErrorCode::io);
  EXPECT_EQ(http_body(ok + "Content-Encoding: gzip\r\n\r\nx").error().code, ErrorCode::unsupported);
}

TEST(HttpAddress, TakesWhatPeopleWrite) {
  const auto url = [](const char* text) {
    const auto address = parse_http_address(text);
    return address ? address->url() : to_string(address.error());
  };
  EXPECT_EQ(url("host:9464"), "http://host:9464/metrics");
  EXPECT_EQ(url(":9464"), "http://127.0.0.1:9464/metrics");
  EXPECT_EQ(url("9464"), "http://127.0.0.1:9464/metrics");
  EXPECT_EQ(url("[::1]:9464"), "http://[::1]:9464/metrics");
  EXPECT_EQ(url("http://host"), "http://host:80/metrics");
  EXPECT_EQ(url("http://host:1/"), "http://host:1/metrics");
  EXPECT_EQ(url("http://host:1/a?b=c"), "http://host:1/a?b=c");
  EXPECT_EQ(url("host:1/a"), "http://host:1/a");
  EXPECT_EQ(url("https://host"), "https://host: https is not spoken here, only http");
  for (const char* wrong : {"", "host", "host:", "host:0", "host:70000", "host:1 2", "http://",
                            "http://:x", "a b:1", "u@h:1", "host:1/a b", "host:1?x", "::1"})
    EXPECT_FALSE(parse_http_address(wrong)) << wrong;
}

}  // namespace
}  // namespace artel::metrics
