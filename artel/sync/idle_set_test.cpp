#include "artel/sync/idle_set.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

namespace artel::sync {
namespace {

using explore::Execution;
using explore::ExploredAtomics;
using explore::Report;

TEST(IdleSet, ServesMoreThan64Workers) {
  IdleSet idle(200);
  EXPECT_FALSE(idle.any());
  for (const std::uint32_t i : {199U, 64U, 130U}) idle.insert(WorkerId{i});
  EXPECT_EQ(idle.count_approx(), 3U);
  EXPECT_TRUE(idle.contains(WorkerId{130}));
  EXPECT_TRUE(idle.claim(WorkerId{130}));
  EXPECT_FALSE(idle.claim(WorkerId{130}));
  EXPECT_EQ(idle.claim_any(), WorkerId{64});
  EXPECT_EQ(idle.claim_any(), WorkerId{199});
  EXPECT_EQ(idle.claim_any(), std::nullopt);
}

TEST(IdleSet, TheLowestIsClaimedFirst) {
  IdleSet idle(64);
  for (const std::uint32_t i : {9U, 3U, 63U}) idle.insert(WorkerId{i});
  for (const std::uint32_t i : {3U, 9U, 63U}) EXPECT_EQ(idle.claim_any(), WorkerId{i});
}

// P2 of parker.hpp: who claims a worker owns its wake-up.
TEST(IdleSet, OneClaimsAWorkerInAllOrders) {
  const Report report = explore::explore({.preemptions = 3, .surprises = 1}, [](Execution& run) {
    BasicIdleSet<ExploredAtomics> idle(2);
    idle.insert(WorkerId{0});
    int claimed = 0;
    run.thread("worker 1", [&] { idle.insert(WorkerId{1}); });
    run.thread("worker 0", [&] { claimed += idle.claim(WorkerId{0}) ? 1 : 0; });
    run.thread("submitter", [&] { claimed += idle.claim_any() ? 1 : 0; });
    run.thread("another", [&] { claimed += idle.claim_any() ? 1 : 0; });
    run.go();
    while (idle.claim_any()) ++claimed;
    run.require(claimed == 2, "a worker is lost, or claimed twice");
  });
  EXPECT_TRUE(report.sound()) << report;
}

// P1: of "task queued, then idle set read" and "bit set, then queue read" one sees the other.
TEST(IdleSet, OfATaskAndAnIdleBitOneIsSeenInAllOrders) {
  const auto parks = [](auto look) {
    return explore::explore({.preemptions = 2, .surprises = 1}, [look](Execution& run) {
      BasicIdleSet<ExploredAtomics> idle(1);
      ExploredAtomics::Atomic<bool> task = false;
      bool seen_idle = false;
      bool seen_task = false;
      run.thread("submitter", [&] {
        task.store(true);
        seen_idle = look(idle);
      });
      run.thread("worker", [&] {
        idle.insert(WorkerId{0});
        seen_task = task.load();
      });
      run.go();
      run.require(seen_idle || seen_task, "neither saw the other");
    });
  };
  const Report contains = parks([](auto& idle) { return idle.contains(WorkerId{0}); });
  EXPECT_TRUE(contains.sound()) << contains;
  const Report any = parks([](auto& idle) { return idle.any(); });
  EXPECT_TRUE(any.sound()) << any;
  const Report claim = parks([](auto& idle) { return idle.claim_any().has_value(); });
  EXPECT_TRUE(claim.sound()) << claim;
}

}  // namespace
}  // namespace artel::sync
