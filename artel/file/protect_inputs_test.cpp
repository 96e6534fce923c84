#include "artel/file/protect_inputs.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/write_file.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

namespace fs = std::filesystem;

class InputFiles : public testing::Test {
 protected:
  InputFiles() {
    protect_inputs();
    std::ofstream(input_) << "kept";
  }
  std::string text() const { return read_text_file(input_, 100).value_or("lost"); }

  TemporaryFolder folder_;
  fs::path input_ = folder_.path() / "input";
};

TEST_F(InputFiles, AreNotReplaced) {
  ASSERT_EQ(text(), "kept");
  const auto written = write_file(input_, "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::invalid);
  EXPECT_EQ(written.error().where, input_.string());
  EXPECT_FALSE(check_writable(input_));
  EXPECT_EQ(text(), "kept");
}

TEST_F(InputFiles, AreNotReplacedThroughLinks) {
  ASSERT_EQ(text(), "kept");
  const auto symbolic = folder_.path() / "symbolic";
  const auto hard = folder_.path() / "hard";
  fs::create_symlink(input_, symbolic);
  fs::create_hard_link(input_, hard);
  EXPECT_FALSE(write_file(symbolic, "new"));
  EXPECT_FALSE(write_file(hard, "new"));
  EXPECT_FALSE(write_file(folder_.path() / "." / "input", "new"));
  EXPECT_EQ(text(), "kept");
}

TEST_F(InputFiles, AreKnownThroughTheLinkThatWasRead) {
  const auto link = folder_.path() / "link";
  fs::create_symlink(input_, link);
  ASSERT_TRUE(read_text_file(link, 100));
  EXPECT_FALSE(write_file(input_, "new"));
}

TEST_F(InputFiles, MayBeReadAfterTheOutputWasBegun) {
  auto output = WholeFile::create(input_);
  ASSERT_TRUE(output && output->write("new"));
  ASSERT_EQ(text(), "kept");
  EXPECT_FALSE(output->commit());
  EXPECT_EQ(text(), "kept");
}

TEST_F(InputFiles, AreNotWhatIsReadToBeUpdated) {
  ASSERT_TRUE(read_text_file(input_, 100, ReadFor::update));
  EXPECT_TRUE(write_file(input_, "new"));
}

TEST_F(InputFiles, AreForgottenWithTheirFile) {
  ASSERT_EQ(text(), "kept");
  const auto hard = folder_.path() / "hard";
  fs::create_hard_link(input_, hard);
  fs::remove(input_);  // `hard` stands for another file that got the inode
  EXPECT_TRUE(write_file(hard, "new"));
}

TEST_F(InputFiles, AreNotAFileOfAnotherName) {
  ASSERT_EQ(text(), "kept");
  const auto other = folder_.path() / "other";
  EXPECT_TRUE(write_file(other, "new"));
  EXPECT_TRUE(write_file(other, "newer"));
}

}  // namespace
}  // namespace artel::file
