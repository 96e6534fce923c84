#include "artel/sim/model/compute.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/speedup.hpp"
#include "tests/sim/computation_watcher.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;
using Watcher = ComputationWatcher;
using Entries = std::vector<Watcher::Entry>;

struct ComputeTest : testing::Test {
  void use(const ComputeOptions& options) {
    compute = &simulation.add<Compute>("compute", options);
    watcher = &simulation.add<Watcher>("watcher");
  }
  OperationId run(Computation computation) {
    return compute->start_run(std::move(computation), watcher->id());
  }
  void run_until(Duration time) { simulation.run_until(Instant{time}); }

  Simulation simulation;
  Compute* compute = nullptr;
  Watcher* watcher = nullptr;
};

// One core of 10 flops/s: 100 flops take 10 s.
TEST_F(ComputeTest, TimeIsWorkOverSpeed) {
  use({.speed = 10});
  const OperationId id = run({.flops = 100});
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", id, 0s}, {"finished", id, 10s}}));
}

// 100 flops on 4 of 10 flops/s: 100/(10 · 4) = 2.5 s.
TEST_F(ComputeTest, TakesAsManyCoresAsAreFreeUpToItsMaximum) {
  use({.speed = 10, .cores = 5});
  const OperationId first = run({.flops = 100, .cores_min = 2, .cores_max = 4});
  const OperationId second = run({.flops = 100, .cores_max = 4});
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 4", first, 0s},
                                       {"started on 1", second, 0s},
                                       {"finished", first, 2500ms},
                                       {"finished", second, 10s}}));
}

// Half of it serial: 1/(0.5 + 0.5/4) = 1.6 times as fast on 4 cores: 100/(10 · 1.6) = 6.25 s.
// Measured 2.5 on 4 cores: 4 s. A function: 5 times: 2 s.
TEST_F(ComputeTest, TheSpeedupSaysWhatMoreCoresAreGoodFor) {
  use({.speed = 10, .cores = 12});
  const Computation four{.flops = 100, .cores_min = 4, .cores_max = 4};
  Computation half = four;
  half.speedup = amdahl_speedup(0.5);
  Computation measured = four;
  measured.speedup = measured_speedup({1, 1.5, 2, 2.5});
  Computation function = four;
  function.speedup = [](std::uint32_t cores) { return cores + 1.0; };
  const OperationId first = run(half);
  const OperationId second = run(measured);
  const OperationId third = run(function);
  simulation.run();
  ASSERT_EQ(watcher->entries.size(), 6U);
  EXPECT_EQ(watcher->entries[3], (Watcher::Entry{"finished", third, 2s}));
  EXPECT_EQ(watcher->entries[4], (Watcher::Entry{"finished", second, 4s}));
  EXPECT_EQ(watcher->entries[5], (Watcher::Entry{"finished", first, 6250ms}));
}

TEST_F(ComputeTest, WhatDoesNotFitFailsAtOnce) {
  use({.speed = 10, .cores = 2, .memory = 100});
  const OperationId first = run({.flops = 10, .memory = 60});
  const OperationId large = run({.flops = 10, .memory = 41});
  const OperationId wide = run({.flops = 10, .cores_min = 2, .cores_max = 2});
  run_until(0s);
  EXPECT_EQ(compute->cores_free(), 1U);
  EXPECT_EQ(compute->memory_free(), 40U);
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", first, 0s},
                                       {"not enough memory", large, 0s},
                                       {"not enough cores", wide, 0s},
                                       {"finished", first, 1s}}));
  EXPECT_EQ(compute->cores_free(), 2U);
  EXPECT_EQ(compute->memory_free(), 100U);
}

TEST_F(ComputeTest, AComputationCostsFourEventsAndARefusalTwo) {
  use({.speed = 10, .cores = 2});
  run({.flops = 10});
  run({.flops = 10});  // ends at the same instant
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 8U);
  run({.cores_min = 3, .cores_max = 3});
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 10U);
}

// 100 and 300 flops share 10 flops/s: 5 each until the first ends at 100/5 = 20 s; the other has
// 300 - 100 = 200 left: 20 + 20 = 40 s.
TEST_F(ComputeTest, ATimeSharedCoreIsDividedAmongAll) {
  use({.speed = 10, .use = Cores::time_shared});
  const OperationId first = run({.flops = 100});
  const OperationId second = run({.flops = 300});
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", first, 0s},
                                       {"started on 1", second, 0s},
                                       {"finished", first, 20s},
                                       {"finished", second, 40s}}));
}

// Three on two cores of 9 flops/s: 18/3 = 6 each. 60/6 = 10 s. The two others have 120 - 60 = 60
// left, now at 9 each, not more: 10 + 60/9 s.
TEST_F(ComputeTest, OneComputationUsesOneTimeSharedCoreAtMost) {
  use({.speed = 9, .cores = 2, .use = Cores::time_shared});
  const OperationId first = run({.flops = 60});
  run({.flops = 120});
  run({.flops = 120, .cores_max = 2});
  const OperationId wide = run({.flops = 60, .cores_min = 2, .cores_max = 2});
  simulation.run();
  ASSERT_EQ(watcher->entries.size(), 7U);
  EXPECT_EQ(watcher->entries[3], (Watcher::Entry{"not enough cores", wide, 0s}));
  EXPECT_EQ(watcher->entries[4], (Watcher::Entry{"finished", first, 10s}));
  EXPECT_EQ(watcher->entries[6].at, 10s + from_seconds(60.0 / 9));
}

// Cancelled at 4 s: 100 - 40 = 60 to go.
TEST_F(ComputeTest, CancellingFreesCoresAndMemory) {
  use({.speed = 10, .memory = 10});
  const OperationId id = run({.flops = 100, .memory = 10});
  run_until(4s);
  EXPECT_EQ(compute->cancel(id), 60.0);
  EXPECT_EQ(compute->cancel(id), std::nullopt);
  EXPECT_EQ(compute->fraction_done(id), std::nullopt);
  const OperationId next = run({.flops = 10, .memory = 10});
  simulation.run();
  EXPECT_EQ(
      watcher->entries,
      (Entries{{"started on 1", id, 0s}, {"started on 1", next, 4s}, {"finished", next, 5s}}));
}

TEST_F(ComputeTest, CancelledBeforeItStartsItLeavesNoTrace) {
  use({.speed = 10});
  const OperationId id = run({.flops = 100});
  EXPECT_EQ(compute->cancel(id), 100.0);
  EXPECT_EQ(simulation.run(), 0U);
}

// Two share 10 flops/s until one is cancelled at 4 s: 20 done, 80 left, alone: 4 + 8 = 12 s.
TEST_F(ComputeTest, CancellingOnATimeSharedCoreSpeedsUpTheOthers) {
  use({.speed = 10, .use = Cores::time_shared});
  const OperationId first = run({.flops = 100});
  const OperationId second = run({.flops = 100});
  run_until(4s);
  EXPECT_EQ(compute->cancel(first), 80.0);
  simulation.run();
  EXPECT_EQ(watcher->entries.back(), (Watcher::Entry{"finished", second, 12s}));
}

// On one core until 4 s: 40 of 100 done. Nothing until 10 s. Then two cores: 60/(10 · 2) = 3 s.
TEST_F(ComputeTest, APreemptedOneGoesOnWhereItWas) {
  use({.speed = 10, .cores = 2, .memory = 8});
  ASSERT_TRUE(compute->allocate({.cores = 1}));
  const OperationId id = run({.flops = 100, .memory = 8, .cores_max = 2});
  run_until(4s);
  EXPECT_TRUE(compute->preempt(id));
  EXPECT_FALSE(compute->preempt(id));
  EXPECT_EQ(compute->memory_free(), 8U);
  compute->deallocate({.cores = 1});
  run_until(10s);
  EXPECT_DOUBLE_EQ(compute->fraction_done(id).value_or(-1), 0.4);
  EXPECT_TRUE(compute->resume(id));
  EXPECT_FALSE(compute->resume(id));
  EXPECT_EQ(compute->cores_free(), 0U);
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", id, 0s}, {"finished", id, 13s}}));
}

TEST_F(ComputeTest, APreemptedOneThatDoesNotFitStaysSo) {
  use({.speed = 10, .memory = 8});
  const OperationId first = run({.flops = 100, .memory = 8});
  run_until(5s);
  compute->preempt(first);
  const OperationId second = run({.flops = 10, .memory = 8});
  run_until(5500ms);
  EXPECT_FALSE(compute->resume(first));
  run_until(6s);
  EXPECT_TRUE(compute->resume(first));
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", first, 0s},
                                       {"started on 1", second, 5s},
                                       {"finished", second, 6s},
                                       {"finished", first, 11s}}));
}

// Two at 5 flops/s each until 4 s: 20 done each. One alone until 10 s: 60 more done, 20 left. Both
// again: 20/5 = 4 s, then the first has 80 - 20 = 60 left alone: 14 + 6 = 20 s.
TEST_F(ComputeTest, PreemptingWorksOnATimeSharedCoreToo) {
  use({.speed = 10, .use = Cores::time_shared});
  const OperationId first = run({.flops = 100});
  const OperationId second = run({.flops = 100});
  run_until(4s);
  EXPECT_TRUE(compute->preempt(first));
  run_until(10s);
  EXPECT_DOUBLE_EQ(compute->fraction_done(first).value_or(-1), 0.2);
  EXPECT_DOUBLE_EQ(compute->fraction_done(second).value_or(-1), 0.8);
  EXPECT_TRUE(compute->resume(first));
  simulation.run();
  EXPECT_EQ(watcher->entries[2], (Watcher::Entry{"finished", second, 14s}));
  EXPECT_EQ(watcher->entries[3], (Watcher::Entry{"finished", first, 20s}));
}

TEST_F(ComputeTest, WhatIsSetAsideIsMissing) {
  use({.speed = 10, .cores = 4, .memory = 100});
  EXPECT_TRUE(compute->allocate({.cores = 3, .memory = 60}));
  EXPECT_FALSE(compute->allocate({.cores = 2}));
  EXPECT_FALSE(compute->allocate({.memory = 50}));
  const OperationId refused = run({.flops = 10, .cores_min = 2, .cores_max = 2});
  run_until(1s);
  compute->deallocate({.cores = 3, .memory = 60});
  const OperationId started = run({.flops = 10, .cores_min = 2, .cores_max = 2});
  run_until(1s);
  EXPECT_EQ(watcher->entries,
            (Entries{{"not enough cores", refused, 0s}, {"started on 2", started, 1s}}));
}

// Two on two cores of 10 flops/s; from 2 s on one core is set aside: 80 left at 5 flops/s: 18 s.
TEST_F(ComputeTest, TimeSharedCoresSetAsideAreMissingToAll) {
  use({.speed = 10, .cores = 2, .use = Cores::time_shared});
  run({.flops = 100});
  run({.flops = 100});
  run_until(2s);
  ASSERT_TRUE(compute->allocate({.cores = 1}));
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{18s});
}

TEST_F(ComputeTest, WhenTheHostGoesDownEverythingOnItFails) {
  use({.speed = 10, .cores = 3, .memory = 10});
  ASSERT_TRUE(compute->allocate({.cores = 1}));
  const OperationId running = run({.flops = 100, .memory = 5});
  const OperationId preempted = run({.flops = 100, .memory = 5});
  run_until(1s);
  compute->preempt(preempted);
  compute->set_up(false);
  EXPECT_FALSE(compute->is_up());
  const OperationId refused = run({.flops = 100});
  run_until(2s);
  compute->set_up(true);
  const OperationId next = run({.flops = 10, .memory = 10, .cores_max = 8});
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", running, 0s},
                                       {"started on 1", preempted, 0s},
                                       {"host down", running, 1s},
                                       {"host down", preempted, 1s},
                                       {"host down", refused, 1s},
                                       {"started on 2", next, 2s},
                                       {"finished", next, 2500ms}}));
}

TEST_F(ComputeTest, TimeSharedComputationsFailWithTheHostToo) {
  use({.speed = 10, .use = Cores::time_shared});
  const OperationId id = run({.flops = 100});
  run_until(1s);
  compute->set_up(false);
  simulation.run();
  EXPECT_EQ(watcher->entries, (Entries{{"started on 1", id, 0s}, {"host down", id, 1s}}));
}

using ComputeDeathTest = ComputeTest;

TEST_F(ComputeDeathTest, RefusesWhatMakesNoSense) {
  EXPECT_DEATH(use({.speed = 0}), "speed is positive");
  EXPECT_DEATH(use({.cores = 0}), "one core at least");
  use({});
  EXPECT_DEATH(run({.flops = -1}), "finite and not negative");
  EXPECT_DEATH(run({.cores_min = 2, .cores_max = 1}), "one core at least");
  EXPECT_DEATH(compute->deallocate({.cores = 1}), "more was given back than is set aside");
}

// --- Coroutines.

using Diary = std::vector<std::pair<Duration, ComputationOutcome>>;

Task<> run_all(Context& self, Compute& compute, std::vector<Computation> all, Diary& diary) {
  for (Computation& one : all) {
    const ComputationOutcome outcome = co_await compute.run(std::move(one));
    diary.emplace_back(self.now().time_since_epoch(), outcome);
  }
}

TEST_F(ComputeTest, TasksGiveTheOutcome) {
  use({.speed = 10, .memory = 5});
  Diary diary;
  watcher->spawn(run_all(*watcher, *compute,
                         {{.flops = 10}, {.memory = 6}, {.cores_min = 2, .cores_max = 2}, {}},
                         diary));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(diary, (Diary{{1s, ComputationOutcome::finished},
                          {1s, ComputationOutcome::not_enough_memory},
                          {1s, ComputationOutcome::not_enough_cores},
                          {1s, ComputationOutcome::finished}}));
  EXPECT_TRUE(watcher->entries.empty());
}

TEST_F(ComputeTest, ATaskLearnsThatTheHostWentDown) {
  use({.speed = 10});
  Diary diary;
  watcher->spawn(run_all(*watcher, *compute, {{.flops = 100}, {.flops = 100}}, diary));
  run_until(3s);
  compute->set_up(false);
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(diary,
            (Diary{{3s, ComputationOutcome::host_down}, {3s, ComputationOutcome::host_down}}));
}

Task<> run_for_a_second(Context& self, Compute& compute, std::vector<std::size_t>& winners) {
  for (int i = 0; i < 2; ++i) {
    const auto first =
        co_await any_of(compute.run({.flops = i == 0 ? 100.0 : 5.0}), self.sleep(1s));
    winners.push_back(first.index());
  }
}

TEST_F(ComputeTest, TheLoserOfAnyOfGivesItsCoresBack) {
  use({.speed = 10});
  std::vector<std::size_t> winners;
  watcher->spawn(run_for_a_second(*watcher, *compute, winners));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(winners, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(simulation.now(), Instant{1500ms});
  EXPECT_EQ(compute->cores_free(), 1U);
  EXPECT_EQ(simulation.blocks_in_use(), 2U);  // the two components
}

Task<> run_once(Context&, Compute& compute) {
  static_cast<void>(co_await compute.run({.flops = 100}));
}

// Start and failure are both on their way when the process is cancelled: its component, which
// handles neither, must not get them.
TEST_F(ComputeTest, NoticesOnTheirWayToACancelledProcessAreTakenBack) {
  use({.speed = 10});
  Context& user = simulation.add_context("user");
  const Process<> running = user.spawn(run_once(user, *compute));
  simulation.steps(2);  // its start, the request
  compute->set_up(false);
  EXPECT_EQ(simulation.pending_count(), 2U);
  running.cancel();
  EXPECT_EQ(simulation.run(), 0U);
}

TEST_F(ComputeTest, AComponentThatIsRemovedGivesUpWhatItRuns) {
  use({.speed = 10});
  Context& user = simulation.add_context("user");
  user.spawn(run_once(user, *compute));
  run_until(1s);
  EXPECT_EQ(compute->cores_free(), 0U);
  simulation.remove(user.id());
  EXPECT_EQ(compute->cores_free(), 1U);
  EXPECT_EQ(simulation.run(), 0U);
}

TEST_F(ComputeTest, WhoAwaitsAComputeThatIsRemovedWaitsOnAndIsReported) {
  use({.speed = 10});
  Context& user = simulation.add_context("user");
  user.spawn(run_once(user, *compute));
  run_until(1s);
  simulation.remove(compute->id());
  const auto finished = simulation.finish();
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().what, testing::HasSubstr("ComputationFinished from compute"));
}

}  // namespace
}  // namespace artel::sim
