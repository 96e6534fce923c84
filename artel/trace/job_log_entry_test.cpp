#include "artel/trace/job_log_entry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>

#include "artel/core/error.hpp"

namespace artel::trace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(JobLogEntry, HasTheColumnsOfGnuParallel) {
  EXPECT_EQ(format_job_log({.job = 3,
                            .started = 1700000000s + 250ms,
                            .runtime = 1500ms,
                            .output = 6,
                            .exit_status = 1,
                            .signal = 0,
                            .command = "echo 'a b'"}),
            "3\t:\t1700000000.250\t     1.500\t0\t6\t1\t0\techo 'a b'\n");
}

TEST(JobLogEntry, ReadsWhatGnuParallelWrites) {
  const auto entry = parse_job_log("2\t:\t1700000000.123\t     0.004\t0\t2\t0\t9\techo\tb");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->job, 2);
  EXPECT_EQ(entry->runtime, 4ms);
  EXPECT_EQ(entry->signal, 9);
  EXPECT_EQ(entry->command, "echo\tb");
  EXPECT_FALSE(entry->succeeded());
}

TEST(JobLogEntry, SaysWhatIsWrong) {
  EXPECT_THAT(parse_job_log("1\t:").error().what, HasSubstr("found '1\t:'; expected 9 fields"));
  EXPECT_THAT(parse_job_log("0\t:\t1\t1\t0\t0\t0\t0\tx").error().what, HasSubstr("found Seq '0'"));
  EXPECT_THAT(parse_job_log("1\t:\tnan\t1\t0\t0\t0\t0\tx").error().what, HasSubstr("Starttime:"));
  EXPECT_THAT(parse_job_log("1\t:\t1\t1\t0\t0\tx\t0\tx").error().what, HasSubstr("Exitval 'x'"));
}

RC_GTEST_PROP(JobLogEntry, ComesBackAsItWent, (std::uint64_t job, int exit_status, int signal)) {
  const JobLogEntry entry{.job = job | 1U,
                          .started = 1700000000123ms,
                          .runtime = 15ms,
                          .output = job,
                          .exit_status = exit_status,
                          .signal = signal,
                          .command = "echo \t x"};
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

}  // namespace
}  // namespace artel::trace
