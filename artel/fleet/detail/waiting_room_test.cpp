#include "artel/fleet/detail/waiting_room.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {
namespace {

WaitingJob waiting_of(std::uint32_t id, std::int32_t priority) {
  return {.job = {.id = id, .priority = priority}, .order = id};
}

TEST(WaitingRoom, TakesBackOnlyWhatIsThereAndWhatIsNewIfAsked) {
  WaitingRoom room(scenario::Discipline::fifo);
  room.push(waiting_of(1, 0));
  auto begun = waiting_of(2, 0);
  begun.started = true;
  room.push(begun);
  EXPECT_FALSE(room.remove(3));
  EXPECT_FALSE(room.remove_new(2));
  EXPECT_TRUE(room.remove_new(1));
  EXPECT_TRUE(room.remove(2));
  EXPECT_TRUE(room.empty());
}

// Whoever is taken back, from wherever it is, the others go in their order.
RC_GTEST_PROP(WaitingRoom, TheOthersKeepTheirOrder, (const std::vector<std::int8_t>& priorities)) {
  WaitingRoom room(scenario::Discipline::priority);
  std::vector<WaitingJob> left;
  for (std::uint32_t id = 0; id < priorities.size(); ++id) {
    left.push_back(waiting_of(id, priorities[id]));
    room.push(left.back());
  }
  const auto gone = *rc::gen::inRange<std::size_t>(0, priorities.size() + 1);
  for (std::size_t i = 0; i < gone; ++i) {
    const auto one = left.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(left));
    RC_ASSERT(room.remove(one->job.id));
    left.erase(one);
  }
  std::ranges::sort(left, [&](const auto& a, const auto& b) { return room.order().before(a, b); });
  for (const auto& next : left) RC_ASSERT(room.pop().job.id == next.job.id);
  RC_ASSERT(room.empty());
}

}  // namespace
}  // namespace artel::fleet::detail
