#include "artel/plan/settings_to_paste.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "artel/plan/plan.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::plan {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A plan with that row and nothing measured.
void add_row_of(PlanResult& plan, std::string_view policy, std::uint32_t smallest) {
  PlanRow row;
  row.policy = scenario::parse_policy_spec(policy).value();
  row.queue_bound = row.policy.queue_bound.value_or(scenario::kUnbounded);
  row.smallest = smallest;
  plan.rows.push_back(row);
}

PlanResult two_rows() {
  PlanResult plan;
  plan.scenario.pool.speeds = {1};
  plan.scenario.pool.queue_bounds = {scenario::kUnbounded};
  plan.slo = {{.name = "p99_response", .limit = 0.08}};
  add_row_of(plan, "least_loaded", 21);
  add_row_of(plan, "central", 19);
  return plan;
}

TEST(SettingsToPaste, AreForTheSystemsOfTheList) {
  EXPECT_THAT(settings_systems(),
              ElementsAre("kubernetes-hpa", "keda", "systemd", "envoy", "nginx", "haproxy",
                          "celery", "temporal", "ray-serve", "pool"));
  for (const auto name : settings_systems())
    EXPECT_THAT(settings_systems_text(), HasSubstr(std::string(name) + " "));
}

TEST(SettingsToPaste, SayTheVersionThatTheirKeysWereCheckedFor) {
  for (const auto name : settings_systems()) {
    const auto text = settings_to_paste(two_rows(), name);
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, ::testing::ContainsRegex("^(#|//) Checked for [^\n]+\n")) << name;
  }
}

TEST(SettingsToPaste, AreForTheSmallestRowThatTheSystemHas) {
  EXPECT_THAT(*settings_to_paste(two_rows(), "haproxy"),
              AllOf(HasSubstr("# central: 19 workers for p99 response <= 80.0 ms;"),
                    HasSubstr("worker19 "), Not(HasSubstr("worker20 ")), HasSubstr("leastconn")));
  EXPECT_THAT(*settings_to_paste(two_rows(), "nginx"),
              AllOf(HasSubstr("# least_loaded: 21 workers for"),
                    HasSubstr("# central would need 19, but is not to be had here.\n"),
                    HasSubstr("least_conn;"), HasSubstr("10.0.0.21:")));
}

TEST(SettingsToPaste, ReplaceNoPolicyByAnother) {
  PlanResult plan = two_rows();
  plan.rows.clear();
  add_row_of(plan, "jiq", 7);
  const auto text = settings_to_paste(plan, "nginx");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("# Nothing to set: nginx does not have what was planned (jiq).\n"));
  EXPECT_THAT(*text, Not(HasSubstr("upstream workers")));
  for (std::size_t at = 0; at < text->size(); at = text->find('\n', at) + 1)
    EXPECT_THAT(text->substr(at), StartsWith("# ")) << "comments alone";
}

TEST(SettingsToPaste, SayWhatTheBlockDoesNotHold) {
  auto plan = two_rows();
  plan.scenario.pool.speeds = {1, 2};
  plan.scenario.pool.queue_bounds = {scenario::kUnbounded, scenario::kUnbounded};
  plan.scenario.pool.worker.discipline = scenario::Discipline::srpt;
  EXPECT_THAT(*settings_to_paste(plan, "haproxy"),
              AllOf(HasSubstr("# The workers differ in speed: 10 × 1, 9 × 2.\n"),
                    HasSubstr("# How workers serve (order, batches, failures, start-up)")));
}

TEST(SettingsToPaste, NeedAKnownSystemAndAnAnswer) {
  const auto unknown = settings_to_paste(two_rows(), "nginz");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().what, StartsWith("unknown system 'nginz' (did you mean 'nginx'?)"));
  const auto none = settings_to_paste(PlanResult{}, "nginx");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().what, "there is nothing to set: no policy meets the objectives");
}

TEST(SettingsToPaste, HoldWhatWasMeasured) {
  // M/M/9 at 6.4 tasks per second and 1 s each: busy 71% of the time.
  const auto scenario = scenario::parse_scenario(R"(
[workload]
arrivals = { kind = "poisson", rate = 6.4 }
service = { distribution = "exponential", mean = 1 }
[pool]
workers = 9
[dispatch]
policies = ["central"]
[run]
tasks = 3000
)",
                                                 "queue.toml");
  ASSERT_TRUE(scenario);
  const auto found = plan(*scenario, {.slo = {{.name = "mean_wait",
                                               .quantity = scenario::Quantity::wait,
                                               .statistic = scenario::Statistic::mean,
                                               .limit = 0.15}}});
  ASSERT_TRUE(found);
  const auto text = settings_to_paste(*found, "kubernetes-hpa");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("# central: 9 workers for mean wait <= 150 ms; they are busy 71."));
  EXPECT_THAT(*text, HasSubstr("averageUtilization: 71\n"));
}

}  // namespace
}  // namespace artel::plan
