#include "artel/cluster/protocol/detail/roster.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

constexpr Instant kHeard = later(Instant{}, std::chrono::hours(1));
const std::vector<TaskKey> some_tasks{{"f", 1, 0}};

WorkerReport idle_worker(const std::string& worker) {
  WorkerReport report;
  report.worker = worker;
  report.every = std::chrono::seconds(1);
  report.threads = 2;
  report.credit = 3;
  report.tasks = some_tasks;
  return report;
}

TEST(Roster, ADrainingWorkerIsNotCountedNorCalledNorIdle) {
  Roster roster(false);
  WorkerReport report = idle_worker("w");
  EXPECT_TRUE(roster.heard(report, kHeard));
  EXPECT_EQ(roster.strength(some_tasks).credit, 3);
  EXPECT_TRUE(roster.anybody_missing(some_tasks, "S"));
  EXPECT_TRUE(roster.anybody_idle(some_tasks, kHeard));
  report.draining = true;
  EXPECT_TRUE(roster.heard(report, kHeard));
  EXPECT_EQ(roster.strength(some_tasks).credit, 0);
  EXPECT_FALSE(roster.anybody_missing(some_tasks, "S"));
  EXPECT_FALSE(roster.anybody_idle(some_tasks, kHeard));
}

TEST(Roster, AWorkerIsThereUntilItLeavesOrThreeReportsAreMissing) {
  Roster roster(false);
  EXPECT_TRUE(roster.heard(idle_worker("a"), kHeard));
  WorkerReport report = idle_worker("b");
  EXPECT_TRUE(roster.heard(report, kHeard));
  report.leaving = true;
  EXPECT_TRUE(roster.heard(report, kHeard));
  EXPECT_EQ(roster.workers().size(), 1);
  EXPECT_FALSE(roster.forget_silent(later(kHeard, std::chrono::seconds(3))));
  EXPECT_TRUE(roster.forget_silent(later(kHeard, std::chrono::milliseconds(3001))));
  EXPECT_TRUE(roster.empty());
}

TEST(Roster, TheTimeInWhichNoReportCouldBeReceivedIsNoSilence) {
  Roster roster(false);
  EXPECT_TRUE(roster.heard(idle_worker("a"), kHeard));
  roster.did_not_listen(std::chrono::minutes(1), later(kHeard, std::chrono::seconds(60)));
  EXPECT_TRUE(roster.heard(idle_worker("b"), later(kHeard, std::chrono::seconds(61))));
  EXPECT_FALSE(roster.forget_silent(later(kHeard, std::chrono::seconds(63))));
  EXPECT_FALSE(roster.is_idle("a", later(kHeard, std::chrono::seconds(1))));
  // Of two such times one may be part of the other.
  roster.did_not_listen(std::chrono::minutes(9), later(kHeard, std::chrono::seconds(63)));
  EXPECT_TRUE(roster.forget_silent(later(kHeard, std::chrono::milliseconds(66'001))));
  EXPECT_TRUE(roster.empty());
}

TEST(Roster, AReportIsBelievedUpToABound) {
  Roster roster(false);
  WorkerReport report = idle_worker("w");
  report.threads = report.credit = 1'000'000;
  report.every = std::chrono::hours(24);
  roster.heard(report, kHeard);
  EXPECT_EQ(roster.strength(some_tasks).threads, 4096);
  EXPECT_EQ(roster.strength(some_tasks).credit, 2 * 4096);
  EXPECT_FALSE(roster.forget_silent(later(kHeard, std::chrono::minutes(3))));
  EXPECT_TRUE(roster.forget_silent(later(kHeard, std::chrono::seconds(181))));
}

}  // namespace
}  // namespace artel::cluster::detail
