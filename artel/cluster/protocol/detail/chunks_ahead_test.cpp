#include "artel/cluster/protocol/detail/chunks_ahead.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace artel::cluster::detail {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(ChunksAhead, IsOneUntilAChunkWasWorkedOn) {
  const ChunksAhead ahead(4);
  EXPECT_EQ(ahead.get(), 1);
  EXPECT_FALSE(ahead.is_news());
}

TEST(ChunksAhead, IsAMillisecondOfWorkForAllThreads) {
  ChunksAhead ahead(2);
  ahead.note_work(microseconds(250));
  EXPECT_EQ(ahead.get(), 8);
  EXPECT_FALSE(ahead.is_brief());
  EXPECT_TRUE(ahead.is_news());
  ahead.told();
  EXPECT_FALSE(ahead.is_news());
}

TEST(ChunksAhead, HasItsBounds) {
  ChunksAhead shortest(8);
  shortest.note_work(microseconds(1));
  EXPECT_EQ(shortest.get(), ChunksAhead::kMost);
  EXPECT_TRUE(shortest.is_brief());
  ChunksAhead longest(8);
  longest.note_work(milliseconds(100));
  EXPECT_EQ(longest.get(), 1);
}

TEST(ChunksAhead, FollowsTheMeanOfTheLatest) {
  ChunksAhead ahead(1);
  ahead.note_work(microseconds(100));
  ahead.note_work(microseconds(900));  // a mean of 200
  EXPECT_EQ(ahead.get(), 5);
}

}  // namespace
}  // namespace artel::cluster::detail
