#include "artel/file/write_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/whole_file.hpp"

namespace artel::file {
namespace {

namespace fs = std::filesystem;

class OutputFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     fmt::format("artel_output_file_{}", ::getpid());  // tests run side by side
};

TEST_F(OutputFile, ReplacesTheOldFileWhole) {
  ASSERT_TRUE(write_file(folder_ / "a.json", "a long first version"));
  ASSERT_TRUE(write_file(folder_ / "a.json", "second"));
  EXPECT_EQ(read(folder_ / "a.json"), "second");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, MissingFolderIsAnErrorThatNamesTheFile) {
  const auto result = write_file(folder_ / "nowhere/a.json", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_EQ(result.error().where, (folder_ / "nowhere/a.json").string());
  EXPECT_EQ(result.error().what, "cannot create: No such file or directory");
}

TEST_F(OutputFile, FullDiskIsAnError) {
  const auto result = write_file("/dev/full", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(to_string(result.error()), "/dev/full: cannot write: No space left on device");
}

TEST_F(OutputFile, IsCheckedBeforehandWithoutATrace) {
  EXPECT_TRUE(check_writable(folder_ / "new.json"));
  EXPECT_EQ(files(), 0U);
  EXPECT_TRUE(check_writable("/dev/null"));
  EXPECT_EQ(to_string(check_writable(folder_ / "nowhere/a.json").error()),
            (folder_ / "nowhere/a.json").string() + ": cannot create: No such file or directory");
  EXPECT_EQ(to_string(check_writable(folder_).error()),
            folder_.string() + ": cannot write: Is a directory");
}

TEST_F(OutputFile, FailedRenameLeavesNothingBehind) {
  fs::create_directories(folder_ / "taken/inside");
  EXPECT_FALSE(write_file(folder_ / "taken", "x"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, IsForItsOwnerOnlyIfAsked) {
  const auto mode = [&] { return fs::status(folder_ / "key").permissions(); };
  const auto mask = ::umask(0);
  ASSERT_TRUE(write_file(folder_ / "key", "x"));
  EXPECT_EQ(mode(), fs::perms(0666));
  ASSERT_TRUE(write_file(folder_ / "key", "y", {.owner_only = true}));
  EXPECT_EQ(mode(), fs::perms(0600));
  ::umask(mask);
}

TEST_F(OutputFile, AnOldOneIsKeptIfAsked) {
  ASSERT_TRUE(write_file(folder_ / "key", "old", {.replace = false}));
  const auto result = write_file(folder_ / "key", "new", {.replace = false});
  ASSERT_FALSE(result);
  EXPECT_EQ(to_string(result.error()), (folder_ / "key").string() + ": cannot create: File exists");
  auto late = WholeFile::create(folder_ / "late", {.replace = false});
  ASSERT_TRUE(late);
  ASSERT_TRUE(write_file(folder_ / "late", "old"));
  EXPECT_FALSE(late->commit());  // it came meanwhile
  EXPECT_EQ(read(folder_ / "late"), "old");
  EXPECT_FALSE(write_file("/dev/null", "x", {.replace = false}));
  EXPECT_EQ(files(), 2U);
}

}  // namespace
}  // namespace artel::file
