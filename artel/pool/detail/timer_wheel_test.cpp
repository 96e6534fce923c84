#include "artel/pool/detail/timer_wheel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::pool::detail {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

struct Numbered : TimerEntry {
  int number = 0;
};

int number_of(const TimerEntry* entry) {
  return entry == nullptr ? -1 : static_cast<const Numbered*>(entry)->number;
}

class TimerWheelTest : public testing::Test {
 protected:
  Numbered& add(Instant due) {
    Numbered& entry = entries_.emplace_back();
    entry.number = static_cast<int>(entries_.size()) - 1;
    wheel_.add(entry, due);
    return entry;
  }
  std::vector<int> take_all(Instant now) {
    std::vector<int> taken;
    while (const TimerEntry* const entry = wheel_.take_due(now)) taken.push_back(number_of(entry));
    return taken;
  }

  static constexpr Instant kStart{hours(5)};
  TimerWheel wheel_{kStart};
  std::deque<Numbered> entries_;
};

TEST_F(TimerWheelTest, NothingIsDueInAnEmptyOne) {
  EXPECT_EQ(wheel_.next_due(), kNever);
  EXPECT_EQ(wheel_.take_due(kStart), nullptr);
  EXPECT_EQ(wheel_.take_due(kNever), nullptr);
  EXPECT_EQ(wheel_.take_any(), nullptr);
}

TEST_F(TimerWheelTest, IsNeverEarlyAndLateByATickAtMost) {
  for (const Duration after :
       {Duration{1}, Duration{65'535}, Duration{65'536}, Duration{65'537},
        Duration{milliseconds(5)}, Duration{seconds(70)}, Duration{hours(24 * 365)}}) {
    TimerWheel wheel(kStart);
    Numbered entry;
    const Instant due = kStart + after;
    wheel.add(entry, due);
    const Instant next = wheel.next_due();
    EXPECT_GE(next, due);
    EXPECT_LT(next, due + TimerWheel::kTick);
    EXPECT_EQ(wheel.take_due(next - nanoseconds(1)), nullptr);
    EXPECT_EQ(wheel.next_due(), next);
    EXPECT_EQ(wheel.take_due(next), &entry);
    EXPECT_FALSE(entry.pending());
    EXPECT_EQ(wheel.next_due(), kNever);
  }
}

TEST_F(TimerWheelTest, WhatIsPastIsDueAtOnceInTheOrderOfAdding) {
  add(kStart - seconds(1));
  add(Instant::min());
  add(Instant{});
  EXPECT_LE(wheel_.next_due(), kStart);
  EXPECT_EQ(take_all(kStart), (std::vector{0, 1, 2}));
}

TEST_F(TimerWheelTest, WhatIsNeverDueStaysUntilItIsCancelled) {
  Numbered& never = add(kNever);
  EXPECT_EQ(wheel_.next_due(), kNever);
  EXPECT_EQ(wheel_.take_due(kNever), nullptr);
  EXPECT_TRUE(never.pending());
  wheel_.cancel(never);
  EXPECT_EQ(wheel_.take_any(), nullptr);
}

TEST_F(TimerWheelTest, OneSleepMayPassOverAllLevels) {
  std::vector<int> expected;
  for (Duration after = TimerWheel::kTick; after < hours(24 * 3650); after *= 5) {
    expected.push_back(add(kStart + after).number);
  }
  EXPECT_EQ(take_all(kStart + hours(24 * 36500)), expected);
}

TEST_F(TimerWheelTest, CancelledOnesAreNotGivenOutAndCanBeAddedAgain) {
  Numbered& first = add(kStart + seconds(1));
  Numbered& second = add(kStart + seconds(1));
  wheel_.cancel(first);
  EXPECT_FALSE(first.pending());
  wheel_.add(first, kStart + seconds(2));
  EXPECT_EQ(take_all(kStart + milliseconds(1500)), std::vector{second.number});
  EXPECT_EQ(take_all(kStart + seconds(3)), std::vector{first.number});
}

TEST_F(TimerWheelTest, TakeAnyEmptiesIt) {
  for (const Duration after : {Duration{}, Duration{seconds(1)}, Duration{hours(1)}}) {
    add(kStart + after);
  }
  add(kNever);
  std::size_t taken = 0;
  while (wheel_.take_any() != nullptr) ++taken;
  EXPECT_EQ(taken, 4U);
  EXPECT_EQ(wheel_.next_due(), kNever);
}

// The same in a few lines: entries by tick, those of one tick in the order of adding.
class Model {
 public:
  void add(int number, Instant due) {
    const std::int64_t tick =
        (due.time_since_epoch() + TimerWheel::kTick - Duration{1}) / TimerWheel::kTick;
    entries_.emplace(std::max(tick, now_), number);
    if (tick <= now_) past_.insert(number);
  }
  void cancel(int number) {
    std::erase_if(entries_, [&](const auto& entry) { return entry.second == number; });
  }
  std::vector<int> take(Instant now) {
    now_ = std::max(now_, now.time_since_epoch() / TimerWheel::kTick);
    std::vector<int> taken;
    const auto end = entries_.upper_bound(now_);
    for (auto at = entries_.begin(); at != end; ++at) taken.push_back(at->second);
    entries_.erase(entries_.begin(), end);
    return taken;
  }
  [[nodiscard]] Instant next() const {
    if (entries_.empty()) return kNever;
    return Instant{entries_.begin()->first * TimerWheel::kTick};
  }
  // Without those that were past already when they were added: they may come before others.
  [[nodiscard]] std::vector<int> in_time(std::vector<int> numbers) const {
    std::erase_if(numbers, [this](int number) { return past_.contains(number); });
    return numbers;
  }
  [[nodiscard]] std::vector<int> numbers() const {
    std::vector<int> all;
    for (const auto& entry : entries_) all.push_back(entry.second);
    return all;
  }

 private:
  std::multimap<std::int64_t, int> entries_;
  std::set<int> past_;
  std::int64_t now_ = 0;
};

std::vector<int> sorted(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

// Spans of every size, so that every level is met.
Duration any_span() {
  const auto bits = *rc::gen::inRange(0, 52);
  return Duration{*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << bits)};
}

RC_GTEST_PROP(TimerWheel, GivesWhatAMultimapGives, ()) {
  Instant now{any_span()};
  TimerWheel wheel(now);
  Model model;
  static_cast<void>(model.take(now));
  std::deque<Numbered> entries;
  const int steps = *rc::gen::inRange(1, 200);
  for (int step = 0; step < steps; ++step) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0: {
        const auto waiting = model.numbers();
        if (waiting.empty()) break;
        const int number = *rc::gen::elementOf(waiting);
        wheel.cancel(entries[static_cast<std::size_t>(number)]);
        model.cancel(number);
        break;
      }
      case 1: {
        now += any_span();
        std::vector<int> taken;
        while (const TimerEntry* const entry = wheel.take_due(now))
          taken.push_back(number_of(entry));
        const auto expected = model.take(now);
        RC_ASSERT(sorted(taken) == sorted(expected));
        RC_ASSERT(model.in_time(taken) == model.in_time(expected));
        RC_ASSERT(wheel.next_due() <= model.next());
        break;
      }
      default: {
        Numbered& entry = entries.emplace_back();
        entry.number = static_cast<int>(entries.size()) - 1;
        const Instant due = now + any_span() - Duration{*rc::gen::inRange(0, 200'000)};
        wheel.add(entry, due);
        model.add(entry.number, due);
        RC_ASSERT(wheel.next_due() <= model.next());
      }
    }
  }
  std::vector<int> left;
  while (const TimerEntry* const entry = wheel.take_due(kNever)) left.push_back(number_of(entry));
  RC_ASSERT(sorted(left) == sorted(model.take(kNever)));
}

}  // namespace
}  // namespace artel::pool::detail
