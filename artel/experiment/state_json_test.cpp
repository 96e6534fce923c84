#include "artel/experiment/state_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::experiment {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* kSwept = R"(
[workload]
arrivals = { kind = "poisson", load = 0.9 }
service  = { distribution = "lognormal", mean = "10 ms", scv = 3 }
[pool]
workers = 4
queue_bound = 3
common_bound = 2
[dispatch]
policies = ["central", "random"]
[run]
tasks        = 200
replications = 3
precision    = 0.1
[sweep]
pool.workers = [3, 4]
)";

scenario::Study swept_study(const std::string& more = "") {
  auto parsed = scenario::parse_study(kSwept + more, "queue.toml");
  EXPECT_TRUE(parsed) << to_string(parsed.error().front());
  return *std::move(parsed);
}

ReplicationOutcome an_outcome() {
  const auto queue = swept_study();
  return run_job(queue, {.point = 1, .policy = 1, .index = 7, .warm_up_tasks = 20}, {})
      .value_or(ReplicationOutcome{});
}

TEST(Outcome, IsTheSameAfterATripThroughJson) {
  const auto outcome = an_outcome();
  EXPECT_EQ(outcome.replication.index, 7U);
  EXPECT_GT(outcome.replication.rejected, 0U) << "no field should be zero by chance";
  const auto text = outcome_json(outcome);
  const auto again = read_outcome(text);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_TRUE(again->replication == outcome.replication);
  EXPECT_EQ(outcome_json(*again), text);
}

TEST(Outcome, OfAPilotIsItsWarmUp) {
  auto outcome = run_job(swept_study(), {.pilot = true}, {}).value_or(ReplicationOutcome{});
  outcome.warm_up_tasks += 5;  // whatever it is
  const auto again = read_outcome(outcome_json(outcome));
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->warm_up_tasks, outcome.warm_up_tasks);
  EXPECT_TRUE(again->times.responses.empty());
}

TEST(Outcome, DamageIsNamed) {
  const auto whole = Json::parse(outcome_json(an_outcome()));
  const auto error_of = [&](const char* path, const Json& value) {
    auto damaged = whole;
    damaged[Json::json_pointer(path)] = value;
    const auto read = read_outcome(damaged.dump());
    return read ? "no error" : read.error().what;
  };
  EXPECT_THAT(error_of("/replication/wait/p99", "fast"), HasSubstr("'p99'"));
  EXPECT_THAT(error_of("/replication/wait/p99", nullptr), HasSubstr("'p99'"));
  EXPECT_THAT(error_of("/replication/arrived", -1), HasSubstr("'arrived'"));
  EXPECT_THAT(error_of("/replication/index", 4294967296), HasSubstr("'index'"));
  EXPECT_THAT(error_of("/replication/beyond", Json::array({1, 2})), HasSubstr("'beyond'"));
  EXPECT_THAT(error_of("/replication", 3), HasSubstr("'index'"));
  EXPECT_THAT(error_of("/times/responses/min", 0), HasSubstr("'responses'"));
  EXPECT_THAT(error_of("/times/responses/precision_bits", 7), HasSubstr("'responses'"));
  EXPECT_THAT(error_of("/times/responses/buckets/0", 18446744073709551615U),
              HasSubstr("'responses'"));
  EXPECT_THAT(error_of("/times/responses/buckets", Json::array({1})), HasSubstr("'responses'"));
  EXPECT_EQ(read_outcome("{").error().what, "this is not JSON");
  EXPECT_FALSE(read_outcome("[]"));
  EXPECT_FALSE(read_outcome("{}"));
  EXPECT_FALSE(read_outcome("\"\""));
}

// Stops after so many replications and pilots.
ExperimentResult stopped_after(const scenario::Study& study, std::size_t steps, unsigned jobs) {
  std::stop_source stop;
  return run_experiment(
      study,
      {.jobs = jobs, .stop = stop.get_token(), .progress = [&](const ExperimentProgress& progress) {
         if (progress.done == steps) stop.request_stop();
       }});
}

TEST(State, GoesOnAsIfItHadNeverBeenStopped) {
  const auto queue = swept_study();
  std::size_t steps = 0;
  const auto whole = run_experiment(
      queue, {.progress = [&](const ExperimentProgress& progress) { steps = progress.done; }});
  const auto expected = state_json(queue, whole);
  EXPECT_GT(steps, 16U) << "more than four pilots and one round";
  for (std::size_t stop = 1; stop < steps; stop += stop < 8 ? 1 : 5) {
    const auto part = stopped_after(queue, stop, stop % 2 == 0 ? 1 : 3);
    EXPECT_FALSE(part.complete);
    const auto known = read_state(queue, state_json(queue, part));
    ASSERT_TRUE(known) << to_string(known.error());
    const auto rest = run_experiment(queue, {.jobs = 2, .resume = &*known});
    EXPECT_TRUE(rest.complete);
    EXPECT_EQ(state_json(queue, rest), expected) << "stopped after " << stop;
  }
}

TEST(State, KeepsClassesAndThoseWhoGaveUp) {
  const std::string toml = R"(
[workload]
arrivals = { kind = "poisson", load = 1.2 }
service  = { distribution = "exponential", mean = "10 ms" }
patience = "20 ms"
classes  = [{ name = "a", share = 0.3 }, { name = "b", share = 0.7 }]
[pool]
workers = 2
[dispatch]
policies = ["central"]
[run]
tasks        = 300
replications = 4
)";
  const auto parsed = scenario::parse_study(toml, "patience.toml");
  ASSERT_TRUE(parsed) << to_string(parsed.error().front());
  const auto expected = state_json(*parsed, run_experiment(*parsed, {}));
  const auto part = stopped_after(*parsed, 3, 1);
  const auto known = read_state(*parsed, state_json(*parsed, part));
  ASSERT_TRUE(known) << to_string(known.error());
  EXPECT_GT(known->points[0].policies[0].replications.front().abandoned, 0U);
  EXPECT_EQ(state_json(*parsed, run_experiment(*parsed, {.resume = &*known})), expected);
}

TEST(State, WhatIsKnownIsNotRunAgain) {
  const auto queue = swept_study();
  const auto whole = run_experiment(queue, {});
  std::size_t steps = 0;
  const auto again = run_experiment(
      queue, {.progress = [&](const ExperimentProgress& progress) { steps = progress.done; },
              .resume = &whole});
  EXPECT_EQ(steps, 0U);
  EXPECT_EQ(state_json(queue, again), state_json(queue, whole));
}

TEST(State, OfAnotherStudyIsRefused) {
  const auto text = state_json(swept_study(), run_experiment(swept_study(), {}));
  const auto error_of = [&](const scenario::Study& other, const std::string& state) {
    const auto read = read_state(other, state);
    return read ? "no error" : read.error().what;
  };
  EXPECT_EQ(error_of(swept_study(), text), "no error");
  EXPECT_THAT(error_of(swept_study("\n# a remark"), text), HasSubstr("another study"));
  const scenario::SweepAxis axis{.key = "pool.workers", .values = {"3", "5"}, .where = ""};
  EXPECT_THAT(error_of(*scenario::parse_study(kSwept, "queue.toml", {}, {&axis, 1}), text),
              HasSubstr("another study"));
  const scenario::Override seed{.key = "run.seed", .value = "2", .where = ""};
  EXPECT_THAT(error_of(*scenario::parse_study(kSwept, "queue.toml", {&seed, 1}), text),
              HasSubstr("another study"));
  auto other_version = Json::parse(text);
  other_version["version"] = "0.0.0";
  EXPECT_THAT(error_of(swept_study(), other_version.dump()), HasSubstr("begun by artel 0.0.0"));
}

TEST(State, DamageIsNamed) {
  const auto queue = swept_study();
  const auto whole = Json::parse(state_json(queue, run_experiment(queue, {})));
  const auto error_of = [&](const char* path, const Json& value) {
    auto damaged = whole;
    damaged[Json::json_pointer(path)] = value;
    const auto read = read_state(queue, damaged.dump());
    return read ? "no error" : read.error().what;
  };
  EXPECT_THAT(error_of("/points", Json::array()), HasSubstr("'points'"));
  EXPECT_THAT(error_of("/points/0/policies", 1), HasSubstr("'policies'"));
  EXPECT_THAT(error_of("/points/0/policies/1/replications/2/index", 0), HasSubstr("'index'"));
  EXPECT_THAT(error_of("/points/0/policies/1/replications/2/index", 100), HasSubstr("'index'"));
  EXPECT_THAT(error_of("/points/1/policies/0/replications", Json::array()),
              HasSubstr("'responses'"));
  EXPECT_EQ(error_of("/points/1", nullptr), "no error");
  EXPECT_EQ(read_state(queue, "nonsense").error().what, "this is not JSON");
}

}  // namespace
}  // namespace artel::experiment
