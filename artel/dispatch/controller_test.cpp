#include "artel/dispatch/controller.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Instant at(int ms) { return Instant{milliseconds(ms)}; }

Controller with_workers(const ClosedLoop& options, const std::vector<float>& weights) {
  Controller controller(options);
  for (std::size_t i = 0; i < weights.size(); ++i) controller.join(worker(i), weights[i], at(0));
  return controller;
}

BeaconReport report(unsigned id, std::uint32_t queued, std::uint64_t committed, int back_ms) {
  return {.worker = WorkerId{id},
          .queued = queued,
          .committed = committed,
          .sent = at(back_ms),
          .back = at(back_ms)};
}

constexpr ClosedLoop kSecond{Law::level, seconds(1), seconds(1)};

TEST(Controller, BeforeAnyReportSharesFollowTheWeights) {
  auto controller = with_workers({}, {1, 3});
  EXPECT_DOUBLE_EQ(controller.publish(at(0)).share(WorkerId{1}), 0.75);
}

TEST(Controller, ArrivalsAreCommittedPlusGrowthOfTheQueue) {
  auto controller = with_workers(kSecond, {1, 1});
  controller.report(report(0, 5, 10, 1000));
  controller.report(report(1, 0, 15, 1000));
  EXPECT_DOUBLE_EQ(controller.arrival_rate(), 30);
}

TEST(Controller, WhatWasQueuedAtTheLastReportDoesNotArriveAgain) {
  auto controller = with_workers(kSecond, {1});
  controller.report(report(0, 5, 5, 1000));
  controller.report(report(0, 5, 10, 2000));
  EXPECT_DOUBLE_EQ(controller.arrival_rate(), 10);
}

TEST(Controller, LevelPoursExpectedArrivalsOverTheQueues) {
  auto controller = with_workers(kSecond, {1, 1, 1});
  controller.report(report(0, 0, 9, 1000));
  controller.report(report(1, 2, 7, 1000));
  controller.report(report(2, 9, 0, 1000));  // 9 arrived at each
  const Shares shares = controller.publish(at(1000));
  // 27 on top of 0, 2, 9 fills to 12 2/3.
  const double floor = Controller::kShareMin;
  const auto share = [&](double part) { return (1 - floor) * part / 27 + floor / 3; };
  EXPECT_NEAR(shares.share(WorkerId{0}), share(12 + 2 / 3.0), 1e-12);
  EXPECT_NEAR(shares.share(WorkerId{1}), share(10 + 2 / 3.0), 1e-12);
  EXPECT_NEAR(shares.share(WorkerId{2}), share(3 + 2 / 3.0), 1e-12);
}

TEST(Controller, LevelCountsArrivalsExpectedSinceTheReport) {
  auto controller = with_workers(kSecond, {1, 1});
  for (const unsigned id : {0U, 1U}) controller.report(report(id, 10, 0, 1000));
  (void)controller.publish(at(1000));
  controller.report(report(1, 10, 10, 2000));  // as before; worker 0 is silent
  const Shares shares = controller.publish(at(2000));
  EXPECT_NEAR(shares.share(WorkerId{0}), 0.5, 1e-9);  // has done its part as far as one knows
  const Shares later = controller.publish(at(3000));
  EXPECT_LT(later.share(WorkerId{0}), 0.4);  // silent for two beacons: no more credit
}

TEST(Controller, LevelGivesTheFastMoreByWeight) {
  auto controller = with_workers(kSecond, {1, 4});
  for (const unsigned id : {0U, 1U}) controller.report(report(id, 0, 50, 1000));
  EXPECT_NEAR(controller.publish(at(1000)).share(WorkerId{1}), 0.8, 1e-12);
}

TEST(Controller, YawpIsCommittedOverQueuedTimesGap) {
  auto controller = with_workers({.law = Law::yawp}, {1, 1});
  controller.report(report(0, 4, 8, 100));
  controller.report(report(1, 0, 0, 200));  // zeros are raised to one; twice the gap
  const Shares shares = controller.publish(at(200));
  EXPECT_DOUBLE_EQ(shares.share(WorkerId{0}), 2.0 / (2.0 + 0.5));
}

TEST(Controller, WhoLeavesHasNoShareAndItsBeaconsAreIgnored) {
  for (const Law law : {Law::level, Law::yawp}) {
    auto controller = with_workers({.law = law}, {1, 1});
    controller.leave(WorkerId{0});
    controller.report(report(0, 0, 100, 100));
    EXPECT_EQ(controller.publish(at(100)).share(WorkerId{0}), 0);
  }
}

TEST(Controller, TheSameArrivalsAreExpectedWhenAWorkerLeaves) {
  auto controller = with_workers(kSecond, {1, 1, 1, 1});
  for (const unsigned id : {0U, 1U, 2U, 3U}) controller.report(report(id, 0, 25, 1000));
  EXPECT_DOUBLE_EQ(controller.arrival_rate(), 100);
  controller.leave(WorkerId{2});
  EXPECT_DOUBLE_EQ(controller.arrival_rate(), 100);
}

RC_GTEST_PROP(Controller, NoMembersShareIsEverZeroAndSharesAddUp, ()) {
  const auto law = *rc::gen::element(Law::level, Law::yawp);
  auto controller = with_workers({law, milliseconds(200), milliseconds(50)}, {1, 2, 0.5});
  int now = 0;
  const auto reports = *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange(0U, 5000U), rc::gen::inRange(0U, 300U)));
  for (const auto& [queued, committed] : reports) {
    controller.report(report(queued % 3, queued, committed, now += static_cast<int>(committed)));
    const Shares shares = controller.publish(at(now));
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(shares.share(worker(i)) > 0);
      sum += shares.share(worker(i));
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-9);
  }
}

}  // namespace
}  // namespace artel::dispatch
