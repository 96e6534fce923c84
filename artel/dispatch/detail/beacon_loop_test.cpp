#include "artel/dispatch/detail/beacon_loop.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
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

TEST(BeaconLoop, IdleWorkersAnswerAtOnce) {
  auto dispatcher = two_workers();
  dispatcher.send_beacons(at(100));
  EXPECT_NEAR(share_of_first(dispatcher, at(100)), 0.5, 0.05);
}

TEST(BeaconLoop, BeaconIsReachedBehindTheTasksThatWereThere) {
  BeaconLoop loop(ClosedLoop{.law = Law::yawp});
  for (const unsigned id : {0U, 1U}) loop.join(WorkerId{id}, 1, at(0));
  loop.taken(WorkerId{0});                  // the first of three tasks runs
  loop.send(WorkerId{0}, 2, true, at(50));  // two wait: reached after all three
  loop.finished(WorkerId{0}, 2, at(100));
  loop.taken(WorkerId{0});
  loop.finished(WorkerId{0}, 4, at(150));  // three more came meanwhile
  loop.publish(at(150));
  EXPECT_DOUBLE_EQ(loop.shares().share(WorkerId{0}), 0.5);  // nothing reported yet
  loop.taken(WorkerId{0});
  loop.finished(WorkerId{0}, 3, at(200));     // reached: 3 committed, 3 queued, gap 200 ms
  loop.send(WorkerId{1}, 0, false, at(200));  // idle: 0 committed, 0 queued, gap 200 ms
  loop.publish(at(200));
  EXPECT_DOUBLE_EQ(loop.shares().share(WorkerId{0}), 0.5);
  loop.finished(WorkerId{0}, 3, at(300));
  loop.send(WorkerId{1}, 0, false, at(600));  // idle, gap 400 ms
  loop.publish(at(600));
  EXPECT_DOUBLE_EQ(loop.shares().share(WorkerId{0}), 2.0 / 3);
}

TEST(BeaconLoop, TasksTakenOverDoNotDelayTheBeacon) {
  BeaconLoop loop(ClosedLoop{.law = Law::yawp});
  for (const unsigned id : {0U, 1U}) loop.join(WorkerId{id}, 1, at(0));
  loop.taken(WorkerId{0});
  loop.send(WorkerId{0}, 1, true, at(0));
  loop.taken(WorkerId{0});  // by somebody else
  loop.finished(WorkerId{0}, 0, at(100));
  loop.send(WorkerId{1}, 0, false, at(50));
  loop.publish(at(100));
  EXPECT_DOUBLE_EQ(loop.shares().share(WorkerId{0}), 1.0 / 3);  // gaps 100 and 50 ms
}

TEST(BeaconLoop, LeavingWorkerLosesItsShareAtOnce) {
  auto dispatcher = two_workers();
  (void)dispatcher.arrived(0, at(0));
  ASSERT_TRUE(dispatcher.leave(WorkerId{0}, Leaving::drain, at(1)));
  EXPECT_EQ(share_of_first(dispatcher, at(2)), 0);
}

}  // namespace
}  // namespace artel::dispatch::detail
