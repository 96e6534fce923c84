#include "artel/scenario/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/config/schema.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::string_view kSmall = R"(
[workload]
arrivals = { kind = "poisson", rate = 6.4 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 8
[dispatch]
policies = ["random"]
)";

// The small scenario with some values replaced.
Scenario scenario(const std::vector<std::pair<std::string, std::string>>& values = {},
                  std::string_view text = kSmall) {
  std::vector<Override> overrides;
  overrides.reserve(values.size());
  for (const auto& [key, value] : values) overrides.push_back({key, value, "--set " + key});
  auto parsed = parse_scenario(text, "dir/small.toml", overrides);
  if (!parsed) {
    for (const auto& error : parsed.error()) ADD_FAILURE() << to_string(error);
    return {};
  }
  return std::move(*parsed);
}

TEST(Scenario, SmallOneGetsDefaults) {
  const auto small = scenario();
  EXPECT_EQ(small.name, "small");
  EXPECT_EQ(std::get<PoissonArrivals>(small.workload.arrivals).rate, 6.4);
  EXPECT_EQ(small.workload.mean_service_s, 1);
  EXPECT_EQ(small.workload.fork, 1U);
  EXPECT_EQ(small.workload.hint_error, 0);
  EXPECT_DOUBLE_EQ(small.load(), 0.8);
  EXPECT_THAT(small.pool.speeds, AllOf(SizeIs(8), Each(1.0)));
  EXPECT_THAT(small.pool.queue_bounds, AllOf(SizeIs(8), Each(kUnbounded)));
  EXPECT_EQ(small.pool.common_bound, kUnbounded);
  EXPECT_EQ(small.pool.when_full, dispatch::WhenFull::reject);
  EXPECT_FALSE(small.pool.take_over);
  EXPECT_EQ(small.dispatch.dispatchers, 1U);
  EXPECT_EQ(small.dispatch.staleness, 0s);
  EXPECT_EQ(small.dispatch.network_delay, 0s);
  EXPECT_EQ(small.run.tasks, 100'000U);
  EXPECT_EQ(small.run.duration, std::nullopt);
  EXPECT_EQ(small.run.replications, 10U);
  EXPECT_EQ(small.run.replications_max, 10U);
  EXPECT_EQ(small.run.warm_up.kind, WarmUp::Kind::automatic);
  EXPECT_EQ(small.run.seed, Seed{1});
  EXPECT_THAT(small.slo, SizeIs(0));
  EXPECT_THAT(small.sweep, SizeIs(0));
}

TEST(Scenario, DefaultsAreThoseOfTheSchema) {
  std::vector<std::pair<std::string, std::string>> defaults;
  for (const auto& row : scenario_schema().keys()) {
    const bool fits = row.table == "workload" || row.table == "pool" || row.table == "dispatch" ||
                      row.table == "run";
    if (!fits || row.fallback.empty() || row.fallback == config::kRequired) continue;
    if (row.key == "replications_max") continue;  // needs a precision
    defaults.emplace_back(std::string(row.table) + "." + std::string(row.key), row.fallback);
  }
  const auto given = scenario(defaults);
  const auto absent = scenario();
  EXPECT_EQ(given.workload.fork, absent.workload.fork);
  EXPECT_EQ(given.workload.hint_error, absent.workload.hint_error);
  EXPECT_EQ(given.pool.speeds, absent.pool.speeds);
  EXPECT_EQ(given.pool.queue_bounds, absent.pool.queue_bounds);
  EXPECT_EQ(given.pool.common_bound, absent.pool.common_bound);
  EXPECT_EQ(given.pool.when_full, absent.pool.when_full);
  EXPECT_EQ(given.pool.take_over, absent.pool.take_over);
  EXPECT_EQ(given.dispatch.dispatchers, absent.dispatch.dispatchers);
  EXPECT_EQ(given.dispatch.staleness, absent.dispatch.staleness);
  EXPECT_EQ(given.dispatch.network_delay, absent.dispatch.network_delay);
  EXPECT_EQ(given.run.replications, absent.run.replications);
  EXPECT_EQ(given.run.warm_up.kind, absent.run.warm_up.kind);
  EXPECT_EQ(given.run.seed, absent.run.seed);
}

TEST(Scenario, LoadBecomesARate) {
  const auto load = R"({ kind = "poisson", load = 0.5 })";
  const auto rate = [](const Scenario& s) {
    return std::get<PoissonArrivals>(s.workload.arrivals).rate;
  };
  EXPECT_DOUBLE_EQ(rate(scenario({{"workload.arrivals", load}})), 4);
  EXPECT_DOUBLE_EQ(rate(scenario({{"workload.arrivals", load}, {"pool.speeds", "2"}})), 8);
  EXPECT_DOUBLE_EQ(rate(scenario({{"workload.arrivals", load}, {"workload.fork", "2"}})), 2);
  EXPECT_DOUBLE_EQ(rate(scenario({{"workload.arrivals", load}, {"workload.service.mean", "20ms"}})),
                   200);
  EXPECT_DOUBLE_EQ(scenario({{"workload.arrivals", load}, {"workload.fork", "2"}}).load(), 0.5);
}

TEST(Scenario, ReadsEveryKindOfArrivals) {
  const auto constant = scenario({{"workload.arrivals", R"({ kind = "constant", rate = 2 })"}});
  EXPECT_EQ(std::get<ConstantArrivals>(constant.workload.arrivals).rate, 2);

  const std::string states =
      "states = [{ rate = 2, mean_duration = '30s' }, { rate = 10, mean_duration = 10 }]";
  const auto bursts = scenario({{"workload.arrivals", "{ kind = 'mmpp', " + states + " }"}});
  const auto& mmpp = std::get<MmppArrivals>(bursts.workload.arrivals);
  ASSERT_THAT(mmpp.states, SizeIs(2));
  EXPECT_EQ(mmpp.states[1].rate, 10);
  EXPECT_EQ(mmpp.states[1].mean_duration, 10s);
  EXPECT_DOUBLE_EQ(bursts.workload.rate, 4);

  const auto scaled =
      scenario({{"workload.arrivals", "{ kind = 'mmpp', load = 0.25, " + states + " }"}});
  EXPECT_DOUBLE_EQ(scaled.workload.rate, 2);
  EXPECT_DOUBLE_EQ(std::get<MmppArrivals>(scaled.workload.arrivals).states[1].rate, 5);
}

TEST(Scenario, ReadsEveryDistribution) {
  const std::vector<std::pair<std::string, double>> means{
      {"distribution = 'constant', value = '20ms'", 0.02},
      {"distribution = 'uniform', low = 1, high = '3s'", 2},
      {"distribution = 'exponential', mean = 0.5", 0.5},
      {"distribution = 'erlang', phases = 4, mean = '1s'", 1},
      {"distribution = 'hyperexponential', mean = '1s', scv = 10", 1},
      {"distribution = 'lognormal', mean = '1s', scv = 2", 1},
      {"distribution = 'weibull', shape = 1, scale = '2s'", 2},
      {"distribution = 'bounded_pareto', alpha = 1.5, low = '1s', high = '4s'", 1.7142857142857142},
      {"distribution = 'gamma', shape = 2, scale = '2s'", 4},
      {"distribution = 'empirical', values = ['1s', 2, '600ms']", 1.2},
      {"distribution = 'mixture', parts = [{ probability = 0.95, distribution = 'constant', value "
       "= '1ms' }, "
       "{ probability = 0.05, distribution = 'exponential', mean = '20ms' }]",
       0.00195}};
  for (const auto& [text, mean] : means) {
    const auto made =
        scenario({{"workload.service", "{ " + text + " }"}, {"workload.arrivals.rate", "1"}});
    EXPECT_DOUBLE_EQ(made.workload.mean_service_s, mean) << text;
    EXPECT_TRUE(std::holds_alternative<random::Distribution>(made.workload.service)) << text;
  }
}

TEST(Scenario, WorkersMayDiffer) {
  const auto lists = scenario(
      {{"pool.workers", "3"}, {"pool.speeds", "[1, 2, 5]"}, {"pool.queue_bound", "[1, 'inf', 4]"}});
  EXPECT_THAT(lists.pool.speeds, ElementsAre(1, 2, 5));
  EXPECT_THAT(lists.pool.queue_bounds, ElementsAre(1, kUnbounded, 4));

  const auto groups = scenario(
      {{"pool", "{ groups = [{ workers = 2, speed = 2.5, queue_bound = 3 }, { workers = 1 }] }"},
       {"workload.arrivals.rate", "1"}});
  EXPECT_THAT(groups.pool.speeds, ElementsAre(2.5, 2.5, 1));
  EXPECT_THAT(groups.pool.queue_bounds, ElementsAre(3, 3, kUnbounded));
}

TEST(Scenario, UnboundedIsTextOrTomlsOwn) {
  for (const auto* text : {"inf", "'inf'", "+inf"}) {
    EXPECT_THAT(scenario({{"pool.queue_bound", text}}).pool.queue_bounds, Each(kUnbounded));
  }
}

TEST(Scenario, PoliciesAreNamesOrTables) {
  const auto several =
      scenario({{"dispatch.policies",
                 "['round_robin', 'least_loaded', { name = 'jsq', d = 3 }, 'central', "
                 "{ name = 'closed_loop', law = 'yawp', beacon_every = '1s', label = 'YAWP' }, "
                 "{ name = 'jiq', queue_bound = 4, take_over = true }, { name = 'sita', cutoffs = "
                 "['1s', 2] }]"}});
  std::vector<std::string> labels;
  std::vector<std::string> names;
  for (const auto& policy : several.dispatch.policies) {
    labels.push_back(policy.label);
    names.push_back(dispatch::name(policy.policy));
  }
  EXPECT_THAT(labels, ElementsAre("round_robin", "least_loaded", "jsq(d=3)", "central", "YAWP",
                                  "jiq(queue_bound=4, take_over=true)", "sita(cutoffs=[1, 2])"));
  EXPECT_EQ(names[3], names[1]) << "central is least loaded";
  EXPECT_EQ(several.dispatch.policies[3].queue_bound, 1U);
  EXPECT_EQ(several.dispatch.policies[0].queue_bound, std::nullopt);
  EXPECT_EQ(std::get<dispatch::Jsq>(several.dispatch.policies[2].policy).d, 3U);
  EXPECT_EQ(std::get<dispatch::ClosedLoop>(several.dispatch.policies[4].policy).law,
            dispatch::Law::yawp);
  EXPECT_EQ(several.dispatch.policies[5].take_over, true);
}

TEST(Scenario, RunEndsAndRepeatsAsAsked) {
  EXPECT_EQ(scenario({{"run.tasks", "1e6"}}).run.tasks, 1'000'000U);
  const auto timed =
      scenario({{"run.duration", "1h"}, {"run.warm_up", "10min"}, {"run.seed", "7"}});
  EXPECT_EQ(timed.run.tasks, std::nullopt);
  EXPECT_EQ(timed.run.duration, 1h);
  EXPECT_EQ(timed.run.warm_up.kind, WarmUp::Kind::duration);
  EXPECT_EQ(timed.run.warm_up.duration, 10min);
  EXPECT_EQ(timed.run.seed, Seed{7});
  const auto share = scenario({{"run.warm_up", "20%"}});
  EXPECT_EQ(share.run.warm_up.kind, WarmUp::Kind::share);
  EXPECT_EQ(share.run.warm_up.share, 0.2);
  const auto precise = scenario({{"run.precision", "0.01"}, {"run.replications", "5"}});
  EXPECT_EQ(precise.run.precision, 0.01);
  EXPECT_EQ(precise.run.replications, 5U);
  EXPECT_EQ(precise.run.replications_max, 100U);
}

TEST(Scenario, ObjectivesAreNamedStatistics) {
  const auto strict = scenario(
      {{"slo", "{ p99_response = '4 s', mean_wait = 0.5, p999_wait = '9s', rejected = 0.01 }"}});
  ASSERT_THAT(strict.slo, SizeIs(4));
  EXPECT_EQ(strict.slo[0].name, "p99_response");
  EXPECT_EQ(strict.slo[0].quantity, Quantity::response);
  EXPECT_EQ(strict.slo[0].statistic, Statistic::p99);
  EXPECT_EQ(strict.slo[0].limit, 4);
  EXPECT_EQ(strict.slo[1].quantity, Quantity::wait);
  EXPECT_EQ(strict.slo[1].statistic, Statistic::mean);
  EXPECT_EQ(strict.slo[2].statistic, Statistic::p999);
  EXPECT_EQ(strict.slo[3].quantity, Quantity::rejected);
  EXPECT_EQ(strict.slo[3].limit, 0.01);
}

TEST(Scenario, LoadOfOneNeedsAnEndOrBounds) {
  const std::pair<std::string, std::string> busy{"workload.arrivals.rate", "10"};
  EXPECT_GT(scenario({busy, {"run.tasks", "1000"}}).load(), 1);
  EXPECT_GT(scenario({busy, {"run.duration", "1h"}}).load(), 1);
  EXPECT_GT(scenario({busy, {"pool.queue_bound", "4"}, {"pool.common_bound", "100"}}).load(), 1);
}

TEST(TraceArrivals, ScaleMakesThemFaster) {
  EXPECT_EQ(TraceArrivals{}.replayed(Instant{7ns}), Instant{7ns});
  EXPECT_EQ(TraceArrivals{2}.replayed(Instant{3s}), Instant{1500ms});
}

TEST(ShippedScenarios, AreSound) {
  for (const auto* name : {"llm-code", "mm8", "stale-dispatchers"}) {
    const auto path = std::string(ARTEL_SOURCE_DIR "/scenarios/") + name + ".toml";
    const auto study = load_study(path);
    EXPECT_TRUE(study) << to_string(study.error().front());
  }
}

TEST(ShippedScenarios, WhatRowsAddToABatchCountsInTheLoad) {
  const auto batched = load_scenario(ARTEL_SOURCE_DIR "/scenarios/llm-batch.toml");
  ASSERT_TRUE(batched);
  // 62 requests write a token each in 6.9 + 62 × 0.54 ms, and read 2048 words per 28 written.
  const auto& workload = batched->workload;
  const double join = 62 * 0.09e-3 * 2047.8 * (7.44e-3 / workload.mean_service_s);
  EXPECT_NEAR(batched->pool.worker.capacity(workload.mean_service_s),
              62 * 7.44e-3 / (6.9e-3 + 62 * 0.54e-3 + join), 1e-3);
}

TEST(ShippedScenarios, ReplayTheRecordedHour) {
  const auto study = load_study(ARTEL_SOURCE_DIR "/scenarios/llm-code.toml");
  ASSERT_TRUE(study);
  ASSERT_THAT(study->points, SizeIs(9));
  const auto& workload = study->points.front().scenario.workload;
  EXPECT_TRUE(std::holds_alternative<TraceService>(workload.service));
  EXPECT_EQ(workload.trace->arrivals.size(), 8819U);
  EXPECT_EQ(study->points.front().scenario.run.tasks, std::nullopt) << "the whole trace";
  EXPECT_EQ(study->points.back().scenario.workload.trace, workload.trace) << "read once";
  EXPECT_NEAR(workload.mean_service_s, 0.63033, 1e-5);
}

TEST(ShippedScenarios, TraceServesOtherArrivalsToo) {
  const Override poisson{"workload.arrivals", "{ kind = 'poisson', load = 0.7 }", "--set"};
  const auto drawn = load_scenario(ARTEL_SOURCE_DIR "/scenarios/llm-code.toml", {{poisson}});
  ASSERT_TRUE(drawn) << to_string(drawn.error().front());
  const auto& sizes = std::get<random::Distribution>(drawn->workload.service);
  EXPECT_DOUBLE_EQ(sizes.mean(), drawn->workload.mean_service_s);
  EXPECT_NEAR(drawn->load(), 0.7, 1e-12);

  const Override twice{"workload.arrivals", "{ kind = 'trace', scale = 2 }", "--set"};
  const Override once{"workload.arrivals", "{ kind = 'trace', load = 0.7 }", "--set"};
  const Override law{"workload.service", "{ distribution = 'constant', value = '1s' }", "--set"};
  const auto fast = load_scenario(ARTEL_SOURCE_DIR "/scenarios/llm-code.toml", {{twice, law}});
  ASSERT_TRUE(fast) << to_string(fast.error().front());
  EXPECT_TRUE(fast->workload.trace->services.empty());
  EXPECT_NEAR(fast->workload.rate, 2 * 2.566395, 1e-5);
  const auto loaded = load_scenario(ARTEL_SOURCE_DIR "/scenarios/llm-code.toml", {{once}});
  ASSERT_TRUE(loaded) << to_string(loaded.error().front());
  EXPECT_NEAR(loaded->load(), 0.7, 1e-12);
}

}  // namespace
}  // namespace artel::scenario
