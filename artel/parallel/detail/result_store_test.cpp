#include "artel/parallel/detail/result_store.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace artel::parallel::detail {
namespace {

TEST(ResultStore, HandsOverInOrderWhateverOrderTheyCameIn) {
  ResultStore<int> store(Order::source);
  store.put(2, 12);
  EXPECT_EQ(store.take(), std::nullopt);
  store.put(0, 10);
  EXPECT_EQ(store.take(), 10);
  EXPECT_EQ(store.take(), std::nullopt);
  store.put(1, 11);
  EXPECT_EQ(store.take(), 11);
  EXPECT_EQ(store.take(), 12);
  EXPECT_TRUE(store.empty());
  EXPECT_EQ(store.taken(), 3);
}

TEST(ResultStore, InOrderOfCompletionNoneWaits) {
  ResultStore<int> store(Order::completion);
  store.put(2, 12);
  EXPECT_EQ(store.take(), 12);
  store.put(0, 10);
  store.put(1, 11);
  EXPECT_EQ(store.take(), 10);
  EXPECT_EQ(store.take(), 11);
  EXPECT_EQ(store.take(), std::nullopt);
}

}  // namespace
}  // namespace artel::parallel::detail
