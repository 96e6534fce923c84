#include "artel/process/job_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "artel/error/error.hpp"
#include "artel/process/shell_quote.hpp"

namespace artel::process {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class JobLogFile : public testing::Test {
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
      (std::string("artel_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST(JobLogLine, HasTheColumnsOfGnuParallel) {
  EXPECT_EQ(format_job_log({.job = 3,
                            .started = 1700000000s + 250ms,
                            .runtime = 1500ms,
                            .output = 6,
                            .exit_status = 1,
                            .signal = 0,
                            .command = "echo 'a b'"}),
            "3\t:\t1700000000.250\t     1.500\t0\t6\t1\t0\techo 'a b'\n");
}

TEST(JobLogLine, ReadsWhatGnuParallelWrites) {
  const auto entry = parse_job_log("2\t:\t1700000000.123\t     0.004\t0\t2\t0\t9\techo\tb");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->job, 2);
  EXPECT_EQ(entry->runtime, 4ms);
  EXPECT_EQ(entry->signal, 9);
  EXPECT_EQ(entry->command, "echo\tb");
  EXPECT_FALSE(entry->succeeded());
}

TEST(JobLogLine, SaysWhatIsWrong) {
  EXPECT_THAT(parse_job_log("1\t:").error().what, HasSubstr("found 2 columns"));
  EXPECT_THAT(parse_job_log("0\t:\t1\t1\t0\t0\t0\t0\tx").error().what, HasSubstr("Seq: found '0'"));
  EXPECT_THAT(parse_job_log("1\t:\tnan\t1\t0\t0\t0\t0\tx").error().what, HasSubstr("Starttime"));
  EXPECT_THAT(parse_job_log("1\t:\t1\t1\t0\t0\tx\t0\tx").error().what, HasSubstr("'x'"));
}

RC_GTEST_PROP(JobLogLine, ComesBackAsItWent,
              (std::uint64_t job, int exit_status, int signal, const std::string& word)) {
  const JobLogEntry entry{.job = job | 1U,
                          .started = 1700000000123ms,
                          .runtime = 15ms,
                          .output = job,
                          .exit_status = exit_status,
                          .signal = signal,
                          .command = shell_quote(word)};
  auto line = format_job_log(entry);
  RC_ASSERT(line.find('\n') == line.size() - 1);
  line.pop_back();
  const auto back = parse_job_log(line);
  RC_ASSERT(back.has_value());
  RC_ASSERT(back->job == entry.job);
  RC_ASSERT(back->exit_status == exit_status);
  RC_ASSERT(back->signal == signal);
  RC_ASSERT(back->command == entry.command);
}

TEST_F(JobLogFile, GoesOnWhereALogWasCutOff) {
  {
    auto log = JobLog::open(path_, 0);
    ASSERT_TRUE(log);
    ASSERT_TRUE(log->add({.job = 1, .command = "x"}));
    ASSERT_TRUE(log->add({.job = 2, .exit_status = 1, .command = "x"}));
  }
  const auto whole = text();
  put("3\t:\t17");
  const auto finished = read_job_log(path_);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->succeeded.contains(1));
  EXPECT_TRUE(finished->failed.contains(2));
  EXPECT_EQ(finished->succeeded.size() + finished->failed.size(), 2);
  ASSERT_TRUE(JobLog::open(path_, finished->bytes));
  EXPECT_EQ(text(), whole);
}

TEST_F(JobLogFile, TheLastLineOfAJobCounts) {
  put(format_job_log({.job = 1, .exit_status = 1}) + format_job_log({.job = 1}));
  const auto finished = read_job_log(path_);
  EXPECT_TRUE(finished->succeeded.contains(1));
  EXPECT_EQ(finished->failed.size(), 0);
}

TEST_F(JobLogFile, MistakesHaveALine) {
  EXPECT_EQ(read_job_log(path_)->bytes, 0) << "no file: no jobs";
  put(format_job_log({.job = 1}) + "nonsense\n");
  EXPECT_THAT(to_string(read_job_log(path_).error()), HasSubstr(path_.string() + ":2: found 1"));
}

TEST(JobLog, AFullDiskIsAnError) {
  EXPECT_THAT(to_string(JobLog::open("/dev/full", 0).error()), HasSubstr("No space left"));
  EXPECT_THAT(to_string(JobLog::open("/nonexistent/log", 0).error()), HasSubstr("cannot create"));
}

}  // namespace
}  // namespace artel::process
