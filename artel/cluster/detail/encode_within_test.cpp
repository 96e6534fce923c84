#include "artel/cluster/detail/encode_within.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster::detail {
namespace {

TEST(EncodeWithin, WhatIsTooLargeBecomesAFailureThatSaysSo) {
  const ChunkOrder order{.first = 7};
  ChunkResult result{
      .job = "job", .worker = "worker", .count = 1, .output = std::string(1000, 'x')};
  const auto bytes = encode(result);
  EXPECT_EQ(encode_within(bytes.size(), order, result), bytes);
  const auto failure = decode_chunk_result(encode_within(bytes.size() - 1, order, result));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, ChunkOutcome::failed);
  EXPECT_EQ(failure->output, "");
  ASSERT_EQ(failure->problems.size(), 1U);
  EXPECT_EQ(failure->problems[0].item, 7U);
  EXPECT_THAT(failure->problems[0].what, testing::HasSubstr(std::to_string(bytes.size() - 1)));
}

}  // namespace
}  // namespace artel::cluster::detail
