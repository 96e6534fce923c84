#include "artel/file/result_file.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/read_text_file.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Known = std::optional<std::string>;

// Interrupted results begin with a question mark; an exclamation mark is one of another question.
Result<Known> read_state(std::string_view text) {
  if (text.starts_with('!')) return fail(ErrorCode::invalid, "of another question");
  return text.starts_with('?') ? Known(text) : std::nullopt;
}

class ResultFiles : public testing::Test {
 protected:
  std::string text(const fs::path& name) const {
    return read_text_file(folder_.path() / name, 100, ReadFor::update).value_or("none");
  }
  void make(const fs::path& name, std::string_view text) const {
    std::ofstream(folder_.path() / name) << text;
  }

  TemporaryFolder folder_;
  ResultFile file_{folder_.path() / "r.json"};
};

TEST_F(ResultFiles, AnInterruptedResultDoesNotReplaceAFinishedOne) {
  ASSERT_TRUE(file_.finish("whole"));
  ASSERT_TRUE(file_.interrupt("?"));
  EXPECT_EQ(text("r.json"), "whole");
  EXPECT_EQ(text("r.partial.json"), "?");
}

TEST_F(ResultFiles, AFinishedResultRemovesTheInterruptedOne) {
  ASSERT_TRUE(file_.interrupt("?"));
  ASSERT_TRUE(file_.finish("whole"));
  EXPECT_EQ(text("r.json"), "whole");
  EXPECT_EQ(text("r.partial.json"), "none");
}

TEST_F(ResultFiles, IsResumedFromThePartialFileThenFromTheFileItself) {
  EXPECT_EQ(file_.resume(read_state).value(), std::nullopt);
  make("r.json", "?old");
  EXPECT_EQ(file_.resume(read_state).value(), "?old");
  ASSERT_TRUE(file_.interrupt("?new"));
  EXPECT_EQ(file_.resume(read_state).value(), "?new");
}

TEST_F(ResultFiles, AFinishedResultIsNotResumed) {
  make("r.json", "whole");
  EXPECT_EQ(file_.resume(read_state).value(), std::nullopt);
}

TEST_F(ResultFiles, AnotherFileUnderThePartialNameIsRefused) {
  make("r.partial.json", "mine");
  const auto known = file_.resume(read_state);
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().where, (folder_.path() / "r.partial.json").string());
  make("r.partial.json", "!");
  EXPECT_EQ(file_.resume(read_state).error().what, "of another question");
}

TEST_F(ResultFiles, KeepsEveryTenSeconds) {
  const Instant start{};
  const auto keep = [&](Duration after, const char* words) {
    file_.keep(start + after, [&] { return std::string(words); });
    return text("r.partial.json");
  };
  EXPECT_EQ(keep(0s, "?0"), "none");
  EXPECT_EQ(keep(9s, "?9"), "none");
  EXPECT_EQ(keep(10s, "?10"), "?10");
  EXPECT_EQ(keep(19s, "?19"), "?10");
  EXPECT_EQ(keep(20s, "?20"), "?20");
}

TEST_F(ResultFiles, ADeviceGetsInterruptedResultsToo) {
  ResultFile null("/dev/null");
  EXPECT_EQ(null.partial_path(), "/dev/null");
  EXPECT_TRUE(null.interrupt("?"));
  EXPECT_TRUE(null.finish("whole"));
  EXPECT_TRUE(fs::exists("/dev/null"));
}

}  // namespace
}  // namespace artel::file
