#include "artel/sim/kernel/detail/calendar.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/detail/tie_shuffle.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {
namespace {

constexpr std::uint64_t kEnd = Calendar::kNoLimit;

/// How far ahead the next event lies; each pattern is meant to defeat some calendar.
struct Pattern {
  std::string name;
  std::uint64_t (*delay)(random::Stream& dice);
};

const std::vector<Pattern> patterns = {
    {"zero", [](random::Stream&) -> std::uint64_t { return 0; }},
    {"constant", [](random::Stream&) -> std::uint64_t { return 1'000'000'000; }},
    {"few values", [](random::Stream& dice) { return dice.below(3); }},
    {"uniform", [](random::Stream& dice) { return dice.below(1'000'000'000); }},
    {"exponents", [](random::Stream& dice) { return dice() >> (2 + dice.below(62)); }},
    {"bimodal",
     [](random::Stream& dice) {
       return dice.below(2) == 0 ? dice.below(100) : 3'000'000'000 + dice.below(1000);
     }},
    {"now or then", [](random::Stream& dice) { return dice.below(4) == 0 ? 1'000'000 : 0UL; }},
    {"huge jumps", [](random::Stream& dice) { return dice.below(1000) << (10 * dice.below(5)); }},
    {"cluster in far future",
     [](random::Stream& dice) { return (std::uint64_t{1} << 50U) + dice.below(8); }},
};

/// The reference: a sorted set of what is pending.
class Reference {
 public:
  struct Key {
    Instant time;
    bool last;  // after all else of that time
    EventId id;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void push(const Key& key) { pending_.insert(key); }
  bool cancel(const Key& key) { return pending_.erase(key) != 0; }
  /// Whether that is the earliest; takes it out. With ties, whether no time is earlier.
  bool take(const Key& key, bool any_of_equal_times) {
    if (pending_.empty()) return false;
    const Key first = *pending_.begin();
    const bool tied = first.time == key.time && first.last == key.last && !key.last;
    return (first == key || (any_of_equal_times && tied)) && cancel(key);
  }
  [[nodiscard]] bool nothing_until(std::uint64_t limit) const {
    return pending_.empty() || pending_.begin()->time > Instant{Duration{limit}};
  }
  [[nodiscard]] bool more_at(std::uint64_t now) const {
    return !pending_.empty() && pending_.begin()->time == Instant{Duration{now}};
  }
  [[nodiscard]] std::size_t size() const { return pending_.size(); }

 private:
  std::set<Key> pending_;
};

/// Plays pushes, takes and cancels into a calendar and into the reference.
class Duel {
 public:
  explicit Duel(TieBreaker* ties) : calendar_(ties), shuffled_(ties != nullptr) {}

  void push(std::uint64_t delay) {
    const std::uint64_t time = std::min(calendar_.now() + delay, kEnd);
    Event* event = calendar_.make();
    calendar_.push(*event, time, 2);
    note(*event, false);
    check_now();
  }
  void push_last() {
    Event* event = calendar_.make();
    calendar_.push_last(*event, 2);
    note(*event, true);
  }
  void cancel(random::Stream& dice) {
    if (known_.empty()) return;
    const Reference::Key key = known_[dice.below(known_.size())];
    Event* event = calendar_.find(key.id);
    ASSERT_EQ(event != nullptr, reference_.cancel(key));
    if (event != nullptr) calendar_.cancel(*event);
  }
  /// Takes one event up to `limit`; false when there was none.
  bool take(std::uint64_t limit = kEnd) {
    calendar_.set_limit(limit);
    Event* event = calendar_.take();
    if (event == nullptr) {
      EXPECT_TRUE(reference_.nothing_until(limit));
      return false;
    }
    calendar_.arrive(*event);
    const bool last = last_.contains(event->id());
    const bool expected = reference_.take({event->time(), last, event->id()}, shuffled_);
    EXPECT_TRUE(expected);
    calendar_.give_back(event);
    check_now();
    return expected;
  }
  void check_now() const {
    EXPECT_TRUE(calendar_.more_now() || !reference_.more_at(calendar_.now()));
  }
  void check_size() const {
    ASSERT_EQ(calendar_.size(), reference_.size());
    std::size_t seen = 0;
    calendar_.for_each([&](Event&) { ++seen; });
    ASSERT_EQ(seen, reference_.size());
  }
  void drain() {
    while (take()) {
    }
    ASSERT_EQ(reference_.size(), 0U);
    ASSERT_EQ(calendar_.size(), 0U);
  }
  [[nodiscard]] std::size_t size() const { return reference_.size(); }
  [[nodiscard]] std::uint64_t now() const { return calendar_.now(); }

 private:
  void note(const Event& event, bool last) {
    const Reference::Key key{event.time(), last, event.id()};
    reference_.push(key);
    if (last) last_.insert(key.id);
    known_.push_back(key);
    if (known_.size() > 5000) known_.erase(known_.begin(), known_.begin() + 2500);
  }

  Calendar calendar_;
  Reference reference_;
  bool shuffled_;
  std::vector<Reference::Key> known_;
  std::set<EventId> last_;
};

void play(const Pattern& pattern, std::size_t population, std::size_t steps, bool shuffled,
          random::Stream& dice) {
  TieShuffle shuffle{Seed{dice()}};
  Duel duel(shuffled ? &shuffle : nullptr);
  for (std::size_t i = 0; i < steps; ++i) {
    if (duel.now() > kEnd / 2) break;
    const std::uint64_t action = dice.below(100);
    if (action < 5) {
      duel.push_last();
    } else if (duel.size() < population || action < 45) {
      duel.push(pattern.delay(dice));
    } else if (action < 60) {
      duel.cancel(dice);
    } else if (action < 63) {
      duel.take(duel.now() + pattern.delay(dice) / 2);
    } else {
      duel.take();
      duel.push(pattern.delay(dice));
      duel.take();
    }
    if (i % 1024 == 0) duel.check_size();
    if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) return;
  }
  duel.drain();
}

TEST(Calendar, GivesTheExactOrderForEveryPatternAndPopulation) {
  for (const Pattern& pattern : patterns) {
    for (const std::size_t population : {1U, 2U, 20U, 300U, 5000U}) {
      for (const bool shuffled : {false, true}) {
        SCOPED_TRACE(pattern.name + " " + std::to_string(population) +
                     (shuffled ? " shuffled" : ""));
        random::Stream dice(Seed{7}, pattern.name, population);
        play(pattern, population, 20'480, shuffled, dice);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Calendar, GivesTheExactOrderWhenThePatternChanges) {
  Duel duel(nullptr);
  random::Stream dice(Seed{11}, "changes");
  for (int round = 0; round < 60; ++round) {
    const Pattern& pattern = patterns[dice.below(patterns.size())];
    const std::size_t grow = dice.below(4000);
    for (std::size_t i = 0; i < grow && duel.now() < kEnd / 4; ++i) {
      duel.push(pattern.delay(dice) >> 4U);
    }
    const std::size_t takes = dice.below(5000);
    for (std::size_t i = 0; i < takes && duel.size() > 0; ++i) {
      duel.take();
      if (dice.below(2) == 0) duel.push(pattern.delay(dice) >> 4U);
    }
    if (HasFailure()) return;
    duel.check_size();
  }
  duel.drain();
}

RC_GTEST_PROP(Calendar, AgreesWithASortedSetOnRandomPrograms, (std::uint64_t seed)) {
  random::Stream dice(Seed{seed}, "program");
  const Pattern& pattern = patterns[dice.below(patterns.size())];
  play(pattern, dice.below(200), 1 + dice.below(3000), dice.below(3) == 0, dice);
  RC_ASSERT(!testing::Test::HasFailure());
}

Event& push(Calendar& calendar, std::uint64_t time) {
  Event* event = calendar.make();
  calendar.push(*event, time, 2);
  return *event;
}

TEST(Calendar, FindKnowsDeliveredCancelledPendingAndForeign) {
  Calendar calendar;
  const EventId delivered = push(calendar, 5).id();
  Event* event = calendar.take();
  ASSERT_NE(event, nullptr);
  calendar.arrive(*event);
  calendar.give_back(event);
  EXPECT_EQ(calendar.find(delivered), nullptr);
  EXPECT_EQ(calendar.find(EventId{}), nullptr);
  Event& pending = push(calendar, 9);
  const EventId id = pending.id();
  EXPECT_EQ(calendar.find(id), &pending);
  calendar.cancel(pending);
  EXPECT_EQ(calendar.find(id), nullptr);
  EXPECT_EQ(calendar.size(), 0U);
  EXPECT_EQ(calendar.take(), nullptr);

  Calendar other;
  EXPECT_EQ(other.find(push(calendar, 9).id()), nullptr);
  EXPECT_EQ(calendar.find(push(other, 9).id()), nullptr);
}

TEST(Calendar, CancelledEventsAreForgottenWhileOthersStay) {
  Calendar calendar;
  std::set<const Event*> places;
  for (std::uint64_t i = 0; i < 300; ++i) push(calendar, 1'000'000'000'000 + i);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    Event& event = push(calendar, 1'000'000 + i);
    places.insert(&event);
    calendar.cancel(event);
  }
  EXPECT_LT(places.size(), 400U);  // their places are used again
  EXPECT_EQ(calendar.size(), 300U);
  for (int i = 0; i < 300; ++i) {
    Event* event = calendar.take();
    ASSERT_NE(event, nullptr);
    calendar.give_back(event);
  }
  EXPECT_EQ(calendar.take(), nullptr);
}

// Buckets of nothing but what was cancelled, one behind the other: passed over without a call in
// each. Pushed from behind, that no bucket is in order as a whole.
TEST(Calendar, MayLieBehindManyThatWereCancelled) {
  constexpr std::uint64_t kMany = 300'000;
  Calendar calendar;
  std::vector<Event*> cancelled;
  for (std::uint64_t i = kMany; i > 0; --i) cancelled.push_back(&push(calendar, i << 10U));
  for (std::uint64_t i = 0; i <= kMany; ++i) push(calendar, std::uint64_t{1} << 50U);
  for (Event* event : cancelled) calendar.cancel(*event);
  EXPECT_EQ(calendar.size(), kMany + 1);
  for (std::uint64_t i = 0; i <= kMany; ++i) {
    Event* event = calendar.take();
    ASSERT_NE(event, nullptr);
    calendar.arrive(*event);
    calendar.give_back(event);
  }
  EXPECT_EQ(calendar.take(), nullptr);
}

TEST(Calendar, WhatIsLastComesAfterAllOfTheMoment) {
  Calendar calendar;
  const EventId first = push(calendar, 7).id();
  const EventId second = push(calendar, 7).id();
  const EventId late = push(calendar, 8).id();
  const auto take = [&] {
    Event* event = calendar.take();
    if (event == nullptr) return EventId{};
    calendar.arrive(*event);
    const EventId id = event->id();
    calendar.give_back(event);
    return id;
  };
  EXPECT_EQ(take(), first);
  Event* event = calendar.make();
  calendar.push_last(*event, 2);
  const EventId last = event->id();
  const EventId now = push(calendar, 7).id();
  EXPECT_EQ(take(), second);
  EXPECT_EQ(take(), now);
  const EventId again = push(calendar, 7).id();
  EXPECT_EQ(take(), again);
  EXPECT_TRUE(calendar.more_now());
  EXPECT_EQ(take(), last);
  EXPECT_FALSE(calendar.more_now());
  EXPECT_EQ(take(), late);
}

// What is due at the present moment is cancelled, and with the last of it the places are given
// back.
TEST(Calendar, GoesOnWhenAllOfTheMomentWasCancelled) {
  Calendar calendar;
  const EventId first = push(calendar, 1000).id();
  const EventId second = push(calendar, 1001).id();
  Event* event = calendar.take();
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->id(), first);
  calendar.arrive(*event);
  calendar.give_back(event);
  std::vector<Event*> of_now;
  for (int i = 0; i < 65; ++i) of_now.push_back(&push(calendar, 1000));
  for (Event* cancelled : of_now) calendar.cancel(*cancelled);
  event = calendar.take();
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->id(), second);
}

TEST(Calendar, TimeMayGoOnSlowlyAfterTheWheelHasTurnedToWhatWasCancelled) {
  Calendar calendar;
  for (std::uint64_t i = 0; i < 50; ++i) calendar.cancel(push(calendar, 1'000'000 + i));
  const EventId far = push(calendar, 2'000'000'000).id();
  calendar.set_limit(1'500'000'000);
  EXPECT_EQ(calendar.take(), nullptr);
  const EventId near = push(calendar, 3).id();
  const EventId second = push(calendar, 1'000'000).id();
  calendar.set_limit(Calendar::kNoLimit);
  for (const EventId expected : {near, second, far}) {
    Event* event = calendar.take();
    ASSERT_NE(event, nullptr);
    EXPECT_EQ(event->id(), expected);
    calendar.arrive(*event);
    calendar.give_back(event);
  }
}

}  // namespace
}  // namespace artel::sim::detail
