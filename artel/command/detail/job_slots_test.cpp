#include "artel/command/detail/job_slots.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artel/command/job_hosts.hpp"
#include "artel/command/job_loop_options.hpp"

namespace artel::command::detail {
namespace {

class SomeHosts final : public JobHosts {
 public:
  std::vector<std::string> via(std::size_t,
                               const std::vector<std::string>& command) const override {
    return command;
  }
  std::string name(std::size_t) const override { return "h"; }
  int input(std::size_t) const override { return -1; }
  bool is_lost(std::size_t slot) override { return lost.contains(slot); }
  bool was_lost(std::size_t slot) override { return lost.contains(slot); }

  std::set<std::size_t> lost;
};

std::size_t take(JobSlots& slots) {
  const std::size_t slot = slots.vacant().value_or(SIZE_MAX);
  slots.claim(slot);
  return slot;
}

TEST(JobSlots, AFreeSlotIsTakenAgainBeforeANewOne) {
  JobLoopOptions options;
  options.slots = 2;
  JobSlots slots(options);
  EXPECT_EQ(take(slots), 0);
  EXPECT_EQ(take(slots), 1);
  EXPECT_TRUE(slots.all_taken());
  slots.give_back(0);
  EXPECT_FALSE(slots.all_taken());
  EXPECT_EQ(take(slots), 0);
}

TEST(JobSlots, FewerMayBeTakenFromOneMomentToTheNext) {
  std::size_t most = 2;
  JobLoopOptions options;
  options.slots = 2;
  options.slots_now = [&] { return most; };
  JobSlots slots(options);
  EXPECT_EQ(take(slots), 0);
  most = 1;
  EXPECT_TRUE(slots.all_taken());
}

TEST(JobSlots, TheSlotOfALostHostIsNeverVacant) {
  SomeHosts hosts;
  JobLoopOptions options;
  options.slots = 3;
  options.hosts = &hosts;
  JobSlots slots(options);
  hosts.lost = {0};
  EXPECT_EQ(take(slots), 1);
  slots.give_back(1);
  hosts.lost = {0, 1};
  EXPECT_EQ(take(slots), 2);
  EXPECT_EQ(slots.vacant(), std::nullopt);
}

}  // namespace
}  // namespace artel::command::detail
