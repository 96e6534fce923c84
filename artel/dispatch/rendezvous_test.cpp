#include "artel/dispatch/rendezvous.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/rounded_digit.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

constexpr std::uint64_t kKeys = 20'000;

WorkerId of(const Rendezvous& policy, const LoadArray& loads, std::uint64_t key) {
  const auto id = choose(policy, loads, Draw{.key = key});
  if (!id) throw std::logic_error("the policy named no worker");
  return *id;
}

TEST(Rendezvous, WorkersHaveKeysInProportionToTheirWeight) {
  std::vector<Load> loads(4);
  loads[3].weight = 3;
  std::vector<double> keys(4);
  for (std::uint64_t key = 1; key <= kKeys; ++key) {
    ++keys[index(of({}, LoadArray(loads), key))];
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(keys[i] / kKeys, 1.0 / 6, 0.01);
  EXPECT_NEAR(keys[3] / kKeys, 0.5, 0.012);
}

RC_GTEST_PROP(Rendezvous, AWorkerThatLeavesMovesItsOwnKeysOnly, ()) {
  const auto workers = *rc::gen::inRange<std::size_t>(2, 20);
  const auto leaves = *rc::gen::inRange<std::size_t>(0, workers);
  const LoadArray before{std::vector<Load>(workers)};
  LoadArray after = before;
  after.set(worker(leaves), Load{.capacity = 0});
  for (const auto key : *rc::gen::container<std::vector<std::uint64_t>>(
           50, rc::gen::inRange<std::uint64_t>(1, UINT64_MAX))) {
    const auto had = of({}, before, key);
    const auto has = of({}, after, key);
    RC_ASSERT((had == worker(leaves)) == (has != had));
  }
}

// What the bound allows each to have once one more task is there.
std::vector<double> allowed(const Rendezvous& policy, const std::vector<Load>& loads) {
  double tasks = 1;
  double weights = 0;
  for (const Load& load : loads) {
    if (load.capacity == 0) continue;
    tasks += load.queued;
    weights += double{load.weight};
  }
  std::vector<double> most;
  most.reserve(loads.size());
  for (const Load& load : loads)
    most.push_back(near_ceil(policy.bound * tasks / weights * double{load.weight}));
  return most;
}

// Mirrokni, Thorup, Zadimoghaddam: no worker has more than ceil(c × m / n), and somebody always
// has less.
RC_GTEST_PROP(Rendezvous, WhileTasksOnlyComeNobodyHasMoreThanTheBound, ()) {
  const auto workers = *rc::gen::inRange<std::size_t>(1, 12);
  const Rendezvous policy{.bound = *rc::gen::element(1.0, 1.1, 1.25, 2.0)};
  std::vector<Load> loads(workers);
  double tasks = 0;
  for (int i = 0; i < 200; ++i) {
    const auto key = *rc::gen::inRange<std::uint64_t>(1, 4);  // few, so that loads are uneven
    const auto id = of(policy, LoadArray(loads), key);
    ++tasks;
    ++loads[index(id)].queued;
    RC_ASSERT(loads[index(id)].queued <=
              near_ceil(policy.bound * tasks / static_cast<double>(workers)));
  }
}

// Of any loads: as they are when tasks have ended, workers have left, others have joined.
RC_GTEST_PROP(Rendezvous, NobodyGetsATaskBeyondItsPartOfTheBoundWhileAnotherMayTakeIt, ()) {
  const Rendezvous policy{.bound = *rc::gen::element(1.0, 1.1, 1.25, 2.0),
                          .subset = *rc::gen::inRange<std::uint32_t>(1, 4)};
  const bool bounded = *rc::gen::arbitrary<bool>();  // queues
  std::vector<Load> loads(*rc::gen::inRange<std::size_t>(1, 12));
  bool members = false;
  for (Load& load : loads) {
    load.queued = *rc::gen::inRange<std::uint32_t>(0, 9);
    load.weight = static_cast<float>(*rc::gen::inRange(1, 4));
    if (bounded || *rc::gen::inRange(0, 4) == 0) load.capacity = *rc::gen::inRange(0U, 9U);
    if (!bounded && load.capacity != 0) load.capacity = kUnbounded;  // it has left, or has room
    members = members || load.capacity > 0;
  }
  const auto most = allowed(policy, loads);
  const auto may = [&](std::size_t i) {
    return loads[i].room() > 0 && loads[i].queued + 1.0 <= most[i];
  };
  bool any = false;
  for (std::size_t i = 0; i < loads.size(); ++i) any = any || may(i);
  if (members && !bounded) RC_ASSERT(any);  // somebody always has less
  const auto id = choose(policy, LoadArray(loads), Draw{.key = *rc::gen::inRange(1U, 99U)});
  if (any) RC_ASSERT(id.has_value());
  if (any && id) RC_ASSERT(may(index(*id)));
  if (id) RC_ASSERT(loads[index(*id)].room() > 0);
}

TEST(Rendezvous, WhereAllBelowTheBoundAreFullTheFirstWithRoomIsTaken) {
  // Of 9 tasks at most ceil(9 / 3) = 3 each; who has fewer has no room for more.
  const LoadArray loads(
      {Load{.queued = 6}, Load{.queued = 1, .capacity = 1}, Load{.queued = 1, .capacity = 1}});
  for (std::uint64_t key = 1; key < 50; ++key) EXPECT_EQ(of({.bound = 1}, loads, key), WorkerId{0});
}

TEST(Rendezvous, TheBoundIsNotHigherByARoundedDigit) {
  // Of 50 tasks at most 1.1 * 50 / 5 = 11 each, which is a little more in doubles.
  const LoadArray loads({Load{.queued = 11}, Load{.queued = 11}, Load{.queued = 11},
                         Load{.queued = 11}, Load{.queued = 5}});
  for (std::uint64_t key = 1; key < 50; ++key)
    EXPECT_EQ(of({.bound = 1.1}, loads, key), WorkerId{4});
}

TEST(Rendezvous, WhoIsAboveTheBoundSinceOthersAreThroughGetsNoMore) {
  const LoadArray loads({Load{.queued = 4}, Load{}, Load{}});
  for (std::uint64_t key = 1; key < 50; ++key) EXPECT_NE(of({.bound = 1}, loads, key), WorkerId{0});
}

// Where each key goes if they come one after the other, and nothing ends.
std::vector<WorkerId> placed(const Rendezvous& policy, std::vector<Load> loads) {
  constexpr std::uint64_t kTasks = 2'000;
  std::vector<WorkerId> at;
  for (std::uint64_t key = 1; key <= kTasks; ++key) {
    at.push_back(of(policy, LoadArray(loads), key));
    ++loads[index(at.back())].queued;
  }
  return at;
}

// Mirrokni, Thorup, Zadimoghaddam, theorem 1: when a worker comes or goes, O(1/ε²) times as many
// keys move as have to, for bounds 1 + ε <= 2. Those that have to are its own, m / n on average.
TEST(Rendezvous, WhenAWorkerComesOrGoesNoMoreKeysMoveThanThePublishedBound) {
  constexpr std::size_t kWorkers = 20;
  for (const double epsilon : {0.1, 0.25, 0.5, 1.0}) {
    const Rendezvous policy{.bound = 1 + epsilon};
    const auto all = placed(policy, std::vector<Load>(kWorkers));
    double moved = 0;
    for (std::size_t gone = 0; gone < kWorkers; ++gone) {
      std::vector<Load> loads(kWorkers);
      loads[gone].capacity = 0;
      const auto without = placed(policy, loads);
      for (std::size_t i = 0; i < all.size(); ++i) moved += all[i] == without[i] ? 0 : 1;
    }
    const auto needed = static_cast<double>(all.size());  // each key has to once
    EXPECT_LE(moved / needed, 1 + 1 / (epsilon * epsilon)) << epsilon;
  }
}

TEST(Rendezvous, BelowTheBoundAKeyStaysWithItsWorker) {
  const LoadArray idle(std::vector<Load>(8));
  const auto home = of({.bound = 2}, idle, 17);
  std::vector<Load> loads(8, Load{.queued = 4});
  EXPECT_EQ(of({.bound = 2}, LoadArray(loads), 17), home);
  loads[index(home)].queued = 9;  // of 37 with the new one: at most ceil(2 × 4.75) = 10
  EXPECT_EQ(of({.bound = 2}, LoadArray(loads), 17), home);
  loads[index(home)].queued = 12;
  EXPECT_NE(of({.bound = 2}, LoadArray(loads), 17), home);
}

TEST(Rendezvous, ASubsetIsTheSameWorkersForAKeyAndTheLeastBusyOfThem) {
  std::vector<Load> loads(10);
  std::vector<WorkerId> seen;
  for (std::uint32_t i = 0; i < 30; ++i) {
    const auto id = of({.subset = 3}, LoadArray(loads), 5);
    ++loads[index(id)].queued;
    if (std::find(seen.begin(), seen.end(), id) == seen.end()) seen.push_back(id);
  }
  ASSERT_EQ(seen.size(), 3U);
  for (const WorkerId id : seen) EXPECT_EQ(loads[index(id)].queued, 10U);
}

TEST(Rendezvous, AFullWorkersKeysGoToTheNextOfTheirOrder) {
  std::vector<Load> loads(5, Load{.capacity = 1});
  for (int i = 0; i < 5; ++i) {
    const auto id = of({.bound = 1.25, .subset = 2}, LoadArray(loads), 99);
    ASSERT_EQ(loads[index(id)].queued, 0U);
    loads[index(id)].queued = 1;
  }
  EXPECT_FALSE(choose(Rendezvous{}, LoadArray(loads), Draw{.key = 99}));
}

TEST(Rendezvous, WithoutAKeyItIsJsq2) {
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    const auto some = loads({4, 2, 7, 1});
    EXPECT_EQ(choose(Rendezvous{}, some, Draw{.dice = dice}),
              choose(Jsq{}, some, Draw{.dice = dice}));
  }
}

}  // namespace
}  // namespace artel::dispatch
