#include "artel/cluster/protocol/detail/job_health.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/server_link.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;

constexpr Instant kBegun = Instant{} + 1h;
constexpr Duration kLimit = 30s + 2 * 4s;  // of silence, with the options below

std::string text_of(const std::optional<Error>& error) { return error.value_or(Error{}).what; }

class JobHealthTest : public ::testing::Test {
 protected:
  const QueueOptions options_ = check({.worker_timeout = 30s}).value();
  ServerLink link_;
  JobHealth health_{options_, kBegun};
};

TEST_F(JobHealthTest, OnlyAnAnswerEndsASilence) {
  EXPECT_EQ(health_.silent_for(kBegun), 0s);
  health_.asked(kBegun);
  health_.asked(kBegun + 3s);
  health_.moves(kBegun + 4s);
  health_.did_not_listen(2s, kBegun + 5s);
  EXPECT_EQ(health_.silent_for(kBegun + 5s), 5s);
  EXPECT_FALSE(health_.asks_again(kBegun + 6s));
  EXPECT_TRUE(health_.asks_again(kBegun + 7s));
  health_.answered();
  EXPECT_EQ(health_.silent_for(kBegun + 8s), 0s);
}

TEST_F(JobHealthTest, ASilentQueueEndsTheJob) {
  const JobHealth::Sight busy{.out = 1, .credit = 1};
  health_.asked(kBegun);
  EXPECT_FALSE(health_.check_queue(busy, link_, kBegun + kLimit));
  const auto error = health_.check_queue(busy, link_, kBegun + kLimit + 1ns);
  EXPECT_EQ(text_of(error),
            "the queue has said nothing for 38.0 s: look at JetStream on the server (artel cluster "
            "status)");
}

TEST_F(JobHealthTest, TimeInWhichTheProcessDidNotRunCountsForNothing) {
  health_.asked(kBegun);
  health_.did_not_run(10s, kBegun + 20s);
  EXPECT_EQ(health_.silent_for(kBegun + 20s), 10s);
  EXPECT_EQ(health_.still_for(kBegun + 20s), 10s);
}

TEST_F(JobHealthTest, AQueueThatGivesNothingEndsTheJobWithItsLastWord) {
  const JobHealth::Sight idle{.out = 1, .credit = 1, .idle = true};
  health_.not_stored({.chunk = {}, .refused = true, .why = "maximum bytes exceeded"});
  EXPECT_FALSE(health_.check_queue(idle, link_, kBegun + kLimit));
  const auto error = health_.check_queue(idle, link_, kBegun + kLimit + 1ns);
  EXPECT_EQ(error.value_or(Error{}).code, ErrorCode::full);
  EXPECT_THAT(text_of(error), ::testing::HasSubstr("(maximum bytes exceeded)"));
}

TEST_F(JobHealthTest, ABusyWorkerKeepsTheJob) {
  EXPECT_FALSE(health_.check_queue({.out = 1, .credit = 1}, link_, kBegun + 2 * kLimit));
  EXPECT_EQ(health_.still_for(kBegun + 2 * kLimit), 0s);
}

TEST_F(JobHealthTest, AJobWithoutWorkersEnds) {
  const WorkersView nobody{};
  EXPECT_FALSE(health_.check_workers(1, nobody, link_, kBegun));
  EXPECT_FALSE(health_.check_workers(1, nobody, link_, kBegun + 30s));
  EXPECT_TRUE(health_.check_workers(1, nobody, link_, kBegun + 31s));
  EXPECT_FALSE(health_.check_workers(0, nobody, link_, kBegun + 32s));  // nothing is out
  EXPECT_FALSE(health_.check_workers(1, nobody, link_, kBegun + 33s));  // from here on
}

TEST_F(JobHealthTest, AShutConnectionEndsTheJobAtOnce) {
  link_.lost({{ErrorCode::closed, "refused", ""}}, kBegun);
  EXPECT_FALSE(health_.check_connection(link_, kBegun + 30s));
  EXPECT_TRUE(health_.check_connection(link_, kBegun + 31s));
  link_.lost({{ErrorCode::closed, "refused", ""}, true}, kBegun + 1s);
  EXPECT_EQ(text_of(health_.check_connection(link_, kBegun + 1s)), "refused");
}

}  // namespace
}  // namespace artel::cluster::detail
