// A scaling policy is one object in a pool of threads, in a simulated fleet and alone, in a Scaler:
// all decide the same from the same samples.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/scale_by.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet {
namespace {

using namespace std::chrono_literals;

constexpr dispatch::SizeLimits kLimits{1, 6};

struct Decision {
  scaling::FleetSample seen;
  std::uint32_t size = 0;
};

// Each wants something else of the same fleet in so short a time.
std::vector<scaling::ScalingPolicy> policies(Duration period) {
  const scaling::Hpa hpa{.period = period,
                         .metric = scaling::ScalingMetric::in_system,
                         .target = 1.5,
                         .stabilisation_down = 4 * period,
                         .up = {.workers = 2, .within = 2 * period},
                         .down = {.within = 2 * period}};
  return {hpa, scaling::Keda{.hpa = hpa, .polling = 2 * period, .cooldown = 4 * period},
          scaling::Knative{.period = period,
                           .target = 1.5,
                           .stable_window = 6 * period,
                           .panic_window_percent = 34,
                           .zero_grace = period},
          scaling::Timetable{
              .period = period, .day = 8 * period, .entries = {{Duration{}, 2}, {4 * period, 5}}},
          scaling::Predictive{
              .period = period, .window = 6 * period, .lead = 2 * period, .hold = 3 * period}};
}

// What a pool of threads made of bursts of short tasks.
std::vector<Decision> decided_by_a_pool(const scaling::ScalingPolicy& policy, std::size_t count) {
  pool::Pool pool({.workers = 1, .workers_min = kLimits.min, .workers_max = kLimits.max});
  std::mutex lock;
  std::vector<Decision> decisions;
  const auto scaling =
      pool::scale_by(pool, policy, [&](const scaling::FleetSample& seen, unsigned size) {
        const std::lock_guard guard(lock);
        decisions.push_back({seen, size});
      });
  EXPECT_TRUE(scaling);
  const auto end = std::chrono::steady_clock::now() + 60s;
  const auto known = [&] {
    const std::lock_guard guard(lock);
    return decisions.size();
  };
  while (known() < count && std::chrono::steady_clock::now() < end) {
    if (known() % 8 < 4)
      for (int i = 0; i < 8; ++i) pool.post([] { std::this_thread::sleep_for(1ms); });
    std::this_thread::sleep_for(4ms);
  }
  const std::lock_guard guard(lock);
  return decisions;
}

// A fleet under bursts of short tasks.
scenario::Scenario bursts() {
  scenario::Scenario scenario;
  scenario.workload.arrivals = scenario::MmppArrivals{
      {{.rate = 2, .mean_duration = 60s}, {.rate = 30, .mean_duration = 60s}}};
  scenario.workload.service = *random::Distribution::exponential(0.2);
  scenario.workload.mean_service_s = 0.2;
  scenario.pool.speeds = {1};
  scenario.pool.queue_bounds = {dispatch::kUnbounded};
  scenario.run.tasks = 4000;
  return scenario;
}

std::optional<Replication> run(const scenario::Scenario& scenario) {
  scenario::PolicySpec spec;
  spec.policy = dispatch::LeastLoaded{};
  return run_replication(scenario, spec, {});
}

std::size_t sizes_in(const std::vector<Decision>& decisions) {
  std::set<std::uint32_t> sizes;
  for (const auto& decision : decisions) sizes.insert(decision.size);
  return sizes.size();
}

TEST(ScalingDifferential, WhatAPoolDecidedAScalerDecides) {
  for (const auto& policy : policies(20ms)) {
    const auto decisions = decided_by_a_pool(policy, 24);
    ASSERT_GE(decisions.size(), 24U) << scaling::name(policy);
    EXPECT_GE(sizes_in(decisions), 2U) << scaling::name(policy);
    scaling::Scaler scaler(policy, kLimits);
    for (const auto& [seen, size] : decisions)
      ASSERT_EQ(scaler.size_for(seen), size) << scaling::name(policy) << to_seconds(seen.at);
  }
}

TEST(ScalingDifferential, AFleetWhoseRuleAsksAScalerIsTheFleetOfThePolicy) {
  for (const auto& policy : policies(5s)) {
    auto scenario = bursts();
    scenario.pool.scaling = scenario::ScalingSettings{.policy = policy, .limits = kLimits};
    const auto by_policy = run(scenario);
    std::vector<Decision> decisions;
    scaling::Scaler scaler(policy, kLimits);
    scenario.pool.scaling->policy = scaling::CustomScaling{
        .period = scaling::period(policy), .rule = [&](const scaling::FleetSample& seen) {
          decisions.push_back({seen, scaler.size_for(seen)});
          return decisions.back().size;
        }};
    const auto by_rule = run(scenario);
    EXPECT_EQ(by_rule, by_policy) << scaling::name(policy);
    EXPECT_GE(decisions.size(), 40U) << scaling::name(policy);
    EXPECT_GE(sizes_in(decisions), 2U) << scaling::name(policy);
  }
}

}  // namespace
}  // namespace artel::fleet
