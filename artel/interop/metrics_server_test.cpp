#include "artel/interop/metrics_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/interop/metric.hpp"
#include "artel/interop/pool_metrics.hpp"
#include "artel/pool/pool.hpp"

namespace artel::interop {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// What the server at that port of this machine answers.
std::string get(int port, const std::string& path) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // NOLINTNEXTLINE(*-reinterpret-cast): the call's type
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    return "nobody is there";
  }
  const std::string request = "GET " + path + " HTTP/1.0\r\n\r\n";
  std::string answer;
  EXPECT_EQ(::send(socket, request.data(), request.size(), MSG_NOSIGNAL), std::ssize(request));
  std::array<char, 4096> part{};
  for (ssize_t size = 1; size > 0;) {
    size = ::recv(socket, part.data(), part.size(), 0);
    if (size > 0) answer.append(part.data(), static_cast<std::size_t>(size));
  }
  ::close(socket);
  return answer;
}

std::vector<Metric> some(double value) {
  const auto kind = MetricKind::counter;
  return {{"done_total", "What is done", kind, value, {{"worker", "a"}}},
          {"threads", "How many", MetricKind::gauge, 2.5},
          {"done_total", "What is done", kind, 7, {{"worker", "say \"b\"\n"}}}};
}

TEST(MetricsServer, AnswersWithTheNumbersOfThatMoment) {
  double value = 3;
  const auto server = MetricsServer::start("127.0.0.1:0", [&] { return some(value); });
  ASSERT_TRUE(server) << to_string(server.error());
  const std::string first = get(server->port(), "/metrics");
  EXPECT_THAT(first, HasSubstr("200 OK"));
  EXPECT_THAT(first, HasSubstr("# HELP done_total What is done\n"
                               "# TYPE done_total counter\n"
                               "done_total{worker=\"a\"} 3\n"
                               "done_total{worker=\"say \\\"b\\\"\\n\"} 7\n"));
  EXPECT_THAT(first, HasSubstr("# TYPE threads gauge\nthreads 2.5\n"));
  value = 4;
  EXPECT_THAT(get(server->port(), "/metrics"), HasSubstr("done_total{worker=\"a\"} 4\n"));
  EXPECT_THAT(get(server->port(), "/etc/passwd"), HasSubstr("404"));
}

TEST(MetricsServer, ServesAPool) {
  pool::Pool pool({.workers = 1});
  pool.submit([] {}).get();
  ASSERT_TRUE(pool.wait_idle());
  // [metrics]
  const auto server = interop::MetricsServer::start("127.0.0.1:0", [&pool] {
    const auto stats = pool.stats();
    using enum interop::MetricKind;
    return std::vector<interop::Metric>{
        {"films_tasks_ended_total", "Tasks that have ended", counter,
         static_cast<double>(stats.total.outcomes.ended())},
        {"films_tasks_queued", "Tasks that wait", gauge,
         static_cast<double>(stats.total.queued + stats.queued_common)}};
  });
  // [/metrics]
  ASSERT_TRUE(server) << to_string(server.error());
  EXPECT_THAT(get(server->port(), "/metrics"),
              AllOf(HasSubstr("films_tasks_ended_total 1\n"), HasSubstr("films_tasks_queued 0\n")));
}

TEST(MetricsServer, ServesAPoolUnderNamesThatTopKnows) {
  pool::Pool pool({.workers = 1});
  // [pool_metrics]
  const auto server = interop::MetricsServer::start(
      "127.0.0.1:0", [&pool] { return interop::pool_metrics(pool.stats(), "films"); });
  // [/pool_metrics]
  ASSERT_TRUE(server) << to_string(server.error());
  EXPECT_THAT(get(server->port(), "/metrics"), HasSubstr("artel_pool_workers{pool=\"films\"} 1\n"));
}

TEST(MetricsServer, SaysWhyItCannotListen) {
  const auto none = [] { return std::vector<Metric>{}; };
  for (const char* wrong : {"", "nowhere", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000",
                            "host.example:9464", "127.0.0.1:1s,2", "127.0.0.1:-1"}) {
    const auto server = MetricsServer::start(wrong, none);
    ASSERT_FALSE(server) << wrong;
    EXPECT_EQ(server.error().code, ErrorCode::invalid) << wrong;
  }
  const auto server = MetricsServer::start("localhost:0", none);
  ASSERT_TRUE(server) << to_string(server.error());
  const auto second = MetricsServer::start("127.0.0.1:" + std::to_string(server->port()), none);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::io);
}

TEST(MetricsServer, EndsWithItsObject) {
  int port = 0;
  {
    const auto server = MetricsServer::start("127.0.0.1:0", [] { return some(1); });
    ASSERT_TRUE(server) << to_string(server.error());
    port = server->port();
    EXPECT_THAT(get(port, "/metrics"), HasSubstr("200 OK"));
  }
  EXPECT_EQ(get(port, "/metrics"), "nobody is there");
}

}  // namespace
}  // namespace artel::interop
