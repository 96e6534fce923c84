#include "artel/sim/kernel/detail/calendar.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {
namespace {

constexpr std::uint64_t kEnd = std::numeric_limits<std::int64_t>::max();

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
  void push(EventId id) { pending_.insert(id); }
  bool cancel(EventId id) { return pending_.erase(id) != 0; }
  std::optional<EventId> take() {
    if (pending_.empty()) return std::nullopt;
    return pending_.extract(pending_.begin()).value();
  }
  [[nodiscard]] std::size_t size() const { return pending_.size(); }

 private:
  std::set<EventId> pending_;
};

void sweep_cancelled(Calendar& calendar) {
  calendar.sweep([](const Event&) { return false; }, [](Event&) {});
}

/// Plays pushes, takes and cancels into a calendar and into the reference.
class Duel {
 public:
  explicit Duel(std::optional<std::uint64_t> shuffle) : calendar_(shuffle) {}

  void push(std::uint64_t delay) {
    const std::uint64_t time = std::min(calendar_.now() + delay, kEnd);
    note(*calendar_.push(time, 2));
  }
  void push_ordered(std::uint64_t delay) {
    note(*calendar_.push_ordered(std::max(calendar_.now() + delay, calendar_.ordered_from()), 2));
  }
  void cancel(random::Stream& dice) {
    if (known_.empty()) return;
    const EventId id = known_[dice.below(known_.size())];
    const bool expected = reference_.cancel(id);
    ASSERT_EQ(calendar_.cancel(id), expected);
  }
  /// Takes one event up to `limit`; false when there was none.
  bool take(std::uint64_t limit = kEnd) {
    if (calendar_.wants_sweep()) sweep_cancelled(calendar_);
    const Event* event = calendar_.take(limit);
    while (event != nullptr && calendar_.was_cancelled(*event)) event = calendar_.take(limit);
    if (event == nullptr) return false;
    calendar_.arrive(*event);
    const std::optional<EventId> expected = reference_.take();
    EXPECT_TRUE(expected.has_value());
    EXPECT_EQ(event->id(), expected.value_or(EventId{}));
    return expected == event->id();
  }
  void check_size() const {
    ASSERT_EQ(calendar_.size(), reference_.size());
    std::size_t seen = 0;
    calendar_.for_each([&](const Event&) { ++seen; });
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
  void note(const Event& event) {
    reference_.push(event.id());
    known_.push_back(event.id());
    if (known_.size() > 5000) known_.erase(known_.begin(), known_.begin() + 2500);
  }

  Calendar calendar_;
  Reference reference_;
  std::vector<EventId> known_;
};

void play(const Pattern& pattern, std::size_t population, std::size_t steps, bool shuffled,
          random::Stream& dice) {
  Duel duel(shuffled ? std::optional{dice()} : std::nullopt);
  for (std::size_t i = 0; i < steps; ++i) {
    if (duel.now() > kEnd / 2) break;
    const std::uint64_t action = dice.below(100);
    if (duel.size() < population || action < 45) {
      duel.push(pattern.delay(dice));
    } else if (action < 50) {
      duel.push_ordered(pattern.delay(dice));
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
  Duel duel(std::nullopt);
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

TEST(Calendar, CancelKnowsDeliveredCancelledSweptAndPending) {
  Calendar calendar;
  const EventId delivered = calendar.push(5, 2)->id();
  const Event* event = calendar.take(kEnd);
  ASSERT_NE(event, nullptr);
  calendar.arrive(*event);
  EXPECT_FALSE(calendar.cancel(delivered));
  EXPECT_FALSE(calendar.cancel(EventId{}));
  const EventId pending = calendar.push(9, 2)->id();
  EXPECT_TRUE(calendar.cancel(pending));
  EXPECT_FALSE(calendar.cancel(pending));
  EXPECT_EQ(calendar.size(), 0U);
  sweep_cancelled(calendar);
  EXPECT_FALSE(calendar.cancel(pending));
  EXPECT_EQ(calendar.take(kEnd), nullptr);
}

TEST(Calendar, SweepsWhenCancelledEventsOutnumberTheOthers) {
  Calendar calendar;
  std::size_t disposed = 0;
  std::size_t stored_most = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    EXPECT_TRUE(calendar.cancel(calendar.push(1'000'000 + i, 2)->id()));
    if (calendar.wants_sweep()) {
      calendar.sweep([](const Event&) { return false; }, [&](Event&) { ++disposed; });
    }
    std::size_t stored = 0;
    if (i % 1000 == 0) calendar.for_each_stored([&](Event&) { ++stored; });
    stored_most = std::max(stored_most, stored);
  }
  EXPECT_GT(disposed, 90'000U);
  EXPECT_LT(stored_most, 200U);
  EXPECT_EQ(calendar.size(), 0U);
}

}  // namespace
}  // namespace artel::sim::detail
