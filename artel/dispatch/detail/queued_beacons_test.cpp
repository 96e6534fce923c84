#include "artel/dispatch/detail/queued_beacons.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/dispatcher.hpp"

namespace artel::dispatch::detail {
namespace {

using std::chrono::milliseconds;

Instant at(int ms) { return Instant{milliseconds(ms)}; }

/// Two workers under the law whose shares show every number of a report.
Dispatcher<int> two_workers() {
  Dispatcher<int> dispatcher({.policy = ClosedLoop{.law = Law::yawp}});
  EXPECT_TRUE(dispatcher.grow(2, {}));
  return dispatcher;
}

double share_of_first(Dispatcher<int>& dispatcher, Instant now) {
  dispatcher.publish(now);
  int first = 0;
  for (int i = 0; i < 2000; ++i) {  // the shares are seen by where tasks go
    first += dispatcher.arrived(0, now).worker == WorkerId{0} ? 1 : 0;
  }
  return first / 2000.0;
}

TEST(QueuedBeacons, IdleWorkersAnswerAtOnce) {
  auto dispatcher = two_workers();
  dispatcher.send_beacons(at(100));
  EXPECT_NEAR(share_of_first(dispatcher, at(100)), 0.5, 0.05);
}

TEST(QueuedBeacons, BeaconIsReachedBehindTheTasksThatWereThere) {
  const WorkerId id{0};
  QueuedBeacons beacons;
  beacons.join(id);
  for (int i = 0; i < 3; ++i) beacons.bound(id);
  beacons.taken(id);     // the first of three tasks runs
  beacons.send(at(50));  // two wait: reached after all three
  for (int i = 1; i <= 2; ++i) {
    beacons.bound(id);  // more come meanwhile
    beacons.finished(id);
    EXPECT_FALSE(beacons.reached(id, 4, at(100 * i)));
    beacons.taken(id);
  }
  beacons.finished(id);
  const auto found = beacons.reached(id, 3, at(300));
  ASSERT_TRUE(found);
  const auto report = found.value_or(BeaconReport{});
  EXPECT_EQ(report.worker, id);
  EXPECT_EQ(report.queued, 3U);
  EXPECT_EQ(report.committed, 3U);
  EXPECT_EQ(report.sent, at(50));
  EXPECT_EQ(report.back, at(300));
  EXPECT_FALSE(beacons.reached(id, 3, at(300)));
}

TEST(QueuedBeacons, ReportCountsTheTasksSinceTheBeaconBefore) {
  const WorkerId id{0};
  QueuedBeacons beacons;
  beacons.join(id);
  beacons.send(at(10));
  EXPECT_EQ(beacons.answer(id).committed, 0U);
  for (int i = 0; i < 2; ++i) {
    beacons.bound(id);
    beacons.taken(id);
    beacons.finished(id);
    EXPECT_FALSE(beacons.reached(id, 0, at(15)));
  }
  beacons.send(at(20));
  const auto report = beacons.answer(id);
  EXPECT_EQ(report.committed, 2U);
  EXPECT_EQ(report.sent, at(20));
  EXPECT_EQ(report.back, at(20));
}

TEST(QueuedBeacons, ThoseInDifferentPlacesAreReachedOneAfterTheOther) {
  const WorkerId id{0};
  QueuedBeacons beacons;
  beacons.join(id);
  for (int task = 0; task < 2; ++task) {
    beacons.bound(id);
    beacons.send(at(1));
  }
  for (int task = 0; task < 2; ++task) {
    beacons.taken(id);
    beacons.finished(id);
    EXPECT_EQ(beacons.reached(id, 0, at(3)).value_or(BeaconReport{}).committed, 1U);
    EXPECT_FALSE(beacons.reached(id, 0, at(3)));
  }
}

// Any more would say what the second says.
TEST(QueuedBeacons, OfSeveralInOnePlaceTwoReport) {
  const WorkerId id{0};
  for (const int sent : {2, 3, 7}) {
    QueuedBeacons beacons;
    beacons.join(id);
    beacons.bound(id);
    beacons.taken(id);
    for (int i = 1; i <= sent; ++i) beacons.send(at(i));
    beacons.finished(id);
    EXPECT_EQ(beacons.reached(id, 0, at(9)).value_or(BeaconReport{}).committed, 1U);
    const auto second = beacons.reached(id, 0, at(9));
    ASSERT_TRUE(second);
    EXPECT_EQ(second.value_or(BeaconReport{.committed = 1}).committed, 0U);
    EXPECT_EQ(second.value_or(BeaconReport{}).sent, at(sent));
    EXPECT_FALSE(beacons.reached(id, 0, at(9)));
  }
}

TEST(QueuedBeacons, WhoJoinsGetsNoneThatWereSentBefore) {
  const WorkerId id{0};
  QueuedBeacons beacons;
  beacons.send(at(1));
  beacons.join(id);
  beacons.bound(id);
  beacons.taken(id);
  beacons.finished(id);
  EXPECT_FALSE(beacons.reached(id, 0, at(2)));
}

TEST(QueuedBeacons, TasksTakenOverDoNotDelayTheBeacon) {
  const WorkerId id{0};
  QueuedBeacons beacons;
  beacons.join(id);
  for (int i = 0; i < 2; ++i) beacons.bound(id);
  beacons.taken(id);
  beacons.send(at(0));
  beacons.taken(id);  // by somebody else
  beacons.finished(id);
  EXPECT_TRUE(beacons.reached(id, 0, at(100)));
}

TEST(QueuedBeacons, LeavingWorkerLosesItsShareAtOnce) {
  auto dispatcher = two_workers();
  (void)dispatcher.arrived(0, at(0));
  ASSERT_TRUE(dispatcher.leave(WorkerId{0}, Leaving::drain, at(1)));
  EXPECT_EQ(share_of_first(dispatcher, at(2)), 0);
}

}  // namespace
}  // namespace artel::dispatch::detail
