#include "artel/sim/kernel/detail/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "artel/core/poison.hpp"  // NOLINT(misc-include-cleaner): says whether ARTEL_POISON is

namespace artel::sim::detail {
namespace {

TEST(BlockPool, GivesTheBlockThatCameBackLast) {
  BlockPool pool;
  void* first = pool.take(100);
  void* second = pool.take(100);
  EXPECT_NE(first, second);
  EXPECT_EQ(pool.in_use(), 2U);
  pool.give_back(first, 100);
  EXPECT_EQ(pool.take(112), first);  // of the same number of steps
  pool.give_back(first, 112);
  pool.give_back(second, 100);
  EXPECT_EQ(pool.in_use(), 0U);
}

#ifdef ARTEL_POISON
// The memory is the pool's own all the time: only the poison tells.
TEST(BlockPoolDeathTest, WhatWasGivenBackIsPoisoned) {
  BlockPool pool;
  auto* bytes = static_cast<volatile char*>(pool.take(64));
  bytes[40] = 1;
  pool.give_back(const_cast<char*>(bytes), 64);
  EXPECT_DEATH(bytes[40] = 2, "use-after-poison");
}
#endif

// What AddressSanitizer would say of a model is what this is for.
TEST(BlockPool, BlocksMayBeSmallerThanWhatLinksThem) {
  BlockPool pool;
  for (std::size_t bytes = 1; bytes <= 2 * BlockPool::kStep; ++bytes) {
    void* block = pool.take(bytes);
    std::memset(block, 1, bytes);
    pool.give_back(block, bytes);
    EXPECT_EQ(pool.take(bytes), block);
    pool.give_back(block, bytes);
  }
  EXPECT_EQ(pool.in_use(), 0U);
}

}  // namespace
}  // namespace artel::sim::detail
