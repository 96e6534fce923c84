// What callers decide, step by step.

#include "artel/fleet/detail/caller_life.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/caller_settings.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;
using enum CallerNews;
using ::testing::ElementsAre;
using TakeBack = CallerStep::TakeBack;

scenario::CallerSettings patient_for(double seconds) {
  scenario::CallerSettings settings;
  settings.timeout = *random::Distribution::constant(seconds);
  return settings;
}

// Who is not answered in a second tries once more, if the budget has it.
scenario::CallerSettings one_retry_within(double budget, double burst) {
  auto settings = patient_for(1);
  settings.retry.most = 1;
  settings.budget = budget;
  settings.burst = burst;
  return settings;
}

CallerLife life_of(const scenario::CallerSettings& settings) {
  return CallerLife(settings, random::Stream(Seed{1}, "callers"));
}

// A first try of so many attempts, as whoever sends tells it.
CallerState tried(CallerLife& life, std::uint32_t attempts = 1) {
  CallerState state;
  static_cast<void>(life.on(due, state, {}));
  state.open = attempts;
  return state;
}

TEST(CallerLife, SendsAndWaitsForSoLong) {
  const auto settings = patient_for(2);
  auto life = life_of(settings);
  CallerState state;
  const auto step = life.on(due, state, {});
  EXPECT_EQ(step.send, 1U);
  EXPECT_EQ(step.timeout, 2s);
  EXPECT_FALSE(step.hedge || step.retry || step.ends);
}

TEST(CallerLife, AnAnswerEndsItAndTakesTheOthersBack) {
  scenario::CallerSettings settings;
  settings.copies = 3;
  auto life = life_of(settings);
  auto state = tried(life, 3);
  const auto step = life.on(answered, state, {});
  EXPECT_TRUE(step.ends);
  EXPECT_EQ(step.take_back, TakeBack::all);
  EXPECT_EQ(step.send, 0U);
}

TEST(CallerLife, ATryFailsWithItsLastAttempt) {
  scenario::CallerSettings settings;
  settings.copies = 2;
  auto life = life_of(settings);
  auto state = tried(life, 2);
  EXPECT_FALSE(life.on(failed, state, {}).ends);
  EXPECT_TRUE(life.on(failed, state, {}).ends);
}

TEST(CallerLife, RetriesSoOftenWithTimesThatGrow) {
  auto settings = patient_for(1);
  settings.retry = {.most = 3, .backoff = 100ms, .factor = 3, .longest = 500ms};
  auto life = life_of(settings);
  auto state = tried(life);
  EXPECT_EQ(life.on(timed_out, state, {}).retry, 100ms);
  for (const auto backoff : {300ms, 500ms}) {
    EXPECT_EQ(life.on(due, state, {}).send, 1U);
    state.open = 1;
    const auto step = life.on(failed, state, {});
    EXPECT_EQ(step.retry, backoff);
    EXPECT_EQ(step.take_back, TakeBack::all);
    EXPECT_FALSE(step.ends);
  }
  static_cast<void>(life.on(due, state, {}));
  const auto last = life.on(timed_out, state, {});
  EXPECT_TRUE(last.ends);
  EXPECT_FALSE(last.retry);
}

TEST(CallerLife, OnlyTheTryThatABreakerLetsThroughDecides) {
  auto settings = patient_for(9);
  settings.breaker = scenario::BreakerSettings{.failures = 0.5, .tries = 2, .open = 1s};
  auto life = life_of(settings);
  auto first = tried(life);
  auto second = tried(life);
  auto late = tried(life);
  static_cast<void>(life.on(timed_out, first, Instant{3s}));
  static_cast<void>(life.on(timed_out, second, Instant{3s}));  // open until 4 s
  CallerState decides;
  EXPECT_EQ(life.on(due, decides, Instant{4500ms}).send, 1U);
  static_cast<void>(life.on(timed_out, late, Instant{5s}));  // it was made before
  decides.open = 1;
  static_cast<void>(life.on(answered, decides, Instant{5500ms}));
  CallerState next;
  EXPECT_EQ(life.on(due, next, Instant{5600ms}).send, 1U);
}

TEST(CallerLife, ABreakerNeedsNoFurtherFailureForARoundedDigit) {
  auto settings = patient_for(1);
  settings.breaker = {.failures = 0.55, .tries = 100, .open = 10s};
  auto life = life_of(settings);
  const auto end = [&](CallerNews news) {
    CallerState state{.tries = 1, .open = 1};
    static_cast<void>(life.on(news, state, {}));
  };
  for (int i = 0; i < 45; ++i) end(answered);
  for (int i = 0; i < 54; ++i) end(timed_out);
  CallerState before;
  EXPECT_FALSE(life.on(due, before, {}).ends);
  end(timed_out);
  CallerState after;
  EXPECT_TRUE(life.on(due, after, {}).ends);
}

TEST(CallerLife, JitterIsWithinItsShareOfTheBackoff) {
  for (const auto& [jitter, least] :
       {std::pair{scenario::Jitter::equal, 500ms}, {scenario::Jitter::full, 0ms}}) {
    auto settings = patient_for(1);
    settings.retry = {.most = 1, .backoff = 1s, .jitter = jitter};
    auto life = life_of(settings);
    Duration low = 1h;
    Duration high{};
    for (int i = 0; i < 1000; ++i) {
      auto state = tried(life);
      const auto backoff = life.on(timed_out, state, {}).retry.value_or(1h);
      low = std::min(low, backoff);
      high = std::max(high, backoff);
    }
    EXPECT_GE(low, least);
    EXPECT_LT(low, least + 20ms);
    EXPECT_LE(high, 1s);
    EXPECT_GT(high, 980ms);
  }
}

TEST(CallerLife, TheBudgetIsAShareOfTheRequestsAndSomeSaved) {
  const auto settings = one_retry_within(0.25, 5);
  auto life = life_of(settings);
  int retries = 0;
  for (int i = 0; i < 100; ++i) {
    auto state = tried(life);
    retries += life.on(timed_out, state, {}).retry ? 1 : 0;
  }
  EXPECT_EQ(retries, 5 + 24);  // of the first, the saved are enough
}

TEST(CallerLife, ABudgetOfATenthAllowsEveryTenthARetry) {
  const auto settings = one_retry_within(0.1, 1);
  auto life = life_of(settings);
  std::vector<int> retried;
  for (int i = 0; i < 100; ++i) {
    auto state = tried(life);
    if (life.on(timed_out, state, {}).retry) retried.push_back(i);
  }
  EXPECT_THAT(retried, ElementsAre(0, 10, 20, 30, 40, 50, 60, 70, 80, 90));
}

TEST(CallerLife, RequestsEarnBudgetAndTheirRetriesDoNot) {
  const auto settings = one_retry_within(0.5, 1);
  auto life = life_of(settings);
  auto first = tried(life);
  EXPECT_TRUE(life.on(timed_out, first, {}).retry);
  static_cast<void>(life.on(due, first, {}));
  EXPECT_FALSE(life.on(timed_out, first, {}).retry);
  auto second = tried(life);
  EXPECT_FALSE(life.on(timed_out, second, {}).retry);  // half a retry is there
  auto third = tried(life);
  EXPECT_TRUE(life.on(timed_out, third, {}).retry);
}

TEST(CallerLife, HedgesSoOftenOneAfterTheOther) {
  scenario::CallerSettings settings;
  settings.hedge = {.most = 2, .after = 20ms};
  auto life = life_of(settings);
  CallerState state;
  EXPECT_EQ(life.on(due, state, {}).hedge, 20ms);
  state.open = 1;
  auto step = life.on(hedge_due, state, {});
  EXPECT_EQ(step.send, 1U);
  EXPECT_EQ(step.hedge, 20ms);
  step = life.on(hedge_due, state, {});
  EXPECT_EQ(step.send, 1U);
  EXPECT_FALSE(step.hedge);
}

TEST(CallerLife, HedgesByAPercentileOfAHundredAnswersAndMore) {
  scenario::CallerSettings settings;
  settings.hedge = {.quantile = 0.9};
  auto life = life_of(settings);
  for (int i = 1; i <= 100; ++i) {
    CallerState state;
    EXPECT_FALSE(life.on(due, state, {}).hedge) << i;
    static_cast<void>(life.on(answered, state, {}, i * 1ms));
  }
  CallerState state;
  const auto after = life.on(due, state, {}).hedge;
  EXPECT_NEAR(to_seconds(after.value_or(Duration::zero())), 0.090, 0.001);
}

TEST(CallerLife, AnOpenBreakerFailsTriesAtOnce) {
  auto settings = patient_for(1);
  settings.breaker = {.failures = 0.5, .tries = 4, .open = 10s};
  auto life = life_of(settings);
  const auto ask = [&](Instant now) {
    CallerState state;
    return life.on(due, state, now);
  };
  const auto end = [&](CallerNews news, Instant now, bool decides = false) {
    CallerState state{.tries = 1, .open = 1, .decides = decides};
    static_cast<void>(life.on(news, state, now));
  };
  for (const auto news : {answered, timed_out, answered, timed_out}) end(news, Instant{1s});
  EXPECT_TRUE(ask(Instant{2s}).ends);
  EXPECT_EQ(ask(Instant{2s}).send, 0U);
  EXPECT_EQ(ask(Instant{11s}).send, 1U);  // this one decides
  EXPECT_TRUE(ask(Instant{11s}).ends);
  end(timed_out, Instant{12s}, true);
  EXPECT_TRUE(ask(Instant{21s}).ends);
  EXPECT_EQ(ask(Instant{22s}).send, 1U);
  end(answered, Instant{23s}, true);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ask(Instant{23s}).send, 1U);
    end(timed_out, Instant{24s});  // fewer than four are known again
  }
  EXPECT_EQ(ask(Instant{24s}).send, 1U);
}

TEST(CallerLife, OnlyTiedAttemptsAreTakenBackWhenOneBegins) {
  scenario::CallerSettings settings;
  settings.copies = 2;
  auto life = life_of(settings);
  auto state = tried(life, 2);
  EXPECT_EQ(life.on(began, state, {}).take_back, TakeBack::none);
  settings.tied = true;
  EXPECT_EQ(life.on(began, state, {}).take_back, TakeBack::waiting);
}

}  // namespace
}  // namespace artel::fleet::detail
