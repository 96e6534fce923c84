#include "artel/plan/pool_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {
namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  return result;
}

// One pool's options, as the compiler and as a reader sees them.
struct Sample {
  pool::PoolOptions compiled;
  std::string code;
};
#define ARTEL_SAMPLE(...) \
  Sample { pool::PoolOptions{__VA_ARGS__}, #__VA_ARGS__ }

std::vector<Sample> samples() {
  return {
      ARTEL_SAMPLE(.workers = 3, .dispatch = dispatch::Random{}, ),
      ARTEL_SAMPLE(.workers = 3, .dispatch = dispatch::RoundRobin{}, ),
      ARTEL_SAMPLE(.workers = 3, .dispatch = dispatch::WeightedRoundRobin{}, ),
      ARTEL_SAMPLE(.workers = 3, .dispatch = dispatch::LeastLoaded{}, ),
      ARTEL_SAMPLE(.workers = 3,
                   .dispatch = dispatch::LeastLoaded{.busyness = dispatch::Measure::occupancy}, ),
      ARTEL_SAMPLE(.workers = 20, .queue = 3, .dispatch = dispatch::Jsq{.d = 2}, ),
      ARTEL_SAMPLE(.workers = 20,
                   .dispatch = dispatch::Jsq{.d = dispatch::Jsq::kAll,
                                             .busyness = dispatch::Measure::delay}, ),
      ARTEL_SAMPLE(.workers = 4, .queue = 1, .common = 100,
                   .when_full = artel::dispatch::WhenFull::reject, .dispatch = dispatch::Jiq{}, ),
      ARTEL_SAMPLE(.workers = 2, .weights = {1.0F, 0.25F}, .dispatch = dispatch::LeastWorkLeft{}, ),
      ARTEL_SAMPLE(.workers = 2, .queues = {1, 5}, .dispatch = dispatch::Sita{}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::Sita{.intervals = 2}, ),
      ARTEL_SAMPLE(.workers = 2,
                   .dispatch = dispatch::Sita{.cutoffs = {std::chrono::microseconds(1500),
                                                          std::chrono::seconds(2)}}, ),
      ARTEL_SAMPLE(.workers = 9, .dispatch = dispatch::Jsq{.d = 2, .different = true}, ),
      ARTEL_SAMPLE(.workers = 2,
                   .dispatch = dispatch::PeakEwma{.d = dispatch::Jsq::kAll,
                                                  .decay = std::chrono::seconds(2)}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::PeakEwma{.d = 2}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::Rendezvous{.bound = 1.25, .subset = 2}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::Maglev{.places = 211}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::Jbt{.threshold = 3}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::WeightedLeastRequest{}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::WeightedLeastRequest{.bias = 0.5}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::Jbt{.threshold = dispatch::kUnbounded}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::C3{.d = dispatch::Jsq::kAll}, ),
      ARTEL_SAMPLE(.workers = 2,
                   .dispatch =
                       dispatch::C3{
                           .d = 3, .clients = 8, .initial = std::chrono::milliseconds(2)}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::Prequal{}, ),
      ARTEL_SAMPLE(.workers = 2,
                   .dispatch = dispatch::Prequal{.pool = 8,
                                                 .r_probe = 1.5,
                                                 .r_remove = 0,
                                                 .q_rif = 0.75,
                                                 .delta = 0.5,
                                                 .max_age = std::chrono::milliseconds(200)}, ),
      ARTEL_SAMPLE(.workers = 2, .dispatch = dispatch::ClosedLoop{}, ),
      ARTEL_SAMPLE(.workers = 2,
                   .dispatch =
                       dispatch::ClosedLoop{.law = dispatch::Law::yawp,
                                            .beacon_every = std::chrono::milliseconds(20),
                                            .publish_every = std::chrono::nanoseconds(77)}, ),
  };
}

TEST(PoolCode, IsWhatCompilesToTheOptions) {
  for (const auto& sample : samples()) {
    const auto code = without_blanks(pool_code(sample.compiled));
    const auto expected = without_blanks("artel::pool::Pool pool{{" + sample.code + "}};");
    EXPECT_TRUE(code.ends_with(expected)) << code << "\n" << expected;
    EXPECT_TRUE(pool::check(sample.compiled)) << "options that a pool takes: " << sample.code;
  }
}

TEST(PoolCode, EveryPolicyOfTheTableThatAPoolTakesHasASample) {
  const auto all = samples();
  for (const auto& entry : dispatch::policy_table()) {
    if (!entry.alone) continue;  // a plugin: tests/conformance/policy_plugin_test.cpp
    if (!pool::check({.dispatch = *dispatch::make_policy(entry.name)})) continue;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Sample& sample) {
      return dispatch::policy_text(sample.compiled.dispatch).starts_with(entry.name);
    })) << entry.name;
  }
}

// A plan whose only row needs three workers.
struct Answer {
  Answer() {
    plan.scenario.pool.speeds = {1, 1};
    plan.scenario.pool.queue_bounds = {4, 4};
    row.smallest = 3;
    row.queue_bound = 4;
    row.policy.policy = dispatch::Jiq{};
  }
  // Without an answer: no workers.
  [[nodiscard]] pool::PoolOptions options() const {
    return pool_options(plan, row).value_or(pool::PoolOptions{});
  }

  PlanResult plan;
  PlanRow row;
};

TEST(PoolOptionsOfAPlan, CountOnlyWaitingTasksInQueues) {
  const Answer answer;
  const auto options = answer.options();
  EXPECT_EQ(options.workers, 3U);
  EXPECT_EQ(options.queue, 3U);
  EXPECT_EQ(options.when_full, dispatch::WhenFull::block) << "the common queue is unbounded";
  EXPECT_TRUE(options.weights.empty());
}

TEST(PoolOptionsOfAPlan, RefuseWhereTheScenarioDoes) {
  Answer answer;
  answer.plan.scenario.pool.common_bound = 10;
  const auto options = answer.options();
  EXPECT_EQ(options.common, 10U);
  EXPECT_EQ(options.when_full, dispatch::WhenFull::reject);
}

TEST(PoolOptionsOfAPlan, KeepTheMixOfWorkers) {
  Answer answer;
  answer.plan.scenario.pool.speeds = {1, 2, 1};
  answer.plan.scenario.pool.queue_bounds = {2, 3, 2};
  answer.row.queue_bound.reset();
  const auto options = answer.options();
  EXPECT_EQ(options.weights, (std::vector<float>{1, 2, 1}));
  EXPECT_EQ(options.queues, (std::vector<unsigned>{1, 2, 1}));
  EXPECT_TRUE(pool::check(options));
}

TEST(PoolOptionsOfAPlan, NoneWithoutAnAnswerOrBeyondAPoolsMost) {
  Answer answer;
  answer.row.smallest = 5000;
  EXPECT_FALSE(pool_options(answer.plan, answer.row));
  answer.row.smallest.reset();
  EXPECT_FALSE(pool_options(answer.plan, answer.row));
}

}  // namespace
}  // namespace artel::plan
