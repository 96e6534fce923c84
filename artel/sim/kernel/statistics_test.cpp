#include "artel/sim/kernel/statistics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

TEST(Statistics, AResourceIsMeasuredWithoutCodeInTheModel) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Statistics statistics(context);
  Resource cores(2);
  statistics.watch("cores", cores);
  const auto use = [&](Context& self, Duration start, std::uint64_t units) -> Task<> {
    co_await self.sleep(start);
    const Lease lease = co_await cores.acquire(units);
    co_await self.sleep(2s);
  };
  context.spawn(use(context, 0s, 2));  // both until 2 s
  context.spawn(use(context, 1s, 1));  // waits 1 s, until 4 s
  context.spawn(use(context, 1s, 1));  // the same
  simulation.run_until(Instant{8s});
  EXPECT_DOUBLE_EQ(statistics.level("cores.utilisation").mean(), 0.5);
  EXPECT_DOUBLE_EQ(statistics.level("cores.utilisation").max(), 1);
  EXPECT_DOUBLE_EQ(statistics.level("cores.queue").mean(), 2.0 / 8);
  EXPECT_DOUBLE_EQ(statistics.level("cores.queue").max(), 2);
  EXPECT_EQ(statistics.tally("cores.wait").moments().count(), 3U);
  EXPECT_DOUBLE_EQ(statistics.tally("cores.wait").moments().mean(), 2.0 / 3);
  EXPECT_NE(statistics.table().find("cores.wait               tally             3     0.666667"),
            std::string::npos)
      << statistics.table();
}

TEST(Statistics, AResetForgetsTheWarmUpButNotThePresent) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Statistics statistics(context);
  Level& level = statistics.level("jobs");
  Tally& tally = statistics.tally("size");
  level.set(10);
  tally.add(1s);
  simulation.run_until(Instant{4s});
  statistics.reset();
  EXPECT_EQ(tally.moments().count(), 0U);
  EXPECT_EQ(level.value(), 10);
  simulation.run_until(Instant{5s});
  level.set(0);
  simulation.run_until(Instant{6s});
  EXPECT_DOUBLE_EQ(level.mean(), 5);
}

TEST(Statistics, WhatIsCancelledWhileItWaitsLeavesTheQueue) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Statistics statistics(context);
  Mutex mutex;
  statistics.watch("lock", mutex.resource());
  const auto use = [&](Context& self) -> Task<> {
    const Lease lock = co_await mutex.lock();
    co_await self.sleep(2s);
  };
  context.spawn(use(context));
  const Process<> waiting = context.spawn(use(context));
  simulation.run_until(Instant{1s});
  EXPECT_EQ(statistics.level("lock.queue").value(), 1);
  waiting.cancel();
  EXPECT_EQ(statistics.level("lock.queue").value(), 0);
  EXPECT_EQ(statistics.tally("lock.wait").moments().count(), 1U);
}

}  // namespace
}  // namespace artel::sim
