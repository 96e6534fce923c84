#include "artel/dispatch/policy.hpp"

#include <gtest/gtest.h>

#include "artel/dispatch/dispatcher.hpp"
#include "artel/dispatch/load_array.hpp"

namespace artel::dispatch {
namespace {

LoadArray loads(std::initializer_list<std::uint32_t> queued) {
  std::vector<Load> all;
  for (const auto q : queued) all.push_back({.queued = q});
  return LoadArray(std::move(all));
}

TEST(LeastLoaded, TieGoesToLowestId) {
  EXPECT_EQ(choose(LeastLoaded{}, loads({3, 1, 2, 1}), Draw{}), WorkerId{1});
}

TEST(Dispatcher, CentralQueue) {
  for (const Policy& policy :
       {Policy{Random{}}, Policy{Jsq{}}, Policy{LeastLoaded{}}, Policy{Jiq{}},
        Policy{LeastWorkLeft{}}, Policy{WeightedRoundRobin{}}}) {
    Dispatcher<int> dispatcher({.policy = policy});
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(dispatcher.join({.capacity = 1}));
    for (int i = 0; i < 5; ++i) {
      const auto placement = dispatcher.arrived(int{i});
      EXPECT_EQ(placement.start, i < 3);
      if (placement.start) {
        EXPECT_EQ(dispatcher.start(placement.worker), i);
      }
    }
    EXPECT_EQ(dispatcher.held(), 2U);
    dispatcher.finished(WorkerId{2});
    EXPECT_EQ(dispatcher.start(WorkerId{2}), 3);
    EXPECT_TRUE(dispatcher.counts().balanced());
  }
}

}  // namespace
}  // namespace artel::dispatch
