// The closed loop with beacons in the queues, against what is known of loads that are old when they
// are used: see tests/conformance/stale_loads_test.cpp.
#include <gtest/gtest.h>

#include <cstddef>

#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet {
namespace {

using dispatch::ClosedLoop;
using dispatch::Law;

// Equal workers, each with its own queue without bound; Poisson arrivals, exponential service of
// mean one second. The first fifth is left out.
double mean_response(std::size_t workers, double load, double length_s, const ClosedLoop& loop) {
  scenario::Scenario scenario;
  const double rate = load * static_cast<double>(workers);
  scenario.workload.arrivals = scenario::PoissonArrivals{.rate = rate};
  scenario.workload.rate = rate;
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, dispatch::kUnbounded);
  scenario.run.duration = from_seconds(length_s);
  scenario::PolicySpec spec;
  spec.policy = loop;
  const auto result = run_replication(scenario, spec, {.warm_up = from_seconds(length_s / 5)});
  return result.value_or(Replication{}).response.mean;
}

// 16 workers, load 0.8; random gives 5.0.
class ClosedLoopPeriod : public ::testing::TestWithParam<double> {};

TEST_P(ClosedLoopPeriod, LevelBeatsRandomAndYawpDoesNot) {
  const Duration period = from_seconds(GetParam());
  const double length_s = GetParam() < 100 ? 6'000 : 60'000;
  EXPECT_LT(mean_response(16, 0.8, length_s, {Law::level, period, period / 4}), 5.05);
  if (GetParam() < 2) return;
  EXPECT_GT(mean_response(16, 0.8, length_s, {Law::yawp, period, period}), 50);
}

INSTANTIATE_TEST_SUITE_P(Periods, ClosedLoopPeriod, ::testing::Values(0.2, 2.0, 20.0, 200.0));

// 100 workers, load 0.9; random gives 10.0.
TEST(ClosedLoopResponse, LevelWithBeaconsComesCloseToBasicLi) {
  const auto response = [](double period_s) {
    const Duration period = from_seconds(period_s);
    return mean_response(100, 0.9, 1'500, {Law::level, period, period / 4});
  };
  EXPECT_LT(response(0.1), 1.47 * 1.05);
  EXPECT_LT(response(1), 2.51);
  EXPECT_LT(response(5), 3.99);
  EXPECT_LT(response(10), 4.90);
}

}  // namespace
}  // namespace artel::fleet
