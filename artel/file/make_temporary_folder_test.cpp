#include "artel/file/make_temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

namespace fs = std::filesystem;

TEST(MakeTemporaryFolder, IsNewAndItsOwners) {
  const TemporaryFolder parent;
  const auto one = make_temporary_folder("one-", parent.path());
  const auto other = make_temporary_folder("one-", parent.path());
  ASSERT_TRUE(one && other);
  EXPECT_NE(*one, *other);
  EXPECT_EQ(one->parent_path(), parent.path());
  EXPECT_TRUE(one->filename().string().starts_with("one-"));
  EXPECT_EQ(fs::status(*one).permissions(), fs::perms::owner_all);
}

TEST(MakeTemporaryFolder, SaysWhyItCannot) {
  const auto none = make_temporary_folder("x-", "/there/is/none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::io);
  EXPECT_THAT(to_string(none.error()), testing::HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace artel::file
