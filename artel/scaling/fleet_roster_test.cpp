#include "artel/scaling/fleet_roster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::scaling {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr Instant at(Duration time) { return Instant{time}; }

// Workers 1 to `count`, which have answered.
FleetRoster fleet_of(std::uint32_t count, std::uint32_t most) {
  FleetRoster roster(most);
  roster.resize(count);
  for (FleetRoster::WorkerName worker = 1; worker <= count; ++worker) {
    roster.started(worker);
    roster.answered(worker, 1);
  }
  return roster;
}

TEST(FleetRoster, StartsAsManyAsAreMissing) {
  FleetRoster roster(8);
  EXPECT_EQ(roster.changes(at(0s)).starts, 0U);
  roster.resize(3);
  EXPECT_EQ(roster.changes(at(0s)).starts, 3U);
  roster.started(1);
  roster.started(2);
  EXPECT_EQ(roster.changes(at(0s)).starts, 1U) << "those on their way count";
  EXPECT_EQ(roster.size(), 3U);
  EXPECT_EQ(roster.ready(), 0U);
  roster.answered(2, 0);
  EXPECT_EQ(roster.ready(), 1U);
}

TEST(FleetRoster, EndsThoseOnTheirWayThenThoseWithTheFewestTasksThenTheYoungest) {
  auto roster = fleet_of(4, 8);
  roster.answered(1, 2);
  roster.answered(2, 0);
  roster.answered(3, 2);
  roster.answered(4, 1);
  roster.resize(5);
  roster.started(5);
  roster.resize(4);
  EXPECT_THAT(roster.changes(at(0s)).ends, ElementsAre(5));
  roster.resize(2);
  EXPECT_THAT(roster.changes(at(0s)).ends, ElementsAre(5, 2, 4));
  roster.resize(1);
  EXPECT_THAT(roster.changes(at(0s)).ends, ElementsAre(5, 2, 4, 3));
  EXPECT_EQ(roster.changes(at(0s)).starts, 0U);
}

TEST(FleetRoster, WhoLeavesIsAskedOnceAndCountsNoMore) {
  auto roster = fleet_of(2, 2);
  roster.resize(1);
  EXPECT_THAT(roster.changes(at(0s)).ends, ElementsAre(2));
  roster.asked_to_leave(2);
  EXPECT_THAT(roster.changes(at(0s)).ends, IsEmpty());
  EXPECT_EQ(roster.ready(), 1U);
  const auto left = roster.gone(2, at(1s));
  EXPECT_TRUE(left.was_asked);
  EXPECT_EQ(left.pause, 0s);
  EXPECT_EQ(roster.changes(at(1s)).starts, 0U);
}

TEST(FleetRoster, WhoIsToComeWaitsForThoseThatLeaveWhereThereIsNoMoreRoom) {
  auto roster = fleet_of(3, 4);
  roster.resize(1);
  for (const auto worker : roster.changes(at(0s)).ends) roster.asked_to_leave(worker);
  roster.resize(4);
  EXPECT_EQ(roster.changes(at(0s)).starts, 1U) << "one stays, two leave, four are allowed";
  roster.started(4);
  EXPECT_EQ(roster.changes(at(0s)).starts, 0U);
  roster.gone(3, at(1s));
  EXPECT_EQ(roster.changes(at(1s)).starts, 1U);
}

TEST(FleetRoster, WhoDiesIsReplacedAfterAPauseThatDoubles) {
  auto roster = fleet_of(2, 4);
  const auto killed = roster.gone(2, at(10s));
  EXPECT_FALSE(killed.was_asked);
  EXPECT_TRUE(killed.was_ready);
  EXPECT_EQ(killed.pause, 1s);
  EXPECT_EQ(roster.size(), 2U) << "it is on its way";
  EXPECT_EQ(roster.changes(at(10s)).starts, 0U);
  EXPECT_EQ(roster.changes_next(at(10s)), at(11s));
  EXPECT_EQ(roster.gone(1, at(10'500ms)).pause, 500ms) << "the same accident";
  EXPECT_EQ(roster.changes(at(11s)).starts, 2U);
  EXPECT_EQ(roster.changes_next(at(11s)), kNever);
  roster.started(3);
  EXPECT_FALSE(roster.gone(3, at(12s)).was_ready);
  EXPECT_EQ(roster.changes_next(at(12s)), at(14s));
  Instant now = at(14s);
  for (FleetRoster::WorkerName worker = 4; worker < 20; ++worker) {
    roster.started(worker);
    now = later(now, roster.gone(worker, now).pause);
  }
  EXPECT_EQ(roster.not_started(now), 60s) << "no longer than that";
  now = later(now, 60s);
  EXPECT_EQ(roster.not_started(later(now, 59s)), 60s);
  EXPECT_EQ(roster.not_started(later(now, 59s + 60s + 60s)), 1s) << "all was well for so long";
}

TEST(FleetRoster, NobodyAskedToLeaveIsReplaced) {
  auto roster = fleet_of(2, 2);
  roster.resize(0);
  const auto ends = roster.changes(at(0s)).ends;
  EXPECT_THAT(ends, UnorderedElementsAre(1, 2));
  for (const auto worker : ends) roster.asked_to_leave(worker);
  roster.gone(1, at(1s));
  roster.gone(2, at(1s));
  EXPECT_EQ(roster.present(), 0U);
  EXPECT_EQ(roster.changes(at(1s)).starts, 0U);
  EXPECT_EQ(roster.changes_next(at(1s)), kNever);
}

TEST(FleetRoster, AnswersOfOthersAreNoMistake) {
  auto roster = fleet_of(1, 2);
  roster.answered(77, 5);
  EXPECT_EQ(roster.present(), 1U);
}

// Whatever happens, with a host that does what it is told: the three promises of the header.
TEST(FleetRoster, KeepsItsPromisesWhateverHappens) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 dice(seed);
    const auto roll = [&](std::uint32_t sides) {
      return static_cast<std::uint32_t>(dice() % sides);
    };
    const std::uint32_t most = 1 + roll(6);
    FleetRoster roster(most);
    std::vector<FleetRoster::WorkerName> stay;
    std::vector<FleetRoster::WorkerName> leave;
    FleetRoster::WorkerName next = 1;
    Instant now{};
    Instant paused_until{};
    for (int step = 0; step < 300; ++step) {
      now = later(now, std::chrono::milliseconds(roll(900)));
      if (roll(4) == 0) roster.resize(roll(most + 1));
      if (!stay.empty() && roll(5) == 0) {  // dies
        const auto victim = stay.begin() + roll(static_cast<std::uint32_t>(stay.size()));
        paused_until = later(now, roster.gone(*victim, now).pause);
        stay.erase(victim);
      }
      if (!leave.empty() && roll(3) == 0) {
        EXPECT_EQ(roster.gone(leave.back(), now).pause, 0s);
        leave.pop_back();
      }
      for (const auto worker : stay) roster.answered(worker, roll(3));
      const auto changes = roster.changes(now);
      if (changes.starts > 0) {
        EXPECT_GE(now, paused_until) << seed;
      }
      for (std::uint32_t i = 0; i < changes.starts; ++i) {
        stay.push_back(next);
        roster.started(next++);
      }
      for (const auto worker : changes.ends) {
        ASSERT_EQ(std::erase(stay, worker), 1U) << seed;
        leave.push_back(worker);
        roster.asked_to_leave(worker);
      }
      ASSERT_LE(stay.size(), roster.size()) << seed;
      ASSERT_LE(stay.size() + leave.size(), most) << seed;
      ASSERT_EQ(roster.present(), stay.size() + leave.size()) << seed;
      if (now >= paused_until) {
        ASSERT_EQ(stay.size(), std::min<std::size_t>(roster.size(), most - leave.size())) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace artel::scaling
