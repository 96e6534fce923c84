#include "artel/cluster/detail/chunk_pull.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using std::chrono::milliseconds;

constexpr Instant kStart = later(Instant{}, std::chrono::hours(1));

TEST(ChunkPull, AsksForSoManyChunksOnSubjectsOfItsOwn) {
  ChunkPull pull("MR_p", "S");
  EXPECT_EQ(pull.subject(), "$JS.API.CONSUMER.MSG.NEXT.MR_p.S");
  const auto request = pull.ask(9, kStart);
  EXPECT_EQ(request.body, R"({"batch":9,"expires":500000000})");
  const std::string answers = pull.answers();
  EXPECT_TRUE(request.reply.starts_with(answers.substr(0, answers.size() - 1))) << request.reply;
}

TEST(ChunkPull, IsOpenUntilAllItsChunksHaveCome) {
  ChunkPull pull("MR_p", "S");
  EXPECT_TRUE(pull.may_ask(kStart));
  static_cast<void>(pull.ask(2, kStart));
  pull.chunk_came();
  EXPECT_FALSE(pull.may_ask(kStart));
  pull.chunk_came();
  EXPECT_TRUE(pull.may_ask(kStart));
}

TEST(ChunkPull, AsksAgainAtOnceWhenTheTimeIsUp) {
  ChunkPull pull("MR_p", "S");
  const auto request = pull.ask(2, kStart);
  pull.status_came(request.reply, "408", kStart);
  EXPECT_TRUE(pull.may_ask(kStart));
}

TEST(ChunkPull, AsksAfterAPauseWhenItWasRefused) {
  ChunkPull pull("MR_p", "S");
  const auto request = pull.ask(2, kStart);
  pull.status_came(request.reply, "503", kStart);
  EXPECT_FALSE(pull.is_open(kStart));
  EXPECT_FALSE(pull.may_ask(kStart));
  EXPECT_EQ(pull.quiet_until(), later(kStart, ChunkPull::kPause));
  EXPECT_TRUE(pull.may_ask(later(kStart, ChunkPull::kPause)));
}

TEST(ChunkPull, GivesUpARequestOfWhichNothingIsHeard) {
  ChunkPull pull("MR_p", "S");
  static_cast<void>(pull.ask(2, kStart));
  EXPECT_TRUE(pull.is_open(later(kStart, ChunkPull::kOpen)));
  EXPECT_EQ(pull.quiet_until(), later(kStart, ChunkPull::kOpen + ChunkPull::kLate));
  const Instant late = pull.quiet_until();
  EXPECT_TRUE(pull.may_ask(late));
  EXPECT_TRUE(pull.was_lost(late));
  EXPECT_FALSE(pull.was_lost(late));
}

TEST(ChunkPull, WhatIsSaidOfAnEarlierRequestDoesNotCount) {
  ChunkPull pull("MR_p", "S");
  const auto first = pull.ask(1, kStart);
  pull.chunk_came();
  static_cast<void>(pull.ask(3, kStart));
  pull.status_came(first.reply, "408", kStart);
  EXPECT_TRUE(pull.is_open(kStart));
}

}  // namespace
}  // namespace artel::cluster::detail
