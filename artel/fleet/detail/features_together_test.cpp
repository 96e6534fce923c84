// What comes of two features of a simulated fleet together, worked out by hand.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "tests/scenario/timed_tasks.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

// One a second, the first at 0 s.
struct Rows {
  std::vector<Duration> sizes;
  std::vector<Duration> patience{};
  std::vector<std::uint32_t> classes{};
  std::string policy = "\"least_loaded\"";
};

// The scenario's own tasks are replaced by these.
Replication run_rows(const std::string& workload, const std::string& pool, Rows rows,
                     const std::string& more = "", const std::string& dispatch = "") {
  const auto text = "[workload]\narrivals = { kind = \"constant\", rate = 1 }\n" +
                    std::string("service = { distribution = \"constant\", value = \"100ms\" }\n") +
                    workload + "\n[pool]\n" + pool + "\n" + more + "\n[dispatch]\npolicies = [" +
                    rows.policy + "]\n" + dispatch + "[run]\ntasks = 9\nwarm_up = \"0%\"\n";
  auto scenario = scenario::parse_scenario(text, "s.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  if (!scenario) return {};
  come_every(1s, std::move(rows.sizes), scenario->workload);
  auto trace = *scenario->workload.trace;
  trace.patience = std::move(rows.patience);
  trace.classes = std::move(rows.classes);
  scenario->workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(trace));
  scenario->run.tasks.reset();
  return run_replication(*scenario, scenario->dispatch.policies.front(), {})
      .value_or(Replication{});
}

// Broken from 0.5 s to 3.5 s.
std::string broken() { return "failures = { outages = [{ at = \"500ms\", lasts = \"3s\" }] }\n"; }
constexpr const char* kPatient = "patience = \"1h\"\n";  // rows say otherwise

TEST(FeaturesTogether, WhoComesToABrokenWorkerHasNotBegun) {
  for (const std::string discipline : {"fifo", "lifo", "srpt", "ps", "las"}) {
    const auto found =
        run_rows(kPatient, "workers = 1\ndiscipline = \"" + discipline + "\"\n" + broken(),
                 {.sizes = {200ms, 2s, 1s}, .patience = {kForever, 1500ms, kForever}});
    // The second goes away at 2.5 s, the third is served from 3.5 s to 4.5 s.
    EXPECT_EQ(found.abandoned, 1U) << discipline;
    EXPECT_DOUBLE_EQ(found.response.max, 2.5) << discipline;
  }
}

TEST(FeaturesTogether, NorHasWhoComesToAColdOneOrToOneThatStands) {
  const Rows rows{.sizes = {200ms, 2s}, .patience = {1s + 1ms, kForever}};
  const auto cold = run_rows(kPatient, "workers = 1\nstart_up = \"2500ms\"\n", rows);
  // The first goes away; the worker has started up at 2.5 s nevertheless.
  EXPECT_EQ(cold.abandoned, 1U);
  EXPECT_DOUBLE_EQ(cold.response.max, 3.5);
  const auto stands = run_rows(kPatient,
                               "workers = 1\nspeed_timetable = { points = [{ at = \"0s\", speed = "
                               "0 }, { at = \"2500ms\", speed = 1 }] }\n",
                               rows);
  EXPECT_EQ(stands.abandoned, 1U);
  EXPECT_DOUBLE_EQ(stands.response.max, 3.5);
}

TEST(FeaturesTogether, AWorkerThatNobodyWaitsForAnyMoreIsWarmWhenItHasStarted) {
  // It starts for the first, who goes away at 0.5 s, and is idle from 1.5 s until the second comes
  // at 2 s (the row of 1 s goes away, too).
  const auto found =
      run_rows(kPatient, "workers = 1\nstart_up = \"1500ms\"\nkeep_warm = \"600ms\"\n",
               {.sizes = {1s, 1s, 1s}, .patience = {500ms, 100ms, kForever}});
  EXPECT_EQ(found.abandoned, 2U);
  EXPECT_DOUBLE_EQ(found.response.max, 1);
}

TEST(FeaturesTogether, ARepairedWorkerServesWhoGoesFirst) {
  for (const std::string keys : {"discipline = \"sjf\"\n", "discipline = \"lifo\"\n",
                                 "discipline = \"sjf\"\npreemptive = true\n"}) {
    const auto found = run_rows("", "workers = 1\n" + keys + broken(), {.sizes = {200ms, 2s, 1s}});
    // The third from 3.5 s to 4.5 s, then the second.
    EXPECT_NEAR(found.response.mean, (0.2 + 2.5 + 5.5) / 3, 1e-9) << keys;
  }
}

TEST(FeaturesTogether, ABatchIsMadeOfAllWhoWaitForARepair) {
  for (const std::string step : {"", ", step = \"200ms\""}) {
    const auto found = run_rows("",
                                "workers = 1\nbatch = { most = 4, fixed = \"200ms\", per_work = 0" +
                                    step + " }\n" + broken(),
                                {.sizes = {0s, 0s, 0s, 0s}});
    // All but the first from 3.5 s to 3.7 s.
    EXPECT_NEAR(found.response.mean, (0.2 + 2.7 + 1.7 + 0.7) / 4, 1e-9) << step;
  }
}

TEST(FeaturesTogether, ABrokenWorkerIsSparedWhatItHasNotBegun) {
  const auto found = run_rows("callers = { timeout = \"2400ms\", cancel = \"waiting\" }\n",
                              "workers = 1\n" + broken(), {.sizes = {200ms, 2s, 800ms}});
  // The second is taken back at 3.4 s, so that the third is served from 3.5 s to 4.3 s.
  EXPECT_EQ(found.abandoned, 1U);
  EXPECT_DOUBLE_EQ(found.response.max, 2.3);
}

TEST(FeaturesTogether, WhoWaitsGoesToAllWorkersThatAreThereAgain) {
  const Rows rows{.sizes = {100ms, 1s, 1s, 1s}};
  // Nobody is sent anything until 3.5 s: then two of three are served at once.
  const double expected = (0.1 + 3.5 + 2.5 + 2.5) / 4;
  const auto drained = run_rows("",
                                "workers = 2\nfailures = { outages = [{ at = \"1500ms\", lasts = "
                                "\"2s\", drain = \"1s\" }] }\n",
                                rows);
  EXPECT_NEAR(drained.response.mean, expected, 1e-9);
  const auto detected = run_rows("",
                                 "workers = 2\nfailures = { detection = \"400ms\", outages = [{ at "
                                 "= \"500ms\", lasts = \"2600ms\" }] }\n",
                                 rows);
  EXPECT_NEAR(detected.response.mean, expected, 1e-9);
  const auto scaled = run_rows("",
                               "workers = 1\n[pool.scaling]\npolicy = \"timetable\"\nmin = 0\nmax "
                               "= 2\nperiod = \"500ms\"\nentries = [{ from = \"0s\", workers = 0 "
                               "}, { from = \"3200ms\", workers = 2 }]\n",
                               rows);
  EXPECT_NEAR(scaled.response.mean, expected, 1e-9);
}

TEST(FeaturesTogether, ARetryHasItsRequestsDeadline) {
  const auto found =
      run_rows("deadline = \"10s\"\ncallers = { retries = 1, backoff = \"2300ms\" }\n",
               "workers = 1\ndiscipline = \"edf\"\nfailures = { task = \"lose\", outages = [{ at = "
               "\"500ms\", lasts = \"100ms\" }] }\n",
               {.sizes = {1s, 2s, 1s}});
  // Lost at 0.5 s, tried again at 2.8 s; at 3 s it goes before the third, which came at 2 s.
  EXPECT_DOUBLE_EQ(found.response.max, 4);
}

TEST(FeaturesTogether, StagesKnowPrioritiesAndDeadlines) {
  for (const std::string discipline : {"priority", "edf"}) {
    const auto found = run_rows(
        "classes = [{ name = \"low\", share = 0.5, deadline = \"1h\" }, { name = \"high\", share = "
        "0.5, priority = 1, deadline = \"1s\" }]\n",
        "workers = 4\n", {.sizes = {100ms, 100ms, 100ms}, .classes = {0, 0, 1}},
        "[[stages]]\nname = \"b\"\nservice = \"2500ms\"\npool = { workers = 1, discipline = \"" +
            discipline + "\" }\n");
    // The first until 2.6 s, the third until 5.1 s, the second until 7.6 s.
    ASSERT_GE(found.classes.size(), 2U);
    EXPECT_NEAR(found.classes[1].response.mean, 3.1, 1e-9) << discipline;
    EXPECT_NEAR(found.response.max, 6.6, 1e-9) << discipline;
  }
}

TEST(FeaturesTogether, AHedgeThatIsNotSentCostsNothing) {
  const auto found =
      run_rows("callers = { hedge = \"200ms\", retries = 1, budget = 0.01, budget_burst = 1 }\n",
               "workers = 1\nfailures = { task = \"lose\", outages = [{ at = \"500ms\", lasts = "
               "\"100ms\" }] }\n",
               {.sizes = {1s, 100ms}});
  // Nobody else could be asked at 0.2 s; what the budget allows is left for the retry at 0.5 s.
  EXPECT_EQ(found.completed, 2U);
  EXPECT_EQ(found.attempts, 3U);
}

TEST(FeaturesTogether, AnAttemptFailsOnce) {
  // The first is given up at 0.4 s and lost at 0.5 s: one failure of two. Were it two, nobody would
  // be sent the second.
  const auto found = run_rows(
      "callers = { timeout = \"400ms\" }\n",
      "workers = 1\ncommon_bound = 0\nfailures = { task = \"lose\", outages = [{ at = "
      "\"500ms\", lasts = \"100ms\" }] }\n",
      {.sizes = {1s, 100ms}}, "", "ejection = { failures = 2, time = \"1h\", share = 1 }\n");
  EXPECT_EQ(found.completed, 1U);
}

// The first worker answers errors from 0.5 s to 3.5 s.
std::string answers_errors(const std::string& more = "") {
  return "failures = { task = \"error\", outages = [{ at = \"500ms\", lasts = \"3s\", workers = 0 "
         "}]" +
         more + " }\n";
}

TEST(FeaturesTogether, AWorkerThatAnswersErrorsDrawsAllThatComes) {
  const Rows rows{.sizes = {2s, 100ms, 100ms, 100ms, 100ms}};
  const auto found = run_rows("", "workers = 2\n" + answers_errors(), rows);
  EXPECT_EQ(found.abandoned, 4U);  // the first was in service
  EXPECT_EQ(found.completed, 1U);
  const auto detected =
      run_rows("", "workers = 2\n" + answers_errors(", detection = \"100ms\""), rows);
  EXPECT_EQ(detected.abandoned, 1U);
  const auto far =
      run_rows("", "workers = 2\n" + answers_errors(), rows, "", "network_delay = \"600ms\"\n");
  EXPECT_EQ(far.abandoned, 3U);  // the last but one comes there when all is over
}

TEST(FeaturesTogether, AnErrorIsForWhoWaitsToo) {
  // At 1.5 s the first is in service, and the second waits or is in service, too.
  for (const std::string discipline : {"fifo", "lifo", "srpt", "ps", "las"}) {
    const auto found = run_rows("",
                                "workers = 1\ndiscipline = \"" + discipline +
                                    "\"\nfailures = { task = \"error\", outages = [{ at = "
                                    "\"1500ms\", lasts = \"2s\" }] }\n",
                                {.sizes = {5s, 1s, 1s, 1s, 1s}});
    EXPECT_EQ(found.abandoned, 4U) << discipline;
    EXPECT_EQ(found.completed, 1U) << discipline;
    EXPECT_EQ(found.wait.max, 0) << discipline;
  }
}

TEST(FeaturesTogether, ErrorsHaveAWorkerLeftOut) {
  const auto found = run_rows("callers = { retries = 2 }\n", "workers = 2\n" + answers_errors(),
                              {.sizes = {100ms, 100ms, 100ms, 100ms}}, "",
                              "ejection = { failures = 2, time = \"1h\", share = 0.5 }\n");
  EXPECT_EQ(found.completed, 4U);
  EXPECT_EQ(found.attempts, 6U);  // the second is sent three times, and nobody there after it
}

TEST(FeaturesTogether, WhatIsLostQuicklyDoesNotRaiseALimit) {
  const auto found = run_rows("",
                              "workers = 1\nadmission = { policy = \"aimd\", target = \"10s\", min "
                              "= 1 }\nfailures = { task = \"lose\", outages = [{ at = \"500ms\", "
                              "lasts = \"100ms\" }, { at = \"1500ms\", lasts = \"100ms\" }] }\n",
                              {.sizes = {1s, 1s, 5s, 1s}});
  EXPECT_EQ(found.abandoned, 2U);
  EXPECT_EQ(found.rejected, 1U);  // the last: the third is still in service
}

TEST(FeaturesTogether, AllThatARequestHadInAStageLeavesItBeforeOthersBegin) {
  // The first request's attempts are with workers 1 and 0 of the stage, in that order, when it is
  // given up at 2.5 s. The second waits longest, so that it is worker 0's until 2.75 s.
  const auto found = run_rows(
      "callers = { timeout = \"2500ms\", cancel = \"all\", hedge = \"100ms\", budget = 0.001, "
      "budget_burst = 1 }\n",
      "workers = 2\n", {.sizes = {1s, 500ms, 200ms}},
      "[[stages]]\nname = \"b\"\nservice = \"1s\"\npool = { workers = 2, queue_bound = 1, speeds = "
      "[4, 2], failures = { outages = [{ at = \"1040ms\", lasts = \"10ms\", drain = \"1040ms\", "
      "workers = [0] }, { at = \"1200ms\", lasts = \"1200ms\" }] } }\n");
  EXPECT_EQ(found.abandoned, 1U);
  EXPECT_DOUBLE_EQ(found.response.max, 1.75);
}

TEST(FeaturesTogether, AllCallersOfAMomentHearBeforeOthersBeginInAStage) {
  // Two attempts of five requests, two to a worker, which all stand until 5 s. The first worker, of
  // which the first two requests had something, ends that at 5.25 s; the fourth request is its
  // next. Of the last one an attempt is refused, the other waits. Then both other workers have
  // lost one: it goes to the second, not to the third, though its place there was free first.
  const auto found = run_rows("callers = { copies = 2, cancel = \"all\" }\n", "workers = 2\n",
                              {.sizes = {100ms, 100ms, 100ms, 100ms, 100ms}},
                              R"([[stages]]
name = "b"
service = "1s"
[stages.pool]
workers = 3
slots = 2
queue_bound = 2
common_bound = 3
speeds = [4, 1, 2]
[stages.pool.failures]
outages = [
  { at = "50ms", lasts = "4950ms" },
  { at = "500ms", lasts = "100ms", drain = "500ms", workers = [1] },
]
)");
  EXPECT_EQ(found.completed, 5U);
  EXPECT_DOUBLE_EQ(found.response.mean, (5.25 + 4.25 + 3.5 + 2.5 + 2.25) / 5);
}

TEST(FeaturesTogether, WhatEndsAtOneMomentEndsTogether) {
  // Both slots are free at 6.5 s: for the two that wait there, not for the shorter ones of the
  // common queue, which come as their callers hear of that, and interrupt them.
  const auto found = run_rows(
      "", "workers = 1\nslots = 2\nqueue_bound = 4\ndiscipline = \"sjf\"\npreemptive = true\n",
      {.sizes = {6500ms, 5500ms, 20s, 20s, 1s, 1s}});
  EXPECT_DOUBLE_EQ(found.wait.mean, (4.5 + 3.5 + 2.5 + 1.5) / 6);
}

TEST(FeaturesTogether, CallersHearOfOneRepairBeforeTheNextOfThatMoment) {
  const auto found = run_rows("callers = { copies = 2, tied = true }\n", "workers = 2\n" + broken(),
                              {.sizes = {200ms, 2s, 1s}});
  // The second is begun by the first worker at 3.5 s and taken back from the other, which is the
  // third's from then to 4.5 s.
  EXPECT_NEAR(found.response.mean, (0.2 + 4.5 + 2.5) / 3, 1e-9);
}

TEST(FeaturesTogether, WhatIsLostOrTakenBackIsNoWorkLeft) {
  // The first worker has nothing to do from 1.5 s on, the second until 6 s.
  const std::string lost =
      "failures = { task = \"lose\", outages = [{ at = \"1500ms\", lasts = \"100ms\", workers = "
      "[0] }] }";
  for (const auto& [callers, pool] :
       {std::pair<std::string, std::string>{"", lost},
        {"callers = { timeout = \"1500ms\", cancel = \"all\" }\n", ""}}) {
    const auto found = run_rows(
        callers, "workers = 2\n" + pool,
        {.sizes = {20s, 5s, 1s}, .policy = R"({ name = "least_loaded", busyness = "work" })"});
    EXPECT_EQ(found.abandoned, callers.empty() ? 1U : 2U);
    EXPECT_DOUBLE_EQ(found.wait.mean, 0);
  }
}

TEST(FeaturesTogether, AWorkerIsSentTasksAgainWhenNoReasonAgainstItIsLeft) {
  // Two outages keep tasks from the first worker, until 3.5 s and until 5.5 s: who comes at 4 s
  // goes to the other one, as those before.
  const auto found = run_rows("",
                              "workers = 2\nspeeds = [10, 1]\nfailures = { outages = [{ at = "
                              "\"600ms\", lasts = \"2900ms\", drain = \"100ms\", "
                              "workers = [0] }, { at = \"700ms\", lasts = \"4800ms\", drain = "
                              "\"100ms\", workers = [0] }] }\n",
                              {.sizes = {1s, 500ms, 500ms, 500ms, 500ms, 500ms}});
  EXPECT_NEAR(found.response.mean, (0.1 + 5 * 0.5) / 6, 1e-9);
}

TEST(FeaturesTogether, AFailureIsNoticedUnlessItIsOver) {
  // Looked at 0.4 s later: the first failure is over by then, so that the second task goes to the
  // first worker; the second one keeps the last two from it.
  const auto found = run_rows(
      "",
      "workers = 2\nspeeds = [10, 1]\nfailures = { detection = \"400ms\", outages = [{ at = "
      "\"500ms\", "
      "lasts = \"200ms\", workers = [0] }, { at = \"1500ms\", lasts = \"3s\", workers = [0] }] }\n",
      {.sizes = {1s, 1s, 900ms, 900ms}});
  EXPECT_NEAR(found.response.mean, (0.1 + 0.1 + 0.9 + 0.9) / 4, 1e-9);
}

TEST(FeaturesTogether, ABatchWaitsAsLongAsItsFirstMay) {
  // Both from 1.5 s to 1.7 s.
  const auto found = run_rows("",
                              "workers = 1\nbatch = { most = 4, fixed = \"200ms\", per_work = 0, "
                              "longest_wait = \"1500ms\" }\n",
                              {.sizes = {1s, 1s}});
  EXPECT_NEAR(found.response.mean, (1.7 + 0.7) / 2, 1e-9);
}

TEST(FeaturesTogether, WhoEndsLeavesItsMemoryToTheNext) {
  // Five steps of 0.3 s for the first; ten from 1.2 s on for the second; the third has room from
  // 1.5 s on, comes at 2 s and joins at 2.1 s for two.
  const auto found = run_rows("",
                              "workers = 1\nbatch = { most = 4, step = \"1s\", fixed = \"300ms\", "
                              "per_work = 0, memory = \"15s\" }\n",
                              {.sizes = {5s, 10s, 2s}});
  EXPECT_NEAR(found.response.mean, (1.5 + 3.2 + 0.7) / 3, 1e-9);
}

TEST(FeaturesTogether, WhoWaitsInTheCommonQueueHasItsWayBehindIt) {
  // The second waits from 1 s on, and has come to the worker when that is free at 1.5 s.
  const auto found = run_rows("", "workers = 1\nqueue_bound = 1\ndiscipline = \"lifo\"\n",
                              {.sizes = {1s, 500ms}}, "", "network_delay = \"500ms\"\n");
  EXPECT_NEAR(found.response.mean, (1.5 + 1.0) / 2, 1e-9);
}

}  // namespace
}  // namespace artel::fleet::detail
