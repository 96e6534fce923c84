// Callers of a simulated fleet who do not just send and wait, with times worked out by hand.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "tests/scenario/timed_tasks.hpp"

namespace artel::fleet {
namespace {

using namespace std::chrono_literals;
using scenario::Spared;

// Services of so long that come one second after another, the first at 0 s.
scenario::Scenario calls_every_second(std::vector<Duration> sizes, std::size_t workers = 1) {
  scenario::Scenario scenario;
  come_every(1s, std::move(sizes), scenario.workload);
  scenario.workload.mean_service_s = 1;
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, dispatch::kUnbounded);
  return scenario;
}

scenario::Scenario poisson_calls(double load, std::size_t workers, std::uint64_t tasks = 5'000) {
  auto scenario = calls_every_second({}, workers);
  scenario.workload.trace.reset();
  scenario.workload.rate = load * static_cast<double>(workers);
  scenario.workload.arrivals = scenario::PoissonArrivals{.rate = scenario.workload.rate};
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.run.tasks = tasks;
  return scenario;
}

Replication call(const scenario::Scenario& scenario,
                 dispatch::Policy policy = dispatch::RoundRobin{}) {
  scenario::PolicySpec spec;
  spec.policy = std::move(policy);
  return run_replication(scenario, spec, {}).value_or(Replication{});
}

random::Distribution lasting(double seconds) { return *random::Distribution::constant(seconds); }

TEST(SimulatedCallers, WhoIsNotAnsweredInTimeHasAbandoned) {
  auto scenario = calls_every_second({3s, 1s, 1s, 1s});
  scenario.workload.callers.timeout = lasting(2.5);
  // The first is served until 3 s for nobody; the others end at 4 s, 5 s and 6 s, after 3 s each.
  const auto found = call(scenario);
  EXPECT_EQ(found.abandoned, 4U);
  EXPECT_EQ(found.completed, 0U);
  EXPECT_EQ(found.attempts, 4U);
}

TEST(SimulatedCallers, WorkersAreSparedWhatNobodyWaitsFor) {
  auto scenario = calls_every_second({3s, 900ms, 800ms, 1s});
  auto& callers = scenario.workload.callers;
  callers.timeout = lasting(2.6);
  // The first is cut off at 2.6 s; the others end at 3.5 s, 4.3 s and 5.3 s.
  callers.cancel = Spared::all;
  auto found = call(scenario);
  EXPECT_EQ(found.abandoned, 1U);
  EXPECT_EQ(found.completed, 3U);
  EXPECT_NEAR(found.response.max, 2.5, 1e-9);
  // The first goes on until 3 s, so the others would end at 3.9 s, 4.7 s and 5.7 s.
  callers.cancel = Spared::waiting;
  EXPECT_EQ(call(scenario).abandoned, 4U);
  // The second is taken back at 2.9 s, so the others end at 3.8 s and 4.8 s.
  callers.timeout = lasting(1.9);
  EXPECT_EQ(call(scenario).completed, 2U);
  callers.cancel = Spared::nothing;
  EXPECT_EQ(call(scenario).completed, 0U);
}

TEST(SimulatedCallers, ARetryMayFindTheWorkerFree) {
  auto scenario = calls_every_second({4s, 500ms});
  auto& callers = scenario.workload.callers;
  callers.timeout = lasting(2);
  callers.cancel = Spared::waiting;
  callers.retry = {.most = 1, .backoff = 2s};
  // The first: given up at 2 s, again at 4 s behind nobody, 4 s long, given up at 6 s. The second:
  // given up at 3 s, again at 5 s, waits; its worker is free at 8 s only.
  auto found = call(scenario);
  EXPECT_EQ(found.attempts, 4U);
  EXPECT_EQ(found.abandoned, 2U);
  callers.cancel = Spared::all;
  // The first is cut off at 2 s, the second ends at 2.5 s; the retry of the first at 6 s.
  found = call(scenario);
  EXPECT_EQ(found.attempts, 3U);
  EXPECT_EQ(found.completed, 1U);
  EXPECT_NEAR(found.response.max, 1.5, 1e-9);
}

TEST(SimulatedCallers, WhatIsRefusedIsTriedAgain) {
  auto scenario = calls_every_second({1500ms, 1s, 1s});
  scenario.pool.queue_bounds = {1};
  scenario.pool.common_bound = 0;
  EXPECT_EQ(call(scenario).rejected, 1U);
  scenario.workload.callers.retry = {.most = 1, .backoff = 600ms};
  // The second again at 1.6 s, until 2.6 s; so the third again at 2.6 s.
  const auto found = call(scenario);
  EXPECT_EQ(found.rejected, 0U);
  EXPECT_EQ(found.attempts, 5U);
  EXPECT_NEAR(found.response.mean, (1.5 + 1.6 + 1.6) / 3, 1e-3);
  EXPECT_NEAR(found.wait.mean, (0 + 0.6 + 0.6) / 3, 1e-3);
}

TEST(SimulatedCallers, AHedgeGoesToAnotherWorkerAndTheFirstAnswerCounts) {
  auto scenario = calls_every_second({3s, 1s}, 2);
  scenario.pool.speeds = {0.5, 1};
  scenario.workload.callers.hedge = {.after = 500ms};
  // The first at the slow worker would take 6 s, its hedge from 0.5 s takes 3 s; the second is
  // behind the hedge, and its own hedge behind the first: 3.5 s + 1 s.
  auto found = call(scenario);
  EXPECT_EQ(found.attempts, 4U);
  EXPECT_NEAR(found.response.mean, (3.5 + 3.5) / 2, 1e-3);
  // The slow worker is let off at 3.5 s and takes 2 s for the hedge of the second.
  scenario.workload.callers.cancel = Spared::all;
  EXPECT_NEAR(call(scenario).response.mean, (3.5 + 3.5) / 2, 1e-3);
}

TEST(SimulatedCallers, TiedAttemptsAreServedOnce) {
  auto scenario = poisson_calls(0.5, 4);
  auto& callers = scenario.workload.callers;
  callers.copies = 2;
  const auto twice = call(scenario, dispatch::Random{});
  EXPECT_NEAR(twice.utilisation, 1, 0.05);  // all that is sent is served
  callers.tied = true;
  const auto tied = call(scenario, dispatch::Random{});
  EXPECT_NEAR(tied.utilisation, 0.5, 0.05);
  const auto alone = [&] {
    callers = {};
    scenario.pool.worker.start_up = scenario::StartUpSettings{};
    return call(scenario, dispatch::Random{});
  }();
  EXPECT_LT(tied.response.mean, alone.response.mean);
  EXPECT_NEAR(tied.response.mean - tied.wait.mean, 1, 0.05);
}

TEST(SimulatedCallers, CopiesNeverGoToOneWorkerTwice) {
  auto scenario = calls_every_second({1s, 1s, 1s}, 3);
  auto& callers = scenario.workload.callers;
  callers.copies = 3;
  callers.cancel = Spared::all;
  for (const auto& policy : {dispatch::Policy{dispatch::Random{}},
                             {dispatch::LeastLoaded{}},
                             {dispatch::RoundRobin{}}}) {
    const auto found = call(scenario, policy);
    EXPECT_EQ(found.attempts, 9U);
    EXPECT_NEAR(found.response.max, 1, 1e-9);  // the three are served side by side
  }
  scenario = calls_every_second({3s, 1s}, 3);
  scenario.pool.queue_bounds.assign(3, 1);
  scenario.workload.callers.copies = 2;
  // Two workers are taken by the first, so the second goes to the third only.
  EXPECT_EQ(call(scenario).attempts, 3U);
}

TEST(SimulatedCallers, EveryRequestEndsOnce) {
  for (const auto cancel : {Spared::nothing, Spared::waiting, Spared::all}) {
    for (const auto discipline : {scenario::Discipline::fifo, scenario::Discipline::srpt,
                                  scenario::Discipline::ps, scenario::Discipline::las}) {
      for (const bool central : {false, true}) {
        auto scenario = poisson_calls(0.8, 3);
        scenario.workload.patience = *random::Distribution::exponential(20);
        scenario.workload.classes = {{.name = "a", .share = 0.3},
                                     {.name = "b", .share = 0.7, .deadline = 3s}};
        auto& callers = scenario.workload.callers;
        callers.timeout = *random::Distribution::exponential(4);
        callers.cancel = cancel;
        callers.retry = {.most = 2, .backoff = 200ms, .jitter = scenario::Jitter::full};
        callers.budget = 0.5;
        callers.hedge = {.most = 2, .after = 1s};
        callers.copies = 2;
        callers.tied = central;
        callers.redraw = true;
        scenario.pool.queue_bounds.assign(3, central ? 1 : 4);
        scenario.pool.common_bound = 5;
        scenario.dispatch.network_delay = 10ms;
        using Fate = scenario::FailureSettings::TaskFate;
        scenario.pool.worker = {
            .discipline = discipline,
            .failures = scenario::FailureSettings{.mtbf = 10s, .mttr = 1s, .task = Fate::lose}};
        const auto found = call(scenario, dispatch::Jsq{.d = 2});
        EXPECT_EQ(found.arrived, 5'000U);
        EXPECT_EQ(found.completed + found.rejected + found.abandoned, 5'000U);
        EXPECT_GT(found.attempts, 5'000U);
        EXPECT_GT(found.completed, 1'000U);
        EXPECT_GT(found.late, 0U);
        EXPECT_EQ(found.late, found.classes[1].late);
      }
    }
  }
}

TEST(SimulatedCallers, AForkEndsWithItsLastPartAndFailsWithAny) {
  auto scenario = calls_every_second({1s, 5s, 800ms}, 2);
  scenario.workload.fork = 2;
  scenario.workload.callers.timeout = lasting(3);
  scenario.workload.callers.cancel = Spared::all;
  // Both parts of the second are cut off at 4 s; the third's are served then.
  const auto found = call(scenario);
  EXPECT_EQ(found.completed, 2U);
  EXPECT_EQ(found.abandoned, 1U);
  EXPECT_EQ(found.attempts, 6U);
}

TEST(SimulatedCallers, AnAnswerAfterTheDeadlineIsLate) {
  auto scenario = calls_every_second({3s, 1s, 1s});
  scenario.workload.deadline = 2500ms;
  auto found = call(scenario);
  EXPECT_EQ(found.completed, 3U);
  EXPECT_EQ(found.late, 3U);  // after 3 s each
  const auto failed = [&] {
    return value_of(found, scenario::Quantity::failed, scenario::Statistic::mean);
  };
  EXPECT_DOUBLE_EQ(failed(), 1);
  scenario.workload.classes = {{.name = "all", .share = 1, .deadline = 3s}};
  found = call(scenario);
  EXPECT_DOUBLE_EQ(failed(), 0);
}

// One task per second to two workers, of which the first never answers in time.
scenario::Scenario one_bad_worker() {
  auto scenario = calls_every_second(std::vector<Duration>(40, 100ms), 2);
  scenario.pool.speeds = {0.1, 1};
  scenario.workload.callers.timeout = lasting(0.5);
  return scenario;
}

TEST(SimulatedCallers, AWorkerThatFailsIsLeftOutForLongerEachTime) {
  auto scenario = one_bad_worker();
  EXPECT_EQ(call(scenario).abandoned, 20U);
  scenario.dispatch.ejection = {.failures = 2, .time = 10s, .share = 0.5};
  // It is asked at 0 s and 2 s and left out from 2.5 s to 12.5 s, asked at 13 s and 15 s or so and
  // left out for 20 s, and asked once or twice more.
  const auto found = call(scenario);
  EXPECT_GE(found.abandoned, 5U);
  EXPECT_LE(found.abandoned, 6U);
  scenario.dispatch.ejection->share = 0.4;  // of two workers that is none
  EXPECT_EQ(call(scenario).abandoned, 20U);
}

TEST(SimulatedCallers, AnOpenBreakerCountsAsRejected) {
  auto scenario = one_bad_worker();
  scenario.pool.speeds = {0.1, 0.1};
  scenario.workload.callers.breaker = {.failures = 1, .tries = 3, .open = 10s};
  // Those of 0, 1 and 2 s fail, the third at 2.5 s; then one at 13 s, one at 24 s, one at 35 s.
  const auto found = call(scenario);
  EXPECT_EQ(found.abandoned, 6U);
  EXPECT_EQ(found.rejected, 34U);
  EXPECT_EQ(found.attempts, 6U);
}

TEST(SimulatedCallers, AdmissionTurnsAwayWhatWouldTakeTooLong) {
  auto overloaded = poisson_calls(1.5, 4, 20'000);
  overloaded.pool.queue_bounds.assign(4, 1);
  overloaded.pool.admission.aimd = scenario::AimdSettings{.target = 4s};
  const auto aimd = call(overloaded, dispatch::LeastLoaded{});
  EXPECT_LT(aimd.response.mean, 4);
  EXPECT_GT(aimd.utilisation, 0.9);
  EXPECT_NEAR(aimd.rejected_share, 1.0 / 3, 0.05);
  overloaded.pool.admission = {.codel = scenario::CodelSettings{.target = 500ms, .interval = 5s}};
  const auto codel = call(overloaded, dispatch::LeastLoaded{});
  EXPECT_GT(codel.utilisation, 0.97);
  EXPECT_NEAR(codel.rejected_share, 1.0 / 3, 0.05);
  EXPECT_EQ(codel.completed + codel.rejected, 20'000U);
}

TEST(SimulatedCallers, UsersThinkAndAskAgain) {
  auto scenario = poisson_calls(0.5, 1, 6);
  scenario.workload.service = lasting(1);
  scenario.workload.arrivals = scenario::ClosedArrivals{.users = 2, .think = lasting(3)};
  // Both ask at 3 s and are answered at 4 s and 5 s; then at 7 s and 8 s, and so on, without
  // waiting.
  auto found = call(scenario);
  EXPECT_EQ(found.arrived, 6U);
  EXPECT_NEAR(found.wait.mean, 1.0 / 6, 1e-3);
  EXPECT_NEAR(found.window_s, 9, 1e-9);  // from 3 s to 12 s
  scenario.run.tasks.reset();
  scenario.run.duration = 8s;
  found = call(scenario);
  EXPECT_EQ(found.arrived, 4U);
}

TEST(SimulatedCallers, IsExactWithoutDice) {
  auto scenario = calls_every_second({3s, 1s});
  scenario::PolicySpec spec;
  spec.policy = dispatch::RoundRobin{};
  scenario.workload.callers.timeout = lasting(1);
  scenario.workload.callers.retry = {.most = 2, .backoff = 1s};
  EXPECT_TRUE(is_exact(scenario, spec));
  scenario.workload.callers.retry.jitter = scenario::Jitter::full;
  EXPECT_FALSE(is_exact(scenario, spec));
}

}  // namespace
}  // namespace artel::fleet
