#include "artel/logs/detail/process_lives.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

void at_work(ProcessLives& lives, std::uint64_t process, int from_s, int to_s) {
  for (int s = from_s; s < to_s; ++s) lives.seen(process, Instant{std::chrono::seconds(s)});
}

TEST(ProcessLives, WhoIsThereAllTheTimeNeitherBeganNorEnded) {
  ProcessLives lives;
  at_work(lives, 1, 0, 1000);
  at_work(lives, 2, 5, 990);
  lives.seen(3, Instant{500s});  // once: that says nothing
  EXPECT_EQ(lives.changes().began, 0U);
  EXPECT_EQ(lives.changes().ended, 0U);
}

TEST(ProcessLives, OneThatFollowsAnotherIsARestart) {
  ProcessLives lives;
  at_work(lives, 1, 0, 1000);
  at_work(lives, 2, 0, 400);
  at_work(lives, 3, 410, 1000);
  EXPECT_EQ(lives.changes().began, 1U);
  EXPECT_EQ(lives.changes().ended, 1U);
}

// Lines of Sidekiq 7, of which the process has another number from `restart` on.
std::string sidekiq(int restart) {
  std::string text;
  for (int i = 0; i < 600; ++i)
    text += fmt::format(
        "2026-05-01T10:{:02}:{:02}.000Z pid={} tid=abc class=Mail jid=a{} elapsed=0.5 INFO: done\n",
        i / 60, i % 60, i < restart ? 17 : 18, i);
  return text;
}

TEST(ProcessLives, OfALogThatNamesItsProcessesRestartsAreSaid) {
  const auto notes = [](const std::string& text) {
    std::istringstream in(text);
    const auto reading = read_log(in, "sidekiq.log", {}, [](const trace::TaskRecord&) {});
    return reading.value_or(LogReading{}).notes();
  };
  EXPECT_THAT(notes(sidekiq(300)),
              Contains(HasSubstr("1 of the workers' processes began and 1 ended")));
  EXPECT_THAT(notes(sidekiq(600)), Not(Contains(HasSubstr("processes"))));
}

}  // namespace
}  // namespace artel::logs::detail
