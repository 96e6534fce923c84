#include "artel/cluster/protocol/detail/chunk_pull.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using std::chrono::milliseconds;

constexpr Instant kStart = later(Instant{}, std::chrono::hours(1));

TEST(ChunkPull, AsksOnASubjectOfItsOwnEveryTime) {
  ChunkPull pull("_INBOX.w");
  const std::string first = pull.ask(1, kStart);
  pull.chunk_came();
  const std::string second = pull.ask(1, kStart);
  EXPECT_NE(first, second);
  EXPECT_TRUE(first.starts_with("_INBOX.w.")) << first;
}

TEST(ChunkPull, ForgetsWhatIsLostWithTheConnection) {
  ChunkPull pull("_INBOX.w");
  static_cast<void>(pull.ask(2, kStart));
  pull.forget();
  EXPECT_TRUE(pull.may_ask(kStart));
}

TEST(ChunkPull, IsOpenUntilAllItsChunksHaveCome) {
  ChunkPull pull("_INBOX.w");
  EXPECT_TRUE(pull.may_ask(kStart));
  static_cast<void>(pull.ask(2, kStart));
  pull.chunk_came();
  EXPECT_FALSE(pull.may_ask(kStart));
  pull.chunk_came();
  EXPECT_TRUE(pull.may_ask(kStart));
}

TEST(ChunkPull, AsksAgainAtOnceWhenTheTimeIsUp) {
  ChunkPull pull("_INBOX.w");
  const auto request = pull.ask(2, kStart);
  pull.status_came(request, "408", kStart);
  EXPECT_TRUE(pull.may_ask(kStart));
}

TEST(ChunkPull, AsksAfterAPauseWhenItWasRefused) {
  ChunkPull pull("_INBOX.w");
  const auto request = pull.ask(2, kStart);
  pull.status_came(request, "503", kStart);
  EXPECT_FALSE(pull.is_open(kStart));
  EXPECT_FALSE(pull.may_ask(kStart));
  EXPECT_EQ(pull.quiet_until(), later(kStart, ChunkPull::kPause));
  EXPECT_TRUE(pull.may_ask(later(kStart, ChunkPull::kPause)));
}

TEST(ChunkPull, GivesUpARequestOfWhichNothingIsHeard) {
  ChunkPull pull("_INBOX.w");
  static_cast<void>(pull.ask(2, kStart));
  EXPECT_TRUE(pull.is_open(later(kStart, ChunkPull::kOpen)));
  EXPECT_EQ(pull.quiet_until(), later(kStart, ChunkPull::kOpen + ChunkPull::kLate));
  const Instant late = pull.quiet_until();
  EXPECT_TRUE(pull.may_ask(late));
  EXPECT_TRUE(pull.was_lost(late));
  EXPECT_FALSE(pull.was_lost(late));
}

TEST(ChunkPull, WhatIsSaidOfAnEarlierRequestDoesNotCount) {
  ChunkPull pull("_INBOX.w");
  const auto first = pull.ask(1, kStart);
  pull.chunk_came();
  static_cast<void>(pull.ask(3, kStart));
  pull.status_came(first, "408", kStart);
  EXPECT_TRUE(pull.is_open(kStart));
}

}  // namespace
}  // namespace artel::cluster::detail
