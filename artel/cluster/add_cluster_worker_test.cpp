#include "artel/cluster/add_cluster_worker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/make_cluster_folder.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class AddClusterWorker : public testing::Test {
 protected:
  AddClusterWorker() { EXPECT_TRUE(make_cluster_folder(path(), {.pool = "films"})); }
  [[nodiscard]] fs::path path() const { return folder_.path() / "films"; }
  [[nodiscard]] std::string server() const { return text_of(path() / "server/server.conf"); }
  // Every file of the folder, with its path.
  [[nodiscard]] std::string everything() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path()))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    std::string text;
    for (const fs::path& file : files) text += file.string() + "\n" + text_of(file);
    return text;
  }
  [[nodiscard]] std::string public_key(const std::string& worker) const {
    return public_key_of(Secret::from_file(path() / worker / "sign.key").value()).value();
  }
  TemporaryFolder folder_;
};

TEST_F(AddClusterWorker, HasAUserAnInboxAndAKeyOfItsOwn) {
  const auto made = add_cluster_worker(path(), "lab7");
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(*made, path() / "workers/lab7");
  const auto lab7 = cluster_options({.servers = made->string()});
  ASSERT_TRUE(lab7) << to_string(lab7.error());
  const auto worker = cluster_options({.servers = (path() / "worker").string()}).value();
  EXPECT_EQ(lab7->user, "worker-lab7");
  EXPECT_EQ(lab7->inbox_prefix, "_W.worker-lab7");
  EXPECT_EQ(lab7->servers, worker.servers);
  EXPECT_EQ(lab7->pool, "films");
  EXPECT_NE(lab7->password.reveal(), worker.password.reveal());
  EXPECT_NE(public_key("workers/lab7"), public_key("worker"));
  EXPECT_EQ(text_of(*made / "trusted.keys"), text_of(path() / "worker/trusted.keys"));
  EXPECT_THAT(server(), HasSubstr("  { user: worker-lab7, password: \"" + lab7->password.reveal() +
                                  "\", permissions: {\n"));
  EXPECT_THAT(server(), HasSubstr(R"(subscribe: ["_W.worker-lab7.>", "mr.films.who"])"));
  for (const char* role : {"master", "operator"}) {
    const std::string keys = text_of(path() / role / "trusted.keys");
    EXPECT_THAT(keys, HasSubstr(public_key("workers/lab7") + " worker-lab7\n"));
    EXPECT_THAT(keys, HasSubstr(public_key("worker") + " worker\n"));
  }
  const auto others = fs::perms::group_all | fs::perms::others_all;
  for (const auto& entry : fs::recursive_directory_iterator(path()))
    EXPECT_EQ(entry.status().permissions() & others, fs::perms::none) << entry.path();
}

TEST_F(AddClusterWorker, IsRevokedAloneAndLeavesNothing) {
  const std::string before = everything();
  ASSERT_TRUE(add_cluster_worker(path(), "lab7"));
  const std::string with_lab7 = everything();
  ASSERT_TRUE(add_cluster_worker(path(), "lab9"));
  ASSERT_TRUE(revoke_cluster_worker(path(), "lab9"));
  EXPECT_EQ(everything(), with_lab7);
  ASSERT_TRUE(revoke_cluster_worker(path(), "lab7"));
  EXPECT_EQ(everything(), before);
  const auto again = revoke_cluster_worker(path(), "lab7");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::not_found);
}

TEST_F(AddClusterWorker, IsRevokedWhenItsFolderIsElsewhere) {
  ASSERT_TRUE(add_cluster_worker(path(), "lab7"));
  const std::string key = public_key("workers/lab7");
  fs::remove_all(path() / "workers/lab7");
  ASSERT_TRUE(revoke_cluster_worker(path(), "lab7"));
  EXPECT_THAT(everything(), Not(HasSubstr(key)));
  EXPECT_THAT(server(), Not(HasSubstr("lab7")));
}

TEST_F(AddClusterWorker, TheOneThatWasThereFirstIsRevokedAsWell) {
  const std::string key = public_key("worker");
  ASSERT_TRUE(add_cluster_worker(path(), "lab7"));
  ASSERT_TRUE(revoke_cluster_worker(path(), "worker"));
  EXPECT_THAT(server(), Not(HasSubstr("user: worker,")));
  EXPECT_THAT(everything(), Not(HasSubstr(key)));
  EXPECT_FALSE(fs::exists(path() / "worker"));
  EXPECT_TRUE(add_cluster_worker(path(), "lab9"));
}

// One that was made when the operator had no keys, and all workers one user.
TEST_F(AddClusterWorker, AnOlderFolderGetsWhatItLacks) {
  for (const char* role : {"master", "operator"}) {
    fs::remove(path() / role / "masters.keys");
    std::string access = text_of(path() / role / "access");
    access.erase(access.find("master-keys"));
    if (std::string(role) == "operator") {
      access.erase(access.find("trusted-keys"));
      fs::remove(path() / role / "trusted.keys");
    }
    std::ofstream(path() / role / "access") << access;
  }
  ASSERT_TRUE(cluster_options({.servers = (path() / "operator").string()}));
  ASSERT_TRUE(add_cluster_worker(path(), "lab7"));
  for (const char* role : {"master", "operator"}) {
    const auto options = cluster_options({.servers = (path() / role).string()}).value();
    EXPECT_EQ(text_of(options.master_keys), text_of(path() / "worker/trusted.keys"));
    EXPECT_THAT(text_of(options.trusted_keys), HasSubstr(public_key("worker")));
    EXPECT_THAT(text_of(options.trusted_keys), HasSubstr(public_key("workers/lab7")));
  }
}

TEST_F(AddClusterWorker, RefusesWhatItCannotDo) {
  ASSERT_TRUE(add_cluster_worker(path(), "lab7"));
  const std::string before = everything();
  for (const std::string name :
       {"", "a b", "a.b", "../x", "lab7", "worker", "a\n  { user: x", ">"}) {
    const auto made = add_cluster_worker(path(), name);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, ErrorCode::invalid) << name;
  }
  EXPECT_FALSE(add_cluster_worker(path(), std::string(41, 'x')));
  for (const std::string name : {"", "lab", "../worker", "lab7,", "master"})
    EXPECT_FALSE(revoke_cluster_worker(path(), name)) << name;
  EXPECT_FALSE(add_cluster_worker(folder_.path() / "none", "lab7"));
  EXPECT_EQ(everything(), before);
  std::ofstream(path() / "server/server.conf") << "listen: 4222\n";
  const auto foreign = add_cluster_worker(path(), "lab9");
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().what, HasSubstr("by hand"));
  EXPECT_FALSE(fs::exists(path() / "workers/lab9"));
}

}  // namespace
}  // namespace artel::cluster
