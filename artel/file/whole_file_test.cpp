#include "artel/file/whole_file.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "artel/file/read_text_file.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

namespace fs = std::filesystem;

std::size_t files(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string text(const fs::path& path) {
  return read_text_file(path, 1000).value_or("not to be read");
}

TEST(WholeFile, AppearsWithCommit) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  auto file = WholeFile::create(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->write("one "));
  EXPECT_TRUE(file->write("two"));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(file->commit());
  EXPECT_EQ(text(path), "one two");
  EXPECT_EQ(files(folder.path()), 1U);
}

TEST(WholeFile, WithoutCommitNothingStaysAndTheOldOneDoes) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  {
    auto old = WholeFile::create(path);
    ASSERT_TRUE(old && old->write("old") && old->commit());
    auto file = WholeFile::create(path);
    ASSERT_TRUE(file && file->write("new"));
    EXPECT_EQ(files(folder.path()), 2U);
  }
  EXPECT_EQ(text(path), "old");
  EXPECT_EQ(files(folder.path()), 1U);
}

TEST(WholeFile, MovedFromItDiscardsNothing) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  auto file = WholeFile::create(path);
  ASSERT_TRUE(file);
  {
    WholeFile mine = *std::move(file);
    ASSERT_TRUE(mine.write("whole") && mine.commit());
  }
  EXPECT_EQ(text(path), "whole");
}

}  // namespace
}  // namespace artel::file
