#include "artel/cluster/detail/message_pieces.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using Taken = MessagePieces::Taken;

constexpr std::uint64_t kOne = 1, kOther = ~std::uint64_t{0};
constexpr Instant kNow{std::chrono::hours(1)};

Taken take(MessagePieces& pieces, std::uint64_t name, std::uint64_t number, std::uint64_t count,
           std::string_view part, Instant now = kNow) {
  return pieces.take(MessagePieces::piece(name, number, count, part), now);
}

// Cut anywhere, and mixed with each other in any way.
RC_GTEST_PROP(MessagePieces, SeveralAtOnceComeWholeAgain, ()) {
  const auto messages = *rc::gen::container<std::vector<std::vector<std::string>>>(
      3, rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
             rc::gen::nonEmpty(rc::gen::arbitrary<std::string>()))));
  std::mt19937 dice(*rc::gen::arbitrary<std::uint32_t>());
  MessagePieces pieces;
  std::vector<std::uint64_t> next(messages.size(), 0);
  std::size_t whole = 0;
  while (whole < messages.size()) {
    const std::size_t i = dice() % messages.size();
    const auto& parts = messages[i];
    if (next[i] == parts.size()) continue;
    const auto count = parts.size();
    const auto taken = take(pieces, i, next[i], count, parts[next[i]]);
    ++next[i];
    RC_ASSERT(taken.taken);
    RC_ASSERT(taken.whole.has_value() == (next[i] == count));
    if (!taken.whole) continue;
    std::string all;
    for (const auto& part : parts) all += part;
    RC_ASSERT(*taken.whole == all);
    ++whole;
  }
}

RC_GTEST_PROP(MessagePieces, WhateverComesBreaksNothing, (const std::vector<std::string>& texts)) {
  MessagePieces pieces(100);
  for (const auto& text : texts) static_cast<void>(pieces.take("\xc7" + text, kNow));
}

TEST(MessagePieces, ForgetsWhatComesOutOfOrder) {
  MessagePieces pieces;
  EXPECT_FALSE(take(pieces, kOne, 1, 2, "b").taken);  // its beginning was lost
  EXPECT_TRUE(take(pieces, kOne, 0, 3, "a").taken);
  EXPECT_FALSE(take(pieces, kOne, 2, 3, "c").taken);
  EXPECT_FALSE(take(pieces, kOne, 1, 3, "b").taken);
  EXPECT_TRUE(take(pieces, kOne, 0, 2, "a").taken);  // begun anew
  EXPECT_TRUE(take(pieces, kOne, 0, 2, "A").taken);
  EXPECT_EQ(take(pieces, kOne, 1, 2, "b").whole, "Ab");
}

TEST(MessagePieces, HoldsNoMoreThanItMay) {
  MessagePieces pieces(10);
  EXPECT_TRUE(take(pieces, kOne, 0, 3, "12345").taken);
  EXPECT_TRUE(take(pieces, kOther, 0, 2, "12345").taken);
  EXPECT_FALSE(take(pieces, kOne, 1, 3, "6").taken);  // given up, so that there is room
  EXPECT_EQ(take(pieces, kOther, 1, 2, "6").whole, "123456");
}

TEST(MessagePieces, ForgetsWhatNobodyGoesOnWith) {
  MessagePieces pieces(10);
  EXPECT_TRUE(take(pieces, kOne, 0, 2, "1234567890").taken);
  EXPECT_FALSE(take(pieces, kOther, 0, 2, "1").taken);
  const Instant late = kNow + MessagePieces::kPatience + std::chrono::seconds(1);
  EXPECT_TRUE(take(pieces, kOther, 0, 2, "1", late).taken);
  EXPECT_FALSE(take(pieces, kOne, 1, 2, "1", late).taken);
}

}  // namespace
}  // namespace artel::cluster::detail
