#include "artel/parallel/detail/chunk_sizer.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"

namespace artel::parallel::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMany = 1U << 30U;

// A sizer that has seen chunks of items that take so long each.
ChunkSizer settled(Duration item, std::size_t width) {
  ChunkSizer sizer({.width = width, .most = kMany});
  for (int i = 0; i < 20; ++i) {
    const std::size_t size = sizer.next(std::nullopt);
    sizer.record(size, item * static_cast<std::int64_t>(size));
  }
  return sizer;
}

TEST(ChunkSizer, FixedStaysFixed) {
  ChunkSizer sizer({.fixed = 7, .width = 2, .most = 3});
  sizer.record(7, 1s);
  EXPECT_EQ(sizer.next(std::nullopt), 7);
  EXPECT_EQ(sizer.next(1), 7);
}

TEST(ChunkSizer, ChunksThatTravelKeepToTheirBytes) {
  ChunkSizer sizer({.width = 2, .most = kMany, .bytes = 1000});
  sizer.weigh(1, 10);
  sizer.record(1, 1ns);
  EXPECT_EQ(sizer.next(std::nullopt), 16);
  sizer.weigh(16, 1600);  // results may be larger
  sizer.record(16, 16ns);
  EXPECT_EQ(sizer.next(std::nullopt), 10);
  sizer.weigh(10, 100'000);
  EXPECT_EQ(sizer.next(std::nullopt), 1);
}

TEST(ChunkSizer, StartsWithOneItem) {
  EXPECT_EQ(ChunkSizer({.width = 2, .most = kMany}).next(1'000'000), 1);
}

TEST(ChunkSizer, GrowsAtMostSixteenfold) {
  ChunkSizer sizer({.width = 2, .most = kMany});
  sizer.record(1, 1ns);
  EXPECT_EQ(sizer.next(std::nullopt), 16);
  sizer.record(16, 16ns);
  EXPECT_EQ(sizer.next(std::nullopt), 256);
}

TEST(ChunkSizer, AimsAt200Microseconds) {
  EXPECT_EQ(settled(1us, 2).next(std::nullopt), 200);
  EXPECT_EQ(settled(10ns, 2).next(std::nullopt), 20'000);
}

TEST(ChunkSizer, LongItemsGoOneByOne) { EXPECT_EQ(settled(1s, 2).next(1000), 1); }

TEST(ChunkSizer, ForgetsAColdStart) {
  ChunkSizer sizer({.width = 2, .most = kMany});
  sizer.record(1, 10us);
  for (int i = 0; i < 4; ++i) {
    const std::size_t size = sizer.next(std::nullopt);
    sizer.record(size, Duration{10 * static_cast<std::int64_t>(size)});
  }
  EXPECT_GT(sizer.next(std::nullopt), 15'000);
}

TEST(ChunkSizer, ShrinksTowardsTheEnd) {
  const ChunkSizer sizer = settled(1us, 2);
  EXPECT_EQ(sizer.next(1'000'000), 200);
  EXPECT_EQ(sizer.next(400), 101);
  EXPECT_EQ(sizer.next(40), 11);
  EXPECT_EQ(sizer.next(4), 10);  // not below 10 us
}

TEST(ChunkSizer, TimeOfZeroIsNoTrouble) {
  ChunkSizer sizer({.width = 2, .most = 100});
  sizer.record(50, 0ns);
  EXPECT_EQ(sizer.next(std::nullopt), 100);
}

}  // namespace
}  // namespace artel::parallel::detail
