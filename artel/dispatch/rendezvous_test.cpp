#include "artel/dispatch/rendezvous.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "artel/core/id.hpp"
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

// Mirrokni, Thorup, Zadimoghaddam: no worker has more than ceil(c × m / n), and somebody always
// has less.
RC_GTEST_PROP(Rendezvous, NobodyHasMoreThanTheBound, ()) {
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
              std::ceil(policy.bound * tasks / static_cast<double>(workers)));
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
