#include "artel/file/read_text_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMax = 100'000;

class ReadTextFile : public ::testing::Test {
 protected:
  // A pipe into which somebody writes that.
  Result<std::string> through_a_pipe(const std::string& text) {
    const auto pipe = folder_.path() / "pipe";
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::jthread writer([&] { std::ofstream(pipe) << text; });
    return read_text_file(pipe, kMax);
  }

  TemporaryFolder folder_;
};

TEST_F(ReadTextFile, APipeIsReadToItsEnd) {
  const std::string text(kMax, 'x');
  EXPECT_EQ(through_a_pipe(text).value_or("nothing"), text);
}

TEST_F(ReadTextFile, NeitherAPipeNorAFileMayHaveMore) {
  const std::string text(kMax + 1, 'x');
  const auto piped = through_a_pipe(text);
  ASSERT_FALSE(piped);
  EXPECT_EQ(piped.error().code, ErrorCode::too_large);
  EXPECT_THAT(piped.error().what, HasSubstr("100000 bytes"));
  const auto file = folder_.path() / "file";
  std::ofstream(file) << text;
  EXPECT_EQ(read_text_file(file, kMax).error().code, ErrorCode::too_large);
}

TEST_F(ReadTextFile, ADeviceMayHaveNoEnd) {
  EXPECT_EQ(read_text_file("/dev/zero", kMax).error().code, ErrorCode::invalid);
  EXPECT_EQ(read_text_file(folder_.path(), kMax).error().code, ErrorCode::invalid);
  EXPECT_EQ(read_text_file(folder_.path() / "none", kMax).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace artel::file
