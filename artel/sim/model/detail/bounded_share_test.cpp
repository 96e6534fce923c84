#include "artel/sim/model/detail/bounded_share.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"

namespace artel::sim::detail {
namespace {

/// What makes rates max-min fair: nobody could have more without taking from somebody who has less
/// for his weight.
RC_GTEST_PROP(BoundedShareProperty, RatesAreMaxMinFair, ()) {
  BoundedShare share;
  const double capacity = *rc::gen::inRange(1, 100);
  const double each_max = *rc::gen::inRange(1, 50);
  share.set_capacity({}, capacity, each_max);
  struct Terms {
    ActivityId id{};
    double weight = 1;
    double bound = 0;
  };
  std::vector<Terms> all;
  for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
    Terms terms{.weight = static_cast<double>(*rc::gen::inRange(1, 10)),
                .bound = static_cast<double>(*rc::gen::inRange(1, 60))};
    terms.id = share.add({}, {.volume = 100, .weight = terms.weight, .bound = terms.bound});
    all.push_back(terms);
  }
  if (all.size() > 3) {  // what leaves makes room
    RC_ASSERT(share.remove({}, all.front().id) == 100.0);
    all.erase(all.begin());
  }
  constexpr double kRounding = 1e-9;
  double highest = 0;  // rate by weight
  for (const Terms& terms : all) {
    const double most = std::min(terms.bound, each_max);
    RC_ASSERT(share.rate(terms.id) <= most + kRounding);
    highest = std::max(highest, share.rate(terms.id) / terms.weight);
  }
  bool all_at_their_bounds = true;
  for (const Terms& terms : all) {
    const bool at_bound = share.rate(terms.id) >= std::min(terms.bound, each_max) - kRounding;
    all_at_their_bounds = all_at_their_bounds && at_bound;
    RC_ASSERT(at_bound || share.rate(terms.id) / terms.weight >= highest - kRounding);
  }
  RC_ASSERT(share.total_rate() <= capacity + kRounding);
  RC_ASSERT(all_at_their_bounds || share.total_rate() >= capacity - kRounding);
}

TEST(BoundedShare, NothingMovesWithoutCapacity) {
  BoundedShare share;
  EXPECT_EQ(share.next_end(), kNever);
  const ActivityId id = share.add({}, {.volume = 1});
  EXPECT_EQ(share.next_end(), kNever);
  EXPECT_EQ(share.left(Instant{from_seconds(9)}, id), 1);
  share.set_capacity(Instant{from_seconds(9)}, 2, 2);
  EXPECT_EQ(share.next_end(), Instant{from_seconds(9.5)});
  EXPECT_FALSE(share.take_ended(Instant{from_seconds(9.4)}));
  EXPECT_EQ(share.take_ended(Instant{from_seconds(9.5)}), id);
  EXPECT_EQ(share.next_end(), kNever);
}

TEST(BoundedShare, EqualEndsComeInOrderOfStart) {
  BoundedShare share;
  share.set_capacity({}, 4, 4);
  const ActivityId first = share.add({}, {.volume = 1});
  share.remove({}, first);
  const ActivityId second = share.add({}, {.volume = 1, .weight = 2});
  const ActivityId third = share.add({}, {.volume = 1, .weight = 2});
  const Instant end = share.next_end();
  EXPECT_EQ(share.take_ended(end), second);
  EXPECT_EQ(share.next_end(), end);
  EXPECT_EQ(share.take_ended(end), third);
}

}  // namespace
}  // namespace artel::sim::detail
