#include "artel/command/job_log_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/trace/job_log_entry.hpp"

namespace artel::command {
namespace {

using testing::HasSubstr;

class JobLogFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  void put(std::string_view text) { std::ofstream(path_, std::ios::app) << text; }
  std::string text() {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("artel_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
       std::to_string(::getpid()));
};

TEST_F(JobLogFileTest, GoesOnWhereALogWasCutOff) {
  {
    auto log = JobLogFile::open(path_);
    ASSERT_TRUE(log && log->begin(0));
    ASSERT_TRUE(log->add(trace::format_job_log({.job = 1, .command = "x"})));
    ASSERT_TRUE(log->add(trace::format_job_log({.job = 2, .exit_status = 1, .command = "x"})));
  }
  const auto whole = text();
  put("3\t:\t17");
  const auto finished = read_finished_jobs(path_);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->succeeded.contains(1));
  EXPECT_TRUE(finished->failed.contains(2));
  EXPECT_EQ(finished->succeeded.size() + finished->failed.size(), 2);
  ASSERT_TRUE(JobLogFile::open(path_)->begin(finished->bytes));
  EXPECT_EQ(text(), whole);
}

TEST_F(JobLogFileTest, TheLastLineOfAJobCounts) {
  put(trace::format_job_log({.job = 1, .exit_status = 1}) + trace::format_job_log({.job = 1}));
  const auto finished = read_finished_jobs(path_);
  EXPECT_TRUE(finished->succeeded.contains(1));
  EXPECT_EQ(finished->failed.size(), 0);
}

TEST_F(JobLogFileTest, MistakesHaveALine) {
  EXPECT_EQ(read_finished_jobs(path_)->bytes, 0) << "no file: no jobs";
  put(trace::format_job_log({.job = 1}) + "nonsense\n");
  EXPECT_THAT(to_string(read_finished_jobs(path_).error()),
              HasSubstr(path_.string() + ":2: found 'nonsense'"));
}

TEST_F(JobLogFileTest, KnowsTheCommandsHoweverTheyAreQuoted) {
  put(trace::format_job_log({.job = 2, .command = "echo 'a b'"}) +
      trace::format_job_log({.job = 3, .exit_status = 1, .command = "echo c"}));
  const auto finished = read_finished_jobs(path_);
  EXPECT_TRUE(finished->had_command(2, R"(echo a\ b)"));
  EXPECT_FALSE(finished->had_command(2, "echo ab"));
  EXPECT_TRUE(finished->had_command(1, "is not in the log"));
  EXPECT_TRUE(finished->had_command(4, "nor is this"));
  EXPECT_EQ(finished->failed_commands.at(3).spelling, "echo c");
  EXPECT_EQ(finished->failed_commands.at(3).line, 2);
}

TEST_F(JobLogFileTest, OneRunPerLog) {
  const auto first = JobLogFile::open(path_);
  EXPECT_THAT(to_string(JobLogFile::open(path_).error()), HasSubstr("another run"));
}

TEST(JobLogFile, AFullDiskIsAnError) {
  EXPECT_THAT(to_string(JobLogFile::open("/dev/full")->begin(0).error()),
              HasSubstr("No space left"));
  EXPECT_THAT(to_string(JobLogFile::open("/nonexistent/log").error()), HasSubstr("cannot create"));
}

}  // namespace
}  // namespace artel::command
