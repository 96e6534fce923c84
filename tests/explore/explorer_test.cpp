#include "tests/explore/explorer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "artel/core/instant.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"

// The explorer on small programs whose outcomes are known: what C++ allows must be found, what it
// forbids must not.

namespace artel::explore {
namespace {

using Number = ExploredAtomic<std::uint32_t>;
constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kSequential = std::memory_order_seq_cst;

Report store_buffering(std::memory_order store, std::memory_order load) {
  return explore({}, [=](Execution& run) {
    Number x;
    Number y;
    std::uint32_t seen_x = 0;
    std::uint32_t seen_y = 0;
    run.thread("first", [&] {
      x.store(1, store);
      seen_y = y.load(load);
    });
    run.thread("second", [&] {
      y.store(1, store);
      seen_x = x.load(load);
    });
    run.go();
    run.require(seen_x + seen_y > 0, "neither saw the other");
  });
}

TEST(Explorer, OfTwoSequentiallyConsistentStoresOneIsSeen) {
  EXPECT_TRUE(store_buffering(kSequential, kSequential).sound());
  EXPECT_EQ(store_buffering(kRelease, kSequential).failure, "neither saw the other");
  EXPECT_EQ(store_buffering(kSequential, kAcquire).failure, "neither saw the other");
}

Report message_passing(std::memory_order store, std::memory_order load, bool through_update) {
  return explore({.surprises = 2}, [=](Execution& run) {
    ExploredPlain<int> message = 0;
    Number sent;
    run.thread("sender", [&] {
      message = 1;
      sent.store(1, store);
    });
    if (through_update) run.thread("another", [&] { sent.fetch_add(2, kRelaxed); });
    run.thread("receiver", [&] {
      if ((sent.load(load) & 1U) != 0) run.require(message == 1, "an old message");
    });
    run.go();
  });
}

TEST(Explorer, WhatIsReleasedAndAcquiredIsNoRace) {
  EXPECT_TRUE(message_passing(kRelease, kAcquire, false).sound());
  EXPECT_TRUE(message_passing(kRelease, kAcquire, true).sound());
  EXPECT_NE(message_passing(kRelaxed, kAcquire, false).failure.find("race"), std::string::npos);
  EXPECT_NE(message_passing(kRelease, kRelaxed, false).failure.find("race"), std::string::npos);
  EXPECT_NE(message_passing(kRelease, kRelaxed, true).failure.find("race"), std::string::npos);
}

Report two_readers(std::memory_order order) {
  return explore({.preemptions = 3}, [=](Execution& run) {
    Number x;
    Number y;
    bool x_first = false;
    bool y_first = false;
    run.thread("x", [&] { x.store(1); });
    run.thread("y", [&] { y.store(1); });
    run.thread("x before y", [&] { x_first = x.load(order) == 1 && y.load(order) == 0; });
    run.thread("y before x", [&] { y_first = y.load(order) == 1 && x.load(order) == 0; });
    run.go();
    run.require(!x_first || !y_first, "no common order");
  });
}

TEST(Explorer, AllSeeOneOrderOfWhatIsSequentiallyConsistent) {
  EXPECT_TRUE(two_readers(kSequential).sound());
  EXPECT_EQ(two_readers(kAcquire).failure, "no common order");
}

Report crossed_stores(std::memory_order order) {
  return explore({}, [=](Execution& run) {
    Number x;
    Number y;
    run.thread("first", [&] {
      x.store(1, order);
      y.store(2, order);
    });
    run.thread("second", [&] {
      y.store(1, order);
      x.store(2, order);
    });
    run.go();
    run.require(x.load() == 2 || y.load() == 2, "both first stores came last");
  });
}

TEST(Explorer, UnorderedStoresMayChangePlaces) {
  EXPECT_TRUE(crossed_stores(kSequential).sound());
  EXPECT_EQ(crossed_stores(kRelease).failure, "both first stores came last");
}

TEST(Explorer, ThreadsAreStoppedBetweenALoadAndAStore) {
  const auto count = [](std::size_t preemptions, bool atomically) {
    return explore({.preemptions = preemptions}, [=](Execution& run) {
      Number sum;
      for (const char* name : {"first", "second"}) {
        run.thread(name, [&] {
          if (atomically) {
            sum.fetch_add(1, kRelaxed);
          } else {
            sum.store(sum.load() + 1);
          }
        });
      }
      run.go();
      run.require(sum.load() == 2, "a lost update");
    });
  };
  EXPECT_TRUE(count(2, true).sound());
  EXPECT_TRUE(count(0, false).sound());
  const Report lost = count(1, false);
  EXPECT_EQ(lost.failure, "a lost update");
  EXPECT_NE(lost.trace.find("explorer_test.cpp"), std::string::npos) << lost.trace;
}

Report sleep_and_wake(bool looks_first, std::size_t rolls) {
  return explore({.rolls = rolls}, [=](Execution& run) {
    Number word;
    run.thread("sleeper", [&] {
      if (!looks_first || word.load() == 0) {
        ExploredAtomics::futex_wait(word, looks_first ? word.load() : 0);
      }
    });
    run.thread("waker", [&] {
      word.store(1);
      ExploredAtomics::futex_wake(word, 1);
    });
    run.go();
    run.require(run.asleep() == 0, "a lost wake-up");
  });
}

TEST(Explorer, FindsLostWakeUps) {
  EXPECT_TRUE(sleep_and_wake(false, 0).sound());
  EXPECT_EQ(sleep_and_wake(true, 0).failure, "a lost wake-up");
  EXPECT_TRUE(sleep_and_wake(false, 1000).sound());
  EXPECT_EQ(sleep_and_wake(true, 1000).failure, "a lost wake-up");
}

TEST(Explorer, TimeGoesOnWhenNobodyCanRun) {
  const Report report = explore({}, [](Execution& run) {
    Number word;
    run.thread("sleeper", [&] {
      ExploredAtomics::futex_wait(word, 0, std::chrono::seconds(1));
      run.require(ExploredAtomics::now() == Instant{std::chrono::seconds(1)}, "too early");
    });
    run.go();
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(Explorer, WhoSpinsWaitsForAWrite) {
  const auto spin = [](bool ends) {
    return explore({}, [=](Execution& run) {
      Number word;
      run.thread("spinner", [&] {
        while (word.load(kRelaxed) != 1) ExploredAtomics::relax();
      });
      run.thread("writer", [&] { word.store(ends ? 1 : 2, kRelaxed); });
      run.go();
    });
  };
  EXPECT_TRUE(spin(true).sound()) << spin(true);
  EXPECT_EQ(spin(false).failure, "spinner spins for ever");
}

TEST(Explorer, AFutexMayReturnForNoReason) {
  const auto wait = [](std::size_t spurious) {
    return explore({.spurious = spurious}, [](Execution& run) {
      Number word;
      Number sum;
      run.thread("sleeper", [&] {
        ExploredAtomics::futex_wait(word, 0);
        run.require(word.load() == 1, "woken for no reason");
      });
      run.thread("waker", [&] {
        sum.fetch_add(1);
        word.store(1);
        ExploredAtomics::futex_wake(word, 1);
      });
      run.go();
    });
  };
  EXPECT_TRUE(wait(0).sound());
  EXPECT_EQ(wait(1).failure, "woken for no reason");
}

}  // namespace
}  // namespace artel::explore
