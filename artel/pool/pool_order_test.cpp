// In what order a single worker takes what comes from outside, while its queue and the common one
// fill and empty.
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <vector>

#include "artel/pool/detail/worker.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

// As many tasks at the worker as make it turn to the common queue, if they are its own children.
constexpr unsigned kQueue = detail::Worker::kTurn + 3;
constexpr unsigned kMore = detail::Worker::kCommonLook;  // it looks there before it has run so many

// Between two looks at the common queue the worker empties it, and its own queue and the common one
// fill again. What has come to its own meanwhile came from outside, before what waits in the other.
TEST(PoolOrder, ASingleWorkerKeepsItWhenTheCommonQueueWasEmptyBetweenTwoLooks) {
  std::vector<unsigned> order;
  std::latch started{1}, go{1};
  HeldPool held({.workers = 1, .queue = kQueue});
  unsigned posted = 0;
  const auto post = [&](unsigned tasks) {
    for (; tasks > 0; --tasks) held->post([&order, i = posted++] { order.push_back(i); });
  };
  post(kQueue);
  held->post([&] {
    started.count_down();
    go.wait();
  });
  ASSERT_EQ(held->stats().queued_common, 1);  // the one that holds it up again
  held.release();
  started.wait();
  EXPECT_EQ(held->stats().queued_common, 0);
  post(kQueue);
  EXPECT_EQ(held->stats().queued_common, 0);
  post(kMore);
  EXPECT_EQ(held->stats().queued_common, kMore);
  go.count_down();
  ASSERT_TRUE(held->wait_idle(soon()));
  EXPECT_EQ(order.size(), posted);
  EXPECT_EQ(std::ranges::is_sorted_until(order) - order.begin(), posted);
}

}  // namespace
}  // namespace artel::pool
