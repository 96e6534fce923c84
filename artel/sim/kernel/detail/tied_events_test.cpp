#include "artel/sim/kernel/detail/tied_events.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {
namespace {

// Against a vector from which one erases.
TEST(TiedEvents, AreAVectorInOrderOfCreation) {
  random::Stream dice(Seed{3}, "tied");
  std::deque<Event> events;
  struct Pending {
    Event* event;
    std::uint64_t tag;
  };
  std::vector<Pending> expected;
  TiedEvents tied;
  for (std::uint64_t turn = 1; turn <= 20'000; ++turn) {
    const bool grows = turn / 1000 % 2 == 0;
    const std::uint64_t what = dice.below(grows ? 4 : 8);
    if (what < 3 || expected.empty()) {
      events.emplace_back();
      tied.append(events.back(), turn);
      expected.push_back({&events.back(), turn});
      continue;
    }
    const std::size_t place = dice.below(expected.size());
    const Pending chosen = expected[place];
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(place));
    if (what == 3) {
      EXPECT_TRUE(tied.remove(chosen.tag));
      EXPECT_FALSE(tied.remove(chosen.tag));
    } else {
      ASSERT_EQ(&tied.take(place), chosen.event);
    }
    ASSERT_EQ(tied.size(), expected.size());
  }
  std::vector<const Event*> left;
  tied.for_each([&](const Event& event) { left.push_back(&event); });
  ASSERT_EQ(left.size(), expected.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i], expected[i].event);
  EXPECT_FALSE(tied.remove(1'000'000));
}

}  // namespace
}  // namespace artel::sim::detail
