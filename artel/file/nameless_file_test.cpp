#include "artel/file/nameless_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

// $TMPDIR as it was, at the end of the test.
class NamelessFile : public testing::Test {
 protected:
  ~NamelessFile() override {
    if (was_)
      ::setenv("TMPDIR", was_->c_str(), 1);
    else
      ::unsetenv("TMPDIR");
  }

 private:
  std::optional<std::string> was_ = std::getenv("TMPDIR") != nullptr
                                        ? std::optional<std::string>(std::getenv("TMPDIR"))
                                        : std::nullopt;
};

TEST_F(NamelessFile, KeepsWhatIsWrittenAndHasNoName) {
  const TemporaryFolder folder;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const auto file = nameless_file();
  ASSERT_TRUE(file.has_value()) << to_string(file.error());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  ASSERT_EQ(::pwrite(file->get(), "kept", 4, 0), 4);
  std::array<char, 4> bytes{};
  ASSERT_EQ(::pread(file->get(), bytes.data(), bytes.size(), 0), 4);
  EXPECT_EQ(std::string_view(bytes.data(), bytes.size()), "kept");
  EXPECT_NE(::fcntl(file->get(), F_GETFD) & FD_CLOEXEC, 0) << "a program that is started has it";
}

TEST_F(NamelessFile, SaysWhereItCouldNotBe) {
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  const auto file = nameless_file();
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(to_string(file.error()),
            "/nowhere/at/all: cannot create a temporary file: No such file or directory");
}

}  // namespace
}  // namespace artel::file
