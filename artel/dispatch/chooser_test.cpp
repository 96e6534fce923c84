#include "artel/dispatch/chooser.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/dispatch/weighted_cycle.hpp"

namespace artel::dispatch {
namespace {

/// All tasks to one worker of two.
Shares all_to(std::size_t id) {
  std::array<double, 2> weights{};
  weights.at(id) = 1;
  return Shares(weights);
}

TEST(Chooser, CountsTheTurnsOfEachSourceFromZero) {
  const Chooser chooser{RoundRobin{}};
  DrawSource a{SplitMix64{1}};
  DrawSource b{SplitMix64{1}};
  EXPECT_EQ(a.next(chooser).turn, 0U);
  EXPECT_EQ(a.next(chooser).turn, 1U);
  EXPECT_EQ(b.next(chooser).turn, 0U);
}

TEST(Chooser, ThrowsDiceOnlyIfThePolicyDoes) {
  int thrown = 0;
  const auto bits = [&] { return static_cast<std::uint64_t>(++thrown); };
  Published seen;
  EXPECT_EQ(Chooser(LeastLoaded{}).draw(0, bits, seen, {}).dice, 0U);
  EXPECT_EQ(thrown, 0);
  EXPECT_EQ(Chooser(Random{}).draw(0, bits, seen, {}).dice, 1U);
}

TEST(Chooser, DiceOfASourceAreThoseOfItsSeed) {
  const Chooser chooser{Jsq{}};
  DrawSource source{SplitMix64{7}};
  std::uint64_t state = 7;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(source.next(chooser).dice, splitmix64(state));
}

TEST(Chooser, DrawCarriesTheSize) {
  DrawSource source{SplitMix64{0}};
  EXPECT_EQ(source.next(Chooser{Sita{}}, Duration{5}).size, Duration{5});
}

TEST(Chooser, WithoutAPublicationThereIsNothingInTheDraw) {
  DrawSource source{SplitMix64{0}};
  const Draw draw = source.next(Chooser{ClosedLoop{}});
  EXPECT_EQ(draw.shares, nullptr);
  EXPECT_EQ(draw.cycle, nullptr);
}

TEST(Chooser, NextDrawUsesWhatWasPublishedLast) {
  Chooser chooser{ClosedLoop{}};
  DrawSource source{SplitMix64{0}};
  const LoadArray queues = loads({9, 9});
  for (const std::size_t id : {0U, 1U, 0U}) {
    chooser.publish(all_to(id));
    EXPECT_EQ(chooser.choose(queues, source.next(chooser)), worker(id));
    EXPECT_EQ(chooser.choose(queues, source.next(chooser)), worker(id));
  }
  EXPECT_EQ(chooser.published().shares->share(WorkerId{0}), 1.0);
}

TEST(Chooser, CycleIsPublishedToo) {
  Chooser chooser{WeightedRoundRobin{}};
  chooser.publish(WeightedCycle(std::array{0.0, 1.0}));
  DrawSource source{SplitMix64{0}};
  EXPECT_EQ(chooser.choose(loads({0, 0}), source.next(chooser)), WorkerId{1});
}

TEST(Chooser, WhatASourceSawOfOneIsNotTakenForAnothers) {
  Chooser first{ClosedLoop{}};
  Chooser second{ClosedLoop{}};
  first.publish(all_to(0));
  second.publish(all_to(1));
  DrawSource source{SplitMix64{0}};
  EXPECT_EQ(first.choose(loads({0, 0}), source.next(first)), WorkerId{0});
  EXPECT_EQ(second.choose(loads({0, 0}), source.next(second)), WorkerId{1});
  EXPECT_EQ(source.next(Chooser{ClosedLoop{}}).shares, nullptr);
}

TEST(Chooser, KeepsWhatWasPublishedWhenItIsMoved) {
  Chooser from{ClosedLoop{}};
  from.publish(all_to(1));
  const Chooser chooser = std::move(from);
  DrawSource source{SplitMix64{0}};
  EXPECT_EQ(chooser.choose(loads({0, 0}), source.next(chooser)), WorkerId{1});
}

TEST(Chooser, ThreadsDecideWhileSomebodyPublishes) {
  Chooser chooser{ClosedLoop{}};
  chooser.publish(all_to(0));
  std::atomic<bool> published_all = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      DrawSource source{SplitMix64{t}};
      while (!published_all) {
        const auto chosen = chooser.choose(loads({0, 0}), source.next(chooser));
        wrong += chosen == WorkerId{0} || chosen == WorkerId{1} ? 0 : 1;
      }
      wrong += chooser.choose(loads({0, 0}), source.next(chooser)) == WorkerId{1} ? 0 : 1;
    });
  }
  for (int i = 0; i < 1000; ++i) chooser.publish(all_to(i % 2 == 0 ? 0 : 1));
  published_all = true;  // the last one went to worker 1
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace artel::dispatch
