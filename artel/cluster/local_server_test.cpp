#include "artel/cluster/local_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "artel/cluster/connection.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(LocalServer, TakesWhoKnowsItsTokenAndLeavesNothingBehind) {
  std::filesystem::path folder;
  {
    const auto server = LocalServer::start().value();
    folder = server.folder();
    const auto connection = Connection::connect(server.cluster());
    ASSERT_TRUE(connection) << to_string(connection.error());
    EXPECT_TRUE(connection->require_jetstream());
    auto stranger = server.cluster();
    stranger.token = {};
    EXPECT_FALSE(Connection::connect(stranger));
    EXPECT_TRUE(std::filesystem::exists(folder));
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(LocalServer, StartsAgainOnTheSamePort) {
  auto server = LocalServer::start().value();
  const auto connection = Connection::connect(server.cluster()).value();
  server.stop(0, SIGKILL);
  EXPECT_FALSE(server.runs(0));
  ASSERT_TRUE(server.start_again(0));
  EXPECT_TRUE(Connection::connect(server.cluster()));
}

TEST(LocalServer, ThreeNodesAgreeAndGoOnWithoutOne) {
  auto started = LocalServer::start({.nodes = 3});
  ASSERT_TRUE(started) << to_string(started.error());
  const auto connection = Connection::connect(started->cluster()).value();
  EXPECT_TRUE(connection.require_jetstream());
  started->stop(1, SIGKILL);
  ASSERT_TRUE(started->start_again(1));
  EXPECT_TRUE(Connection::connect(started->cluster()));
}

TEST(LocalServer, WrongSettingsAreReportedInTheServersWords) {
  const auto started = LocalServer::start({.settings = "authorization { user: "});
  ASSERT_FALSE(started);
  EXPECT_THAT(to_string(started.error()),
              AllOf(HasSubstr("nats-server"), HasSubstr("ended at once"),
                    testing::Not(HasSubstr("says nothing"))));
}

}  // namespace
}  // namespace artel::cluster
