#include "artel/cluster/detail/server_version.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "artel/cluster/local_server.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;

TEST(ServerVersion, IsWhatTheServerSaysFirst) {
  const auto server = LocalServer::start().value();
  const auto version = server_version(server.cluster().servers.front(), 5s);
  ASSERT_TRUE(version) << to_string(version.error());
  EXPECT_TRUE(version->starts_with("2.")) << *version;
}

TEST(ServerVersion, NobodyThereIsAnError) {
  const auto version = server_version("nats://127.0.0.1:1", 1s);
  ASSERT_FALSE(version);
  EXPECT_NE(version.error().code, ErrorCode::parse);
}

TEST(ServerVersion, IsReadFromItsLineAlone) {
  EXPECT_EQ(version_in(R"(INFO {"server_id":"N","version":"2.10.4","go":"go1"} )"), "2.10.4");
  EXPECT_EQ(version_in(R"(INFO {"version":"2.11.0-RC.1"})"), "2.11.0-RC.1");
  for (const char* text : {"", "INFO {}", R"(HTTP {"version":"2.10.4"})", R"(INFO {"version":""})",
                           "INFO {\"version\":\"2.\033[2J\"}", R"(INFO {"version":"a b"})"}) {
    EXPECT_EQ(version_in(text), std::nullopt) << text;
  }
}

TEST(ServerVersion, OldOnesAreRemarkedOn) {
  EXPECT_NE(remarks_on_version("2.8.4").find("older than 2.9"), std::string::npos);
  EXPECT_NE(remarks_on_version("2.9.10").find("purge"), std::string::npos);
  EXPECT_NE(remarks_on_version("2.9.11").find("purge"), std::string::npos);
  for (const char* fine : {"2.9.12", "2.9.25", "2.10.0", "2.11.4-RC.2", "3.0.0"}) {
    EXPECT_EQ(remarks_on_version(fine), "") << fine;
  }
}

}  // namespace
}  // namespace artel::cluster::detail
