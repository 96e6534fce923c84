#include "tests/cluster/cut_proxy.hpp"

#include <gtest/gtest.h>

#include <string>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

TEST(CutProxy, NothingGetsThroughWhileItIsCut) {
  const auto server = LocalServer::start().value();
  auto options = server.cluster();
  CutProxy proxy(port_of(options.servers.front()));
  options.servers = {"nats://127.0.0.1:" + std::to_string(proxy.port())};
  const auto connection = Connection::connect(options).value();
  EXPECT_TRUE(connection.flush(5s));
  const auto made = proxy.connections();
  EXPECT_GE(made, 1U);
  proxy.cut_for(1min);
  const auto cut = connection.flush(20ms);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::timeout);
  EXPECT_TRUE(connection.is_connected());  // nobody has been told
  proxy.cut_for(0ns);
  EXPECT_TRUE(connection.flush(5s));
  EXPECT_EQ(proxy.connections(), made);
}

}  // namespace
}  // namespace artel::cluster
