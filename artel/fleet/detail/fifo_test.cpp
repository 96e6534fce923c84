#include "artel/fleet/detail/fifo.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace artel::fleet::detail {
namespace {

TEST(Fifo, HoldsWhatCanOnlyBeMovedAndFreesIt) {
  ChunkStore<std::unique_ptr<int>> store;
  Fifo<std::unique_ptr<int>> fifo(store);
  for (int i = 0; i < 100; ++i) fifo.push(std::make_unique<int>(i));
  EXPECT_EQ(*fifo.front(), 0);
  EXPECT_EQ(*fifo.pop(), 0);
}  // the address sanitizer sees to the other 99

TEST(Fifo, MovesWithoutItsElements) {
  ChunkStore<int> store;
  Fifo<int> fifo(store);
  fifo.push(1);
  Fifo<int> moved(std::move(fifo));
  EXPECT_EQ(moved.pop(), 1);
  EXPECT_TRUE(moved.empty());
}

TEST(FifoDeathTest, RefusesToPopFromEmpty) {
  ChunkStore<int> store;
  Fifo<int> fifo(store);
  EXPECT_DEATH((void)fifo.pop(), "queue is empty");
}

RC_GTEST_PROP(Fifo, QueuesOfOneStoreBehaveLikeDeques, ()) {
  ChunkStore<int> store;
  std::vector<Fifo<int>> fifos;
  fifos.reserve(3);
  for (int i = 0; i < 3; ++i) fifos.emplace_back(store);
  std::vector<std::deque<int>> model(3);
  int next = 0;
  // Runs of pushes and pops, long enough to cross chunks.
  const auto runs = *rc::gen::container<std::vector<std::pair<std::size_t, int>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, 3), rc::gen::inRange(-40, 50)));
  for (const auto& [which, run] : runs) {
    for (int i = 0; i < run; ++i) {
      fifos[which].push(next);
      model[which].push_back(next++);
    }
    for (int i = 0; i > run && !model[which].empty(); --i) {
      RC_ASSERT(fifos[which].front() == model[which].front());
      RC_ASSERT(fifos[which].pop() == model[which].front());
      model[which].pop_front();
    }
    RC_ASSERT(fifos[which].size() == model[which].size());
  }
}

}  // namespace
}  // namespace artel::fleet::detail
