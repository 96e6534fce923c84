#include "artel/sim/model/compute.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/operation.hpp"
#include "artel/sim/model/speedup.hpp"
#include "artel/trace/fingerprint.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

/// Writes down what it hears of.
struct Watcher : Component<ComputationStarted, ComputationFinished, ComputationFailed> {
  struct Entry {
    std::string what;
    OperationId operation{};
    Duration at{};
    friend bool operator==(const Entry&, const Entry&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Entry& entry) {
      return out << entry.what << " of " << index(entry.operation) << " at " << entry.at.count()
                 << " ns";
    }
  };

  void on(const ComputationStarted& started) {
    note("started on " + std::to_string(started.cores), started.operation);
  }
  void on(const ComputationFinished& finished) { note("finished", finished.operation); }
  void on(const ComputationFailed& failed) {
    note(std::string(describe(failed.reason)), failed.operation);
  }
  void note(const std::string& what, OperationId operation) {
    entries.push_back({what, operation, now().time_since_epoch()});
  }

  std::vector<Entry> entries;
};
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

// --- Properties.

struct Go {
  std::uint32_t number = 0;
};
struct Outage {
  bool up = false;
};

/// Runs a computation for each Go, again after a failure on the next Go; the host may go down. Both
/// versions begin in a process, so that their events can be the same.
struct Runner : Component<Go, Outage, ComputationStarted, ComputationFinished, ComputationFailed> {
  Runner(Compute& on_compute, std::vector<Computation> computations, bool in_tasks)
      : compute(&on_compute), all(std::move(computations)), tasks(in_tasks) {}

  void on(const Go& go) { spawn(tasks ? run(go.number) : begin(go.number)); }
  void on(const Outage& outage) { compute->set_up(outage.up); }
  Task<> run(std::uint32_t number) {
    const ComputationOutcome outcome = co_await compute->run(all[number]);
    count(outcome);
  }
  Task<> begin(std::uint32_t number) {
    compute->start_run(all[number], id());
    co_return;
  }
  void on(const ComputationStarted&) {}
  void on(const ComputationFinished&) { count(ComputationOutcome::finished); }
  void on(const ComputationFailed& failed) { count(failed.reason); }
  void count(ComputationOutcome outcome) { ++outcomes[index(outcome)]; }

  Compute* compute;
  std::vector<Computation> all;
  bool tasks;
  std::vector<int> outcomes = std::vector<int>(4);
};

struct Arrival {
  double flops = 0;
  std::uint32_t cores = 1;
  std::uint64_t memory = 0;
  Duration at{};
};
std::vector<Arrival> some_arrivals() {
  std::vector<Arrival> arrivals;
  Duration at{};
  for (int i = *rc::gen::inRange(1, 25); i > 0; --i) {
    at += std::chrono::milliseconds(*rc::gen::inRange(0, 3000));
    arrivals.push_back({static_cast<double>(*rc::gen::inRange(0, 100)),
                        *rc::gen::inRange<std::uint32_t>(1, 4),
                        *rc::gen::inRange<std::uint64_t>(0, 50), at});
  }
  return arrivals;
}

RC_GTEST_PROP(ComputeProperty, CallbacksAndTasksGiveTheSameFingerprint, ()) {
  const std::vector<Arrival> arrivals = some_arrivals();
  const Cores use = *rc::gen::element(Cores::dedicated, Cores::time_shared);
  const Duration down = std::chrono::milliseconds(*rc::gen::inRange(0, 30000));
  const auto run = [&](bool in_tasks) {
    Simulation simulation({.fingerprint = true});
    auto& compute = simulation.add<Compute>(
        "compute", ComputeOptions{.speed = 10, .cores = 4, .memory = 100, .use = use});
    std::vector<Computation> all;
    for (const Arrival& one : arrivals) {
      all.push_back({.flops = one.flops, .memory = one.memory, .cores_max = one.cores});
    }
    auto& runner = simulation.add<Runner>("runner", compute, std::move(all), in_tasks);
    for (std::uint32_t i = 0; i < arrivals.size(); ++i) runner.emit_self(Go{i}, arrivals[i].at);
    runner.emit_self(Outage{false}, down);
    runner.emit_self(Outage{true}, down + 3s);
    simulation.run();
    RC_ASSERT(compute.cores_free() == 4U);
    RC_ASSERT(compute.memory_free() == 100U);
    return std::pair{simulation.fingerprint().text(), runner.outcomes};
  };
  RC_ASSERT(run(true) == run(false));
}

/// When each arrival ends, by computing every rate anew at every change; -1: did not fit.
std::vector<double> naive_ends(const std::vector<Arrival>& arrivals, const ComputeOptions& host) {
  struct Running {
    std::size_t number;
    double left;
    std::uint32_t cores;
  };
  std::vector<double> ends(arrivals.size(), -1);
  std::vector<Running> running;
  const bool shared = host.use == Cores::time_shared;
  const auto rate = [&](const Running& one) {
    if (!shared) return host.speed * one.cores;
    const auto n = static_cast<double>(running.size());
    return host.speed * std::min(n, static_cast<double>(host.cores)) / n;
  };
  double now = 0;
  for (std::size_t next = 0; next < arrivals.size() || !running.empty();) {
    const double arrival = next < arrivals.size() ? to_seconds(arrivals[next].at) : 1e18;
    double then = arrival;
    for (const Running& one : running) then = std::min(then, now + one.left / rate(one));
    std::vector<double> rates;
    for (const Running& one : running) rates.push_back(rate(one));
    for (std::size_t i = 0; i < running.size(); ++i) running[i].left -= (then - now) * rates[i];
    now = then;
    std::erase_if(running, [&](const Running& one) {
      if (one.left < 1e-6) ends[one.number] = now;
      return one.left < 1e-6;
    });
    if (now < arrival) continue;
    std::uint32_t cores_free = host.cores;
    std::uint64_t memory_free = host.memory;
    for (const Running& one : running) {
      if (!shared) cores_free -= one.cores;
      memory_free -= arrivals[one.number].memory;
    }
    const Arrival& one = arrivals[next];
    if (cores_free >= 1 && memory_free >= one.memory) {
      running.push_back({next, one.flops, std::min(cores_free, one.cores)});
    }
    ++next;
  }
  return ends;
}

RC_GTEST_PROP(ComputeProperty, AgreesWithRecomputingEveryRate, ()) {
  std::vector<Arrival> arrivals = some_arrivals();
  // Two things at one instant could come in either order: keep them apart.
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    arrivals[i].at += std::chrono::microseconds(i * i);
    arrivals[i].flops += 0.0123;
  }
  const ComputeOptions host{.speed = 10,
                            .cores = *rc::gen::inRange<std::uint32_t>(1, 5),
                            .memory = 100,
                            .use = *rc::gen::element(Cores::dedicated, Cores::time_shared)};
  Simulation simulation;
  auto& compute = simulation.add<Compute>("compute", host);
  auto& watcher = simulation.add<Watcher>("watcher");
  std::vector<OperationId> ids;
  for (const Arrival& one : arrivals) {
    simulation.run_until(Instant{one.at});
    ids.push_back(compute.start_run(
        {.flops = one.flops, .memory = one.memory, .cores_max = one.cores}, watcher.id()));
  }
  simulation.run();
  std::vector<double> ends(arrivals.size(), -1);
  for (const Watcher::Entry& entry : watcher.entries) {
    if (entry.what != "finished") continue;
    const auto number = std::find(ids.begin(), ids.end(), entry.operation) - ids.begin();
    ends[static_cast<std::size_t>(number)] = to_seconds(entry.at);
  }
  const std::vector<double> expected = naive_ends(arrivals, host);
  for (std::size_t i = 0; i < ends.size(); ++i) RC_ASSERT(std::abs(ends[i] - expected[i]) < 1e-6);
}

}  // namespace
}  // namespace artel::sim
