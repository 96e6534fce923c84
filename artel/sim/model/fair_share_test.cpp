#include "artel/sim/model/fair_share.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

constexpr Instant at(Duration time) { return Instant{time}; }

// Runs until everything has ended; the ends by slot.
std::vector<Instant> run(FairShare& share) {
  std::vector<Instant> ends;
  while (share.next_end() != kNever) {
    const Instant now = share.next_end();
    while (const auto ended = share.take_ended(now)) {
      if (ends.size() <= FairShare::slot(*ended)) ends.resize(FairShare::slot(*ended) + 1);
      ends[FairShare::slot(*ended)] = now;
    }
  }
  return ends;
}

// 100 and 300 units at 10/s: 5/s each until the first ends at 100/5 = 20 s; the other then has
// 300 - 100 = 200 left at 10/s: ends at 20 + 20 = 40 s.
TEST(FairShare, TwoShareUntilTheShorterEndsAndTheOtherSpeedsUp) {
  FairShare share(10.0);
  share.add(at(0s), {.volume = 100});
  share.add(at(0s), {.volume = 300});
  EXPECT_EQ(run(share), (std::vector{at(20s), at(40s)}));
}

// Alone until 5 s: 50 of 100 done. Then 5/s each: the first ends at 5 + 50/5 = 15 s; the second has
// 100 - 50 = 50 left at 10/s: 20 s.
TEST(FairShare, OneThatComesLaterSlowsTheOther) {
  FairShare share(10.0);
  share.add(at(0s), {.volume = 100});
  share.add(at(5s), {.volume = 100});
  EXPECT_EQ(run(share), (std::vector{at(15s), at(20s)}));
}

// Weights 3 : 1 at 8/s: 6/s and 2/s. 60/6 = 10 s; by then the other has got 20 of 60; 40/8 = 5 s.
TEST(FairShare, WeightsDivideTheCapacity) {
  FairShare share(8.0);
  share.add(at(0s), {.volume = 60, .weight = 3});
  share.add(at(0s), {.volume = 60, .weight = 1});
  EXPECT_EQ(run(share), (std::vector{at(10s), at(15s)}));
}

// Parts of 5/s each; the first makes only half of its part count: 2.5/s. The second ends at
// 50/5 = 10 s. The first then has 50 - 25 = 25 left at 10 · 0.5 = 5/s: 15 s.
TEST(FairShare, AFactorScalesWhatAnActivityMakesOfItsPart) {
  FairShare share(10.0);
  share.add(at(0s), {.volume = 50, .factor = 0.5});
  share.add(at(0s), {.volume = 50});
  EXPECT_EQ(run(share), (std::vector{at(15s), at(10s)}));
}

// A disk that loses to seeking: total 12/n. Two: 6 in all, 3/s each. 30/3 = 10 s; then alone at
// 12/s: 30/12 = 2.5 s.
TEST(FairShare, CapacityMayDependOnTheNumberOfActivities) {
  FairShare share([](std::size_t n) { return 12.0 / static_cast<double>(n); });
  share.add(at(0s), {.volume = 30});
  share.add(at(0s), {.volume = 60});
  EXPECT_EQ(run(share), (std::vector{at(10s), at(12500ms)}));
}

TEST(FairShare, RemovingTellsTheVolumeLeftAndFreesItsPart) {
  FairShare share(10.0);
  const ActivityId first = share.add(at(0s), {.volume = 100});
  share.add(at(0s), {.volume = 100});
  EXPECT_DOUBLE_EQ(share.left(at(4s), first).value_or(-1), 80);
  EXPECT_DOUBLE_EQ(share.remove(at(10s), first).value_or(-1), 50);
  EXPECT_EQ(share.remove(at(10s), first), std::nullopt);
  EXPECT_EQ(share.left(at(10s), first), std::nullopt);
  EXPECT_EQ(share.next_end(), at(15s));
}

TEST(FairShare, AnEndedOneIsNotTakenForItsSuccessorInTheSameSlot) {
  FairShare share(1.0);
  const ActivityId first = share.add(at(0s), {.volume = 1});
  ASSERT_EQ(share.take_ended(at(1s)), first);
  const ActivityId second = share.add(at(1s), {.volume = 1});
  EXPECT_EQ(FairShare::slot(first), FairShare::slot(second));
  EXPECT_EQ(share.remove(at(1s), first), std::nullopt);
  EXPECT_EQ(share.size(), 1U);
}

TEST(FairShare, EqualEndsComeInOrderOfStart) {
  FairShare share(3.0);
  std::vector<ActivityId> started;
  for (int i = 0; i < 3; ++i) started.push_back(share.add(at(0s), {.volume = 7}));
  EXPECT_EQ(share.take_ended(at(6999999999ns)), std::nullopt);
  for (const ActivityId id : started) EXPECT_EQ(share.take_ended(at(7s)), id);
  EXPECT_EQ(share.take_ended(at(7s)), std::nullopt);
}

TEST(FairShare, AVolumeOfZeroEndsAtOnce) {
  FairShare share(1.0);
  const ActivityId id = share.add(at(3s), {.volume = 0});
  EXPECT_EQ(share.next_end(), at(3s));
  EXPECT_EQ(share.take_ended(at(3s)), id);
}

TEST(FairShare, CapacityZeroHoldsEverythingUntilItIsBack) {
  FairShare share(10.0);
  share.add(at(0s), {.volume = 100});
  share.set_capacity(at(2s), [](std::size_t) { return 0.0; });
  EXPECT_EQ(share.next_end(), kNever);
  share.set_capacity(at(10s), [](std::size_t) { return 5.0; });
  EXPECT_EQ(share.next_end(), at(26s));
}

TEST(FairShare, StaysExactOverAMillionTurns) {
  FairShare share(1e9);
  Instant now{};
  share.add(now, {.volume = 1e15});  // 1e6 s alone, never idle
  for (int i = 0; i < 1'000'000; ++i) {
    share.add(now, {.volume = 1e3});  // 2 us shared
    now = share.next_end();
    ASSERT_TRUE(share.take_ended(now));
  }
  EXPECT_EQ(now, at(2s));
  EXPECT_EQ(share.next_end(), at(1000001s));  // 1e9 of it done in the first 2 s
}

// Two of 1e15 units are always there, so that the clock never stands still, for 1e18 units in all:
// a double would be 128 apart there. Then 1e4 units, a third of 3e9/s each: 1e4/1e9 = 10 us.
TEST(FairShare, AShortOneBesideLongOnesStaysExact) {
  FairShare share(3e9);
  Instant now{};
  share.add(now, {.volume = 5e14});
  for (int i = 0; i < 2000; ++i) {
    share.add(now, {.volume = 1e15});
    now = share.next_end();
    ASSERT_TRUE(share.take_ended(now));
  }
  share.add(now, {.volume = 1e15});
  const ActivityId last = share.add(now, {.volume = 1e4});
  EXPECT_EQ(share.next_end(), now + 10us);
  EXPECT_EQ(share.take_ended(now + 10us), last);
}

TEST(FairShareDeathTest, RefusesWhatMakesNoSense) {
  FairShare share(1.0);
  EXPECT_DEATH(share.add(at(0s), {.volume = -1}), "volume is finite and not negative.*-1");
  EXPECT_DEATH(share.add(at(0s), {.volume = 1, .weight = 0}), "weight is positive");
  share.add(at(2s), {.volume = 1});
  EXPECT_DEATH(share.add(at(1s), {.volume = 1}), "time does not go back");
}

// The definition, in the plainest way: every activity's rate anew at every change.
class NaiveShare {
 public:
  explicit NaiveShare(double capacity) : capacity_(capacity) {}

  void add(double now, double volume, double weight) {
    advance(now);
    going_.push_back({volume, weight, true});
  }
  void remove(double now, std::size_t i) {
    advance(now);
    going_[i].live = false;
  }
  void advance(double now) {
    double weights = 0;
    for (const auto& one : going_) weights += one.live ? one.weight : 0;
    for (auto& one : going_) {
      if (one.live) one.left -= capacity_ * one.weight / weights * (now - last_);
    }
    last_ = now;
  }
  [[nodiscard]] double left(std::size_t i) const { return going_[i].left; }

 private:
  struct Going {
    double left;
    double weight;
    bool live;
  };
  double capacity_;
  double last_ = 0;
  std::vector<Going> going_;
};

RC_GTEST_PROP(FairShareProperty, AgreesWithRecomputingEveryRate, ()) {
  FairShare share(10.0);
  NaiveShare naive(10.0);
  std::vector<ActivityId> ids;
  std::vector<bool> live;
  Instant now{};
  const auto take = [&] {
    while (const auto ended = share.take_ended(now)) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] != *ended) continue;
        naive.remove(to_seconds(now), i);
        RC_ASSERT(std::abs(naive.left(i)) < 1e-6);
        live[i] = false;
      }
    }
  };
  for (int step = *rc::gen::inRange(1, 60); step > 0; --step) {
    Instant target = later(now, Duration{*rc::gen::inRange(0, 2'000'000'000)});
    while (share.next_end() <= target) {
      now = share.next_end();
      take();
    }
    now = target;
    const auto victim = *rc::gen::inRange<std::size_t>(0, 2 * ids.size() + 1);
    if (victim < ids.size()) {
      const auto left = share.remove(now, ids[victim]);
      RC_ASSERT(left.has_value() == live[victim]);
      if (!left) continue;
      naive.remove(to_seconds(now), victim);
      live[victim] = false;
      RC_ASSERT(std::abs(*left - naive.left(victim)) < 1e-6);
    } else {
      const double volume = *rc::gen::inRange(0, 100) * 0.25;
      const double weight = *rc::gen::inRange(1, 5);
      ids.push_back(share.add(now, {.volume = volume, .weight = weight}));
      live.push_back(true);
      naive.add(to_seconds(now), volume, weight);
    }
    take();
  }
}

}  // namespace
}  // namespace artel::sim
