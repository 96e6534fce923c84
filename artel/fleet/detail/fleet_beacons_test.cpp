#include "artel/fleet/detail/fleet_beacons.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/worker_table.hpp"

namespace artel::fleet::detail {
namespace {

using dispatch::BeaconReport;
using std::chrono::milliseconds;

constexpr WorkerId kWorker{0};

Instant at(int ms) { return Instant{milliseconds(ms)}; }

// A closed loop of two workers, and its beacons.
class Beacons : public ::testing::Test {
 protected:
  Beacons() : table_(dispatch::ClosedLoop{.law = dispatch::Law::yawp}, {.max = 2}, 1) {
    for (int i = 0; i < 2; ++i) {
      const auto id = table_.join({}, {});
      EXPECT_TRUE(id);
      beacons_.join(id.value_or(kWorker));
    }
  }
  void binds() {
    table_.bind(kWorker, {});
    beacons_.bound(kWorker);
  }
  void starts() { beacons_.started(kWorker); }
  void ends() {
    table_.finish(kWorker);
    beacons_.finished(kWorker);
  }
  [[nodiscard]] std::optional<BeaconReport> reached(Instant now, std::uint32_t queued = 0) {
    return beacons_.reached(kWorker, queued, now);
  }

  dispatch::WorkerTable table_;
  FleetBeacons beacons_{table_};
};

TEST_F(Beacons, IdleWorkersAnswerAtOnce) {
  beacons_.send(at(100));
  EXPECT_FALSE(reached(at(100)));  // it has reported
  table_.publish(at(100));
  EXPECT_DOUBLE_EQ(table_.share(kWorker), 0.5);
}

TEST_F(Beacons, AreReachedBehindTheTasksThatWereThere) {
  for (int i = 0; i < 3; ++i) binds();
  starts();
  beacons_.send(at(50));  // two wait: reached after all three
  for (int i = 1; i <= 2; ++i) {
    binds();  // more come meanwhile
    ends();
    EXPECT_FALSE(reached(at(100 * i), 4));
    starts();
    EXPECT_FALSE(reached(at(100 * i), 4));
  }
  ends();
  starts();  // whether the next one has started before or after that does not matter
  const auto found = reached(at(300), 3);
  ASSERT_TRUE(found);
  const auto report = found.value_or(BeaconReport{});
  EXPECT_EQ(report.worker, kWorker);
  EXPECT_EQ(report.queued, 3U);
  EXPECT_EQ(report.committed, 3U);
  EXPECT_EQ(report.sent, at(50));
  EXPECT_EQ(report.back, at(300));
  EXPECT_FALSE(reached(at(300), 3));
}

TEST_F(Beacons, CountTheTasksSinceTheBeaconBefore) {
  beacons_.send(at(10));
  for (int i = 0; i < 2; ++i) {
    binds();
    starts();
    ends();
    EXPECT_FALSE(reached(at(15)));
  }
  binds();
  starts();
  beacons_.send(at(20));
  ends();
  const auto report = reached(at(21)).value_or(BeaconReport{});
  EXPECT_EQ(report.committed, 3U);
  EXPECT_EQ(report.sent, at(20));
  EXPECT_EQ(report.back, at(21));
}

TEST_F(Beacons, InDifferentPlacesAreReachedOneAfterTheOther) {
  for (int task = 0; task < 2; ++task) {
    binds();
    beacons_.send(at(1));
  }
  for (int task = 0; task < 2; ++task) {
    starts();
    ends();
    EXPECT_EQ(reached(at(3)).value_or(BeaconReport{}).committed, 1U);
    EXPECT_FALSE(reached(at(3)));
  }
}

// Any more would say what the second says.
TEST_F(Beacons, OfSeveralInOnePlaceTwoReport) {
  for (const int sent : {2, 3, 7}) {
    binds();
    starts();
    for (int i = 1; i <= sent; ++i) beacons_.send(at(i));
    ends();
    EXPECT_EQ(reached(at(9)).value_or(BeaconReport{}).committed, 1U);
    const auto second = reached(at(9));
    ASSERT_TRUE(second);
    EXPECT_EQ(second.value_or(BeaconReport{.committed = 1}).committed, 0U);
    EXPECT_EQ(second.value_or(BeaconReport{}).sent, at(sent));
    EXPECT_FALSE(reached(at(9)));
  }
}

TEST_F(Beacons, SentBeforeAWorkerJoinsAreNotForIt) {
  binds();
  beacons_.send(at(1));
  beacons_.join(kWorker);
  binds();
  starts();
  ends();
  EXPECT_FALSE(reached(at(2)));
}

TEST_F(Beacons, AreNotDelayedByTasksThatWereTakenAway) {
  for (int i = 0; i < 2; ++i) binds();
  starts();
  beacons_.send(at(0));
  beacons_.withdrawn(kWorker);
  ends();
  EXPECT_TRUE(reached(at(100)));
}

TEST(NoBeacons, UnderAnotherPolicy) {
  dispatch::WorkerTable table(dispatch::Random{}, {}, 1);
  EXPECT_FALSE(FleetBeacons(table).active());
}

}  // namespace
}  // namespace artel::fleet::detail
