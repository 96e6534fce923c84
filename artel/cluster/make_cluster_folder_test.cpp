#include "artel/cluster/make_cluster_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>

#include "artel/cluster/cluster_flags.hpp"
#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// From "authorization" on, to the end of that block; with every password the same.
std::string authorization(const std::string& text) {
  const auto begin = text.find("authorization {");
  const std::string block = text.substr(begin, text.find("\n] }", begin) + 4 - begin);
  return std::regex_replace(block, std::regex("password: [^,]*,"), "password: p,");
}

class ClusterFolder : public testing::Test {
 protected:
  [[nodiscard]] fs::path path() const { return folder_.path() / "films"; }
  TemporaryFolder folder_;
};

TEST_F(ClusterFolder, HasTheConfigurationThatThePageExplains) {
  ASSERT_TRUE(make_cluster_folder(path(), {.pool = "films"}));
  std::string page = text_of(ARTEL_SOURCE_DIR "/docs/cluster-security.md");
  page = std::regex_replace(page, std::regex("user: ann"), "user: master");
  page = std::regex_replace(page, std::regex("_M\\.ann"), "_M.master");
  EXPECT_EQ(authorization(text_of(path() / "server/server.conf")), authorization(page));
}

TEST_F(ClusterFolder, SaysWhatEachRoleNeeds) {
  ASSERT_TRUE(make_cluster_folder(
      path(), {.pool = "films", .address = "broker.example", .listen = "0.0.0.0", .port = 5222}));
  for (const char* role : {"worker", "master", "operator"}) {
    const auto options = cluster_options({.servers = (path() / role).string()});
    ASSERT_TRUE(options) << to_string(options.error());
    EXPECT_EQ(options->servers.front(), "tls://broker.example:5222");
    EXPECT_EQ(options->pool, "films");
    EXPECT_EQ(options->user, role);
    EXPECT_EQ(options->password.reveal().size(), 48);
    EXPECT_EQ(options->sign_key.empty(), std::string_view(role) == "operator");
    EXPECT_FALSE(options->trusted_keys.empty());
    EXPECT_EQ(options->master_keys.empty(), std::string_view(role) == "worker");
  }
  EXPECT_THAT(text_of(path() / "server/server.conf"), HasSubstr("listen: \"0.0.0.0:5222\""));
}

TEST_F(ClusterFolder, IsForItsOwnerAlone) {
  ASSERT_TRUE(make_cluster_folder(path(), {}));
  const auto others = fs::perms::group_all | fs::perms::others_all;
  EXPECT_EQ(fs::status(path()).permissions() & others, fs::perms::none);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path())) {
    EXPECT_EQ(entry.status().permissions() & others, fs::perms::none) << entry.path();
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 3 + 5 + 6 + 5);
}

TEST_F(ClusterFolder, IsNotMadeOverAnother) {
  ASSERT_TRUE(make_cluster_folder(path(), {}));
  const std::string before = text_of(path() / "master/password");
  const auto again = make_cluster_folder(path(), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::io);
  EXPECT_EQ(text_of(path() / "master/password"), before);
}

TEST_F(ClusterFolder, RefusesNamesThatCannotBe) {
  for (const ClusterFolderOptions& wrong :
       {ClusterFolderOptions{.pool = "a.b"}, ClusterFolderOptions{.pool = ""},
        ClusterFolderOptions{.address = "a b"}, ClusterFolderOptions{.address = ""},
        ClusterFolderOptions{.address = "a,DNS:b"}, ClusterFolderOptions{.address = "a:b"}}) {
    const auto made = make_cluster_folder(path(), wrong);
    ASSERT_FALSE(made) << wrong.pool << ' ' << wrong.address;
    EXPECT_EQ(made.error().code, ErrorCode::invalid);
    EXPECT_FALSE(fs::exists(path()));
  }
}

}  // namespace
}  // namespace artel::cluster
