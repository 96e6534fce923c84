#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;
using ResultKind = OutstandingChunks::ResultKind;

constexpr OutstandingChunks::Rules kRules{
    .patience = 1s, .speculation = 2, .speculation_min = 10ms};

Instant at(Duration time) { return Instant(time); }

TEST(OutstandingChunks, OnlyTheFirstResultCounts) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  EXPECT_EQ(chunks.arrived(0, at(1ms)), ResultKind::first);
  EXPECT_EQ(chunks.arrived(0, at(2ms)), ResultKind::duplicate);
  EXPECT_EQ(chunks.counts().duplicates, 1);
  EXPECT_EQ(chunks.out(), 0);
}

TEST(OutstandingChunks, AChunkWithoutNewsIsDue) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  chunks.issued(1, at(0s));
  chunks.seen(1, at(500ms));
  EXPECT_TRUE(chunks.due(at(999ms), 9).empty());
  EXPECT_EQ(chunks.due(at(1s), 9), std::vector<std::uint64_t>{0});
  EXPECT_TRUE(chunks.due(at(1s), 9).empty());  // asked for already
  EXPECT_EQ(chunks.due(at(1500ms), 9), std::vector<std::uint64_t>{1});
  EXPECT_EQ(chunks.due(at(2s), 9), std::vector<std::uint64_t>{0});
}

TEST(OutstandingChunks, AfterALostConnectionEverythingIsInDoubt) {
  OutstandingChunks chunks(kRules);
  for (std::uint64_t i = 0; i < 5; ++i) chunks.issued(i, at(0s));
  chunks.doubt_all(at(0s));
  EXPECT_TRUE(chunks.due(at(0s), 9).empty());
  EXPECT_EQ(chunks.due(at(OutstandingChunks::kPause), 3).size(), 3);
  EXPECT_EQ(chunks.due(at(OutstandingChunks::kPause), 9).size(), 2);
}

TEST(OutstandingChunks, TheSlowestIsIssuedOnceMore) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  chunks.issued(1, at(20ms));
  EXPECT_FALSE(chunks.speculate(at(100ms)));  // nothing is known about what is usual
  chunks.issued(2, at(100ms));
  EXPECT_EQ(chunks.arrived(2, at(110ms)), ResultKind::first);
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a missing one throws, and the test fails
  const auto first = chunks.speculate(at(110ms)).value();
  EXPECT_EQ(first.index, 0);
  EXPECT_EQ(first.epoch, 1);
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a missing one throws, and the test fails
  EXPECT_EQ(chunks.speculate(at(110ms)).value().index, 1);
  EXPECT_FALSE(chunks.speculate(at(110ms)));
  EXPECT_EQ(chunks.find(0)->epoch, 1);
}

TEST(OutstandingChunks, DoubtMakesNothingDueLaterThanItWas) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  chunks.issued(1, at(500ms));
  chunks.doubt_all(at(950ms));
  EXPECT_EQ(chunks.due(at(1s), 9), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(chunks.due(at(1050ms), 9), (std::vector<std::uint64_t>{1}));
}

TEST(OutstandingChunks, WhatWasDueLateIsGivenThePatienceAgain) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  EXPECT_EQ(chunks.due(at(5s), 9).size(), 1);
  EXPECT_TRUE(chunks.due(at(5999ms), 9).empty());
  EXPECT_EQ(chunks.due(at(6s), 9).size(), 1);
}

TEST(OutstandingChunks, ACopyIsGivenThePatienceAndAnEpochOfItsOwn) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  EXPECT_EQ(chunks.reissue(0, at(800ms)), 1);
  EXPECT_EQ(chunks.find(0)->epoch, 1);
  EXPECT_TRUE(chunks.due(at(1799ms), 9).empty());
  EXPECT_EQ(chunks.due(at(1800ms), 9).size(), 1);
  EXPECT_EQ(chunks.reissue(0, at(1800ms)), 2);
  EXPECT_EQ(chunks.find(0)->epoch, 2);
}

TEST(OutstandingChunks, WhatWasNotSentIsDueAfterAPause) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  chunks.not_sent(0, at(100ms));
  EXPECT_TRUE(chunks.due(at(199ms), 9).empty());
  EXPECT_EQ(chunks.due(at(200ms), 9).size(), 1);
}

// The mean of the response times follows: 0.9 of what it was, 0.1 of the latest.
TEST(OutstandingChunks, TheUsualResponseTimeIsThatOfRecentChunks) {
  OutstandingChunks chunks(kRules);
  chunks.issued(0, at(0s));
  chunks.arrived(0, at(100ms));
  chunks.issued(1, at(0s));
  chunks.arrived(1, at(200ms));  // 110 ms
  chunks.issued(2, at(1s));
  EXPECT_FALSE(chunks.speculate(at(1220ms)));
  EXPECT_TRUE(chunks.speculate(at(1221ms)));
}

// A network that loses, doubles and reorders; a master that looks and issues again.
RC_GTEST_PROP(OutstandingChunks, EveryChunkHasOneResultWhateverIsLostOrDoubled, ()) {
  const auto total = *rc::gen::inRange<std::uint64_t>(1, 40);
  OutstandingChunks chunks(kRules);
  Instant now{};
  std::uint64_t next = 0;
  std::map<std::uint64_t, int> results;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> copies;  // at the server
  std::set<std::pair<std::uint64_t, std::uint32_t>> issued;
  const auto issue = [&](std::uint64_t index, std::uint32_t epoch) {
    RC_ASSERT(issued.emplace(index, epoch).second);  // B3
    copies.emplace_back(index, epoch);
  };
  const auto deliver = [&](std::size_t which) {
    if (chunks.arrived(copies[which].first, now) == ResultKind::first)
      ++results[copies[which].first];
  };

  const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100));
  for (const int move : moves) {
    now = later(now, 50ms);
    if (move < 40 && next < total) {
      chunks.issued(next, now);
      issue(next++, 0);
    } else if (!copies.empty()) {
      const auto which = static_cast<std::size_t>(move) % copies.size();
      if (move < 60) deliver(which);  // and may be delivered again
      if (move % 2 == 0) copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(which));
    }
    if (move >= 90) chunks.doubt_all(now);
    if (const auto copy = chunks.speculate(now)) issue(copy->index, copy->epoch);
  }
  while (next < total) {
    chunks.issued(next, now);
    issue(next++, 0);
  }
  for (int round = 0; round < 3 && chunks.out() > 0; ++round) {  // the network has recovered
    now = later(now, kRules.patience);
    for (const std::uint64_t index : chunks.due(now, total)) {
      const bool there = std::ranges::any_of(copies, [&](auto& c) { return c.first == index; });
      if (there) continue;
      if (const auto copy = chunks.reissue(index, now)) issue(index, *copy);
    }
    for (std::size_t i = 0; i < copies.size(); ++i) deliver(i);
  }
  RC_ASSERT(chunks.out() == 0U);
  RC_ASSERT(results.size() == total);
  for (const auto& [index, count] : results) RC_ASSERT(count == 1);
  RC_ASSERT(chunks.counts().done == total);
}

}  // namespace
}  // namespace artel::cluster::detail
