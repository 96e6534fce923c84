#include "artel/sim/kernel/wait_set.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

Task<int> number_after(Context& self, int value) {
  co_await self.sleep(value * 1s);
  co_return value;
}

Task<> take(Context&, WaitSet<int>& set, std::string name, std::vector<std::string>& diary) {
  const auto next = co_await set.next();
  const auto value = next ? co_await next->join() : std::nullopt;
  diary.push_back(name + " has " + (value ? std::to_string(*value) : "nothing"));
}

TEST(WaitSet, WhatIsGivenToSomebodyWhoEndsGoesToTheNextWhoWaits) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  std::vector<std::string> diary;
  WaitSet<int> set;
  set.add(context.spawn(number_after(context, 1)));
  set.add(context.spawn(number_after(context, 2)));
  const Process<> first = context.spawn(take(context, set, "first", diary));
  context.spawn(take(context, set, "second", diary));
  // Between the end of the process, which wakes the first, and that one's turn.
  context.spawn([](Context& self, Process<> victim) -> Task<> {
    co_await self.sleep(1s);
    victim.cancel();
  }(context, first));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(diary, std::vector<std::string>{"second has 1"});
  EXPECT_EQ(set.size(), 1U);
}

}  // namespace
}  // namespace artel::sim
