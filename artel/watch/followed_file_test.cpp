#include "artel/watch/followed_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::watch {
namespace {

using testing::ElementsAre;

void append(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

// All lines of the file, while `steps` happen at its end, one after the other.
std::vector<std::string> lines_of(const std::filesystem::path& path,
                                  std::vector<std::function<void()>> steps) {
  std::size_t next = 0;
  const auto file = FollowedFile::open(path, [&] {
    if (next == steps.size()) return false;
    steps[next++]();
    return true;
  });
  EXPECT_TRUE(file) << to_string(file.error());
  std::vector<std::string> lines;
  for (std::string line; std::getline(**file, line);) lines.push_back(line);
  return lines;
}

TEST(FollowedFile, GivesWholeLinesAsTheyCome) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "log";
  append(path, "a\nb");
  EXPECT_THAT(lines_of(path, {[] {}, [&] { append(path, "c\n"); }, [&] { append(path, "d"); }}),
              ElementsAre("a", "bc", "d"));
}

TEST(FollowedFile, FollowsAFileThatIsReplaced) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "log";
  append(path, "head\na\n");
  const auto rotate = [&] { std::filesystem::rename(path, folder.path() / "log.1"); };
  EXPECT_THAT(lines_of(path, {rotate, [&] { append(folder.path() / "log.1", "late\n"); },
                              [&] { append(path, "head\nb\n"); }, [&] { append(path, "c\n"); }}),
              ElementsAre("head", "a", "late", "b", "c"));
}

TEST(FollowedFile, FollowsAFileThatIsCutShort) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "log";
  append(path, "a\nb\n");
  const auto cut = [&] { std::filesystem::resize_file(path, 0); };
  EXPECT_THAT(lines_of(path, {cut, [&] { append(path, "c\n"); }}), ElementsAre("a", "b", "c"));
}

// Neither lost nor joined with what another file begins with.
TEST(FollowedFile, ALineWithoutItsEndEndsWithItsFile) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "log";
  append(path, "head\na");
  const auto rotate = [&] { std::filesystem::rename(path, folder.path() / "log.1"); };
  const auto cut = [&] { std::filesystem::resize_file(path, 0); };
  EXPECT_THAT(lines_of(path, {rotate, [&] { append(path, "head\nb\nc"); }, cut,
                              [&] { append(path, "d\n"); }}),
              ElementsAre("head", "a", "b", "c", "d"));
}

TEST(FollowedFile, RefusesWhatDoesNotGrow) {
  const TemporaryFolder folder;
  const auto never = [] { return false; };
  EXPECT_EQ(FollowedFile::open(folder.path() / "none", never).error().code, ErrorCode::not_found);
  append(folder.path() / "log.gz", "\x1F\x8B\x08");
  EXPECT_EQ(FollowedFile::open(folder.path() / "log.gz", never).error().code,
            ErrorCode::unsupported);
}

TEST(FollowedFile, ALogIsReadWhileItGrows) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "log";
  std::size_t tasks = 0;
  std::vector<std::size_t> seen;
  const auto line = [&](int i) {
    append(path, "{\"t\": " + std::to_string(1'790'000'000 + i) + ", \"ms\": 5}\n");
  };
  int next = 0;
  const auto file = FollowedFile::open((line(0), path), [&] {
    seen.push_back(tasks);
    if (next == 3) return false;
    line(++next);
    return true;
  });
  ASSERT_TRUE(file);
  const auto reading =
      logs::follow_log(**file, "log", {.columns = {{"submitted", "t"}, {"response", "ms:ms"}}},
                       [&](const trace::TaskRecord&, const logs::LogReading& so_far) {
                         ++tasks;
                         EXPECT_EQ(so_far.tasks, tasks);
                         EXPECT_EQ(so_far.knows, logs::Knowledge::responses);
                       });
  ASSERT_TRUE(reading) << to_string(reading.error());
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace artel::watch
