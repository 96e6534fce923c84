#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace artel::plan::detail {
namespace {

using ::testing::ElementsAre;

scenario::PoolSettings mixed() {
  scenario::PoolSettings pool;
  pool.speeds = {2, 1, 1, 1};
  pool.queue_bounds = {8, 4, 4, 4};
  return pool;
}

TEST(Resized, KeepsTheMix) {
  const auto pool = resized(mixed(), 12);
  EXPECT_EQ(std::count(pool.speeds.begin(), pool.speeds.end(), 2.0), 3);
  EXPECT_EQ(std::count(pool.queue_bounds.begin(), pool.queue_bounds.end(), 8U), 3);
  EXPECT_THAT(resized(mixed(), 1).speeds, ElementsAre(1));
}

TEST(Resized, LargerPoolHasTheWorkersOfASmaller) {
  const auto large = resized(mixed(), 20);
  for (std::uint32_t workers = 1; workers < 20; ++workers) {
    const auto small = resized(mixed(), workers);
    ASSERT_EQ(small.speeds.size(), workers);
    EXPECT_TRUE(std::equal(small.speeds.begin(), small.speeds.end(), large.speeds.begin()));
  }
}

TEST(Resized, SameSizeHasTheSameWorkers) {
  auto pool = resized(mixed(), 4);
  std::sort(pool.speeds.begin(), pool.speeds.end());
  EXPECT_THAT(pool.speeds, ElementsAre(1, 1, 1, 2));
}

scenario::Scenario poisson(double rate, std::uint32_t queue_bound) {
  scenario::Scenario scenario;
  scenario.workload.arrivals = scenario::PoissonArrivals{rate};
  scenario.workload.rate = rate;
  scenario.workload.mean_service_s = 1;
  scenario.pool.speeds = {1};
  scenario.pool.queue_bounds = {queue_bound};
  return scenario;
}

TEST(FewestWorkers, KeepUpWithWhatArrives) {
  EXPECT_EQ(fewest_workers(poisson(3.5, dispatch::kUnbounded), {}, 100), 4U);
  EXPECT_EQ(fewest_workers(poisson(4, dispatch::kUnbounded), {}, 100), 5U)
      << "a load of 1 is too much";
  EXPECT_EQ(fewest_workers(poisson(101, dispatch::kUnbounded), {}, 100), std::nullopt);
}

TEST(FewestWorkers, IsOneWhereTasksAreTurnedAway) {
  auto scenario = poisson(3.5, 4);
  EXPECT_EQ(fewest_workers(scenario, {}, 100), 4U) << "the common queue is unbounded";
  scenario.pool.common_bound = 10;
  EXPECT_EQ(fewest_workers(scenario, {}, 100), 1U);
}

TEST(FewestWorkers, AreEnoughForTheCopiesOfATask) {
  auto scenario = poisson(0.1, dispatch::kUnbounded);
  scenario.workload.fork = 3;
  EXPECT_EQ(fewest_workers(scenario, {}, 100), 1U) << "parts may meet at a worker";
  scenario.workload.callers.copies = 5;
  EXPECT_EQ(fewest_workers(scenario, {}, 100), 5U);
}

TEST(FewestWorkers, AreEnoughForOneToBeLeftOut) {
  auto scenario = poisson(0.1, dispatch::kUnbounded);
  scenario.dispatch.ejection = scenario::EjectionSettings{.share = 0.25};
  EXPECT_EQ(fewest_workers(scenario, {}, 100), 4U);
}

TEST(QueueBoundOf, IsTheOneThatHolds) {
  scenario::PolicySpec policy;
  EXPECT_EQ(queue_bound_of(mixed(), policy), std::nullopt);
  EXPECT_EQ(queue_bound_of(poisson(1, 7).pool, policy), 7U);
  policy.queue_bound = 3;
  EXPECT_EQ(queue_bound_of(mixed(), policy), 3U);
}

}  // namespace
}  // namespace artel::plan::detail
