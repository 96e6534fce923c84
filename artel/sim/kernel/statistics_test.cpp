#include "artel/sim/kernel/statistics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/container.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/filter_store.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/semaphore.hpp"
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

// 100 litres, 40 at first: 30 are taken at 0 s; 50 have to wait for the 60 of 2 s, until which 10
// are there; then 20 remain.
TEST(Statistics, AContainerTellsItsLevelAndWhoWaits) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Statistics statistics(context);
  Container tank(100, 40);
  statistics.watch("tank", tank);
  context.spawn([](Context& self, Container& from) -> Task<> {
    co_await from.get(30);
    co_await from.get(50);
    co_await self.sleep(1h);
  }(context, tank));
  context.spawn([](Context& self, Container& to) -> Task<> {
    co_await self.sleep(2s);
    co_await to.put(60);
  }(context, tank));
  simulation.run_until(Instant{4s});
  EXPECT_DOUBLE_EQ(statistics.level("tank.level").value(), 20);
  EXPECT_DOUBLE_EQ(statistics.level("tank.level").mean(), (2 * 10 + 2 * 20) / 4.0);
  EXPECT_DOUBLE_EQ(statistics.level("tank.queue").mean(), 0.5);
  EXPECT_EQ(statistics.tally("tank.wait").moments().count(), 3U);
  EXPECT_DOUBLE_EQ(statistics.tally("tank.wait").moments().max(), 2);
}

TEST(Statistics, AStoreTellsHowFullItIsAndHowLongEachValueWas) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Statistics statistics(context);
  FilterStore<int> store(4);
  statistics.watch("store", store);
  context.spawn([](Context& self, FilterStore<int>& use) -> Task<> {
    co_await use.put(1);
    co_await self.sleep(1s);
    co_await use.put(2);
    co_await self.sleep(1s);
    (void)co_await use.get([](int value) { return value == 2; });
    co_await self.sleep(1s);
    (void)co_await use.get();
  }(context, store));
  simulation.run_until(Instant{4s});
  EXPECT_DOUBLE_EQ(statistics.level("store.queue").mean(), (1 + 2 + 1 + 0) / 4.0);
  EXPECT_DOUBLE_EQ(statistics.level("store.utilisation").max(), 0.5);
  EXPECT_EQ(statistics.tally("store.wait").moments().count(), 2U);
  EXPECT_DOUBLE_EQ(statistics.tally("store.wait").moments().mean(), 2);
}

TEST(Statistics, APreemptiveResourceAndASemaphoreTellWhoHasThemAndWhoWaits) {
  Simulation simulation;
  Context& context = simulation.add_context("main");
  Statistics statistics(context);
  PreemptiveResource machine(2);
  Semaphore semaphore(2);
  statistics.watch("machine", machine);
  statistics.watch("semaphore", semaphore);
  const auto use = [&](Context& self, Duration start) -> Task<> {
    co_await self.sleep(start);
    const Seat seat = co_await machine.acquire();
    co_await self.sleep(2s);
  };
  const auto count = [&](Context& self, Duration start) -> Task<> {
    co_await self.sleep(start);
    co_await semaphore.acquire();
    co_await self.sleep(2s);
    semaphore.release();
  };
  // Two until 2 s, of which one waits no time; the third waits from 1 s to 2 s, and ends at 4 s.
  // The fourth gives up while it waits.
  for (const Duration start : {0s, 0s, 1s}) {
    context.spawn(use(context, start));
    context.spawn(count(context, start));
  }
  const Process<> user = context.spawn(use(context, 1s));
  const Process<> counter = context.spawn(count(context, 1s));
  simulation.run_until(Instant{1500ms});
  user.cancel();
  counter.cancel();
  simulation.run_until(Instant{5s});
  for (const std::string name : {"machine", "semaphore"}) {
    EXPECT_DOUBLE_EQ(statistics.level(name + ".utilisation").mean(), (2 * 1 + 2 * 0.5) / 5) << name;
    EXPECT_DOUBLE_EQ(statistics.level(name + ".queue").mean(), 1.5 / 5) << name;
    EXPECT_EQ(statistics.tally(name + ".wait").moments().count(), 3U) << name;
    EXPECT_DOUBLE_EQ(statistics.tally(name + ".wait").moments().mean(), 1.0 / 3) << name;
  }
}

}  // namespace
}  // namespace artel::sim
