#include "artel/dispatch/policy_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/affinity.hpp"
#include "artel/dispatch/c3.hpp"
#include "artel/dispatch/cache_aware.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/jbt.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/sita.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string mistake(std::string_view policy, const Parameters& parameters = {}) {
  const auto made = make_policy(policy, parameters);
  return made ? "none" : to_string(made.error());
}

TEST(PolicyTable, EveryPolicyIsMadeByItsNameAlone) {
  for (const PolicyEntry& entry : policy_table()) {
    if (!entry.alone) continue;
    const auto made = make_policy(entry.name);
    ASSERT_TRUE(made) << entry.name;
    EXPECT_THAT(name(*made), ::testing::StartsWith(std::string(entry.name)));
  }
  EXPECT_EQ(policy_table().size(), std::variant_size_v<Policy>);  // custom: as a plugin
}

TEST(PolicyTable, ParametersArriveInThePolicy) {
  const auto jsq = std::get<Jsq>(*make_policy("jsq", {{"d", 5.0}, {"busyness", "occupancy"}}));
  EXPECT_EQ(jsq.d, 5U);
  EXPECT_EQ(jsq.busyness.measure(), Measure::occupancy);
  EXPECT_EQ(name(*make_policy("jsq", {{"d", "all"}})), "jsq(all)");
  EXPECT_TRUE(std::get<Jsq>(*make_policy("jsq", {{"draws", "different"}})).different);
  EXPECT_THAT(mistake("jsq", {{"draws", "twice"}}), HasSubstr("allowed: independent, different"));
  const auto loop = std::get<ClosedLoop>(*make_policy(
      "closed_loop", {{"law", "yawp"}, {"beacon_every", "50ms"}, {"publish_every", 0.5}}));
  EXPECT_EQ(loop.law, Law::yawp);
  EXPECT_EQ(loop.beacon_every, milliseconds(50));
  EXPECT_EQ(loop.publish_every, milliseconds(500));
}

TEST(PolicyTable, CutoffsAreNumbersOrText) {
  const std::vector<Duration> expected{milliseconds(100), milliseconds(2000)};
  const auto cutoffs = [](const ParameterValue& value) {
    return std::get<Sita>(*make_policy("sita", {{"cutoffs", value}})).cutoffs;
  };
  EXPECT_EQ(cutoffs(std::vector<double>{0.1, 2}), expected);
  EXPECT_EQ(cutoffs("100ms,2 s"), expected);
  EXPECT_EQ(cutoffs(" 0.1 , 2"), expected);
}

TEST(PolicyTable, UnknownNamesAreMetWithTheNearest) {
  EXPECT_THAT(mistake("jqs"), AllOf(HasSubstr("unknown policy 'jqs' (did you mean 'jsq'?)"),
                                    HasSubstr("least_loaded")));
  EXPECT_EQ(mistake("jsq", {{"dd", 2.0}}),
            "dd: unknown parameter of jsq 'dd' (did you mean 'd'?); allowed: d, busyness, draws");
  EXPECT_EQ(mistake("jiq", {{"d", 2.0}}), "d: jiq takes no parameters");
  EXPECT_THAT(mistake("least_loaded", {{"busyness", "ocupancy"}}),
              HasSubstr("did you mean 'occupancy'?"));
  EXPECT_THAT(mistake("closed_loop", {{"law", "yap"}}), HasSubstr("allowed: level, yawp"));
}

TEST(PolicyTable, WrongValuesAreMetWithWhatIsAllowed) {
  for (const ParameterValue& d : std::vector<ParameterValue>{0.0, 65.0, 2.5, -1.0, "two"}) {
    EXPECT_THAT(mistake("jsq", {{"d", d}}), HasSubstr("allowed: whole number, 1 to 64"));
  }
  EXPECT_THAT(mistake("jsq", {{"busyness", 3.0}}), HasSubstr("found 3, allowed: queued"));
  for (const ParameterValue& time :
       std::vector<ParameterValue>{0.0, -1.0, "soon", "inf", std::vector{1.0}}) {
    EXPECT_THAT(mistake("closed_loop", {{"beacon_every", time}}), HasSubstr("time above 0"));
  }
  for (const ParameterValue& cutoffs :
       std::vector<ParameterValue>{std::vector{2.0, 1.0}, "1s,1s", "1s,,2s", "", 0.0}) {
    EXPECT_THAT(mistake("sita", {{"cutoffs", cutoffs}}), HasSubstr("ascending"));
  }
  EXPECT_THAT(mistake("sita", {{"cutoffs", 1.0}, {"intervals", 2.0}}), HasSubstr("not both"));
}

TEST(PolicyTable, TheParametersOfTodaysPolicies) {
  const auto ewma = std::get<PeakEwma>(
      *make_policy("peak_ewma", {{"d", "all"}, {"decay", "2s"}, {"initial", 0.005}}));
  EXPECT_EQ(ewma.d, Jsq::kAll);
  EXPECT_EQ(ewma.decay, milliseconds(2000));
  EXPECT_EQ(ewma.initial, milliseconds(5));
  const auto rendezvous =
      std::get<Rendezvous>(*make_policy("rendezvous", {{"bound", 1.25}, {"subset", 3.0}}));
  EXPECT_EQ(rendezvous.bound, 1.25);
  EXPECT_EQ(rendezvous.subset, 3U);
  EXPECT_THAT(mistake("rendezvous", {{"bound", 0.5}}), HasSubstr("1 or more, or 'inf'"));
  EXPECT_EQ(std::get<Maglev>(*make_policy("maglev", {{"places", 211.0}})).places, 211U);
  EXPECT_THAT(mistake("maglev", {{"places", 210.0}}), HasSubstr("found 210, allowed: prime"));
}

TEST(PolicyTable, AThresholdMayBeInfinite) {
  const auto threshold = [](const ParameterValue& value) {
    return std::get<Jbt>(*make_policy("jbt", {{"threshold", value}})).threshold;
  };
  EXPECT_EQ(threshold(7.0), 7U);
  EXPECT_EQ(threshold("inf"), kUnbounded);
  EXPECT_EQ(threshold(std::numeric_limits<double>::infinity()), kUnbounded);
  for (const ParameterValue& wrong :
       std::vector<ParameterValue>{0.0, 1.5, 1e7, "many", -std::numeric_limits<double>::infinity()})
    EXPECT_THAT(mistake("jbt", {{"threshold", wrong}}), HasSubstr("1 to 1000000, or 'inf'"));
}

TEST(PolicyTable, TheParametersOfC3) {
  EXPECT_EQ(std::get<C3>(*make_policy("c3")).d, Jsq::kAll);
  const auto c3 = std::get<C3>(
      *make_policy("c3", {{"d", 5.0}, {"clients", 9.0}, {"decay", "2s"}, {"initial", "5ms"}}));
  EXPECT_EQ(c3.d, 5U);
  EXPECT_EQ(c3.clients, 9U);
  EXPECT_EQ(c3.decay, milliseconds(2000));
  EXPECT_EQ(c3.initial, milliseconds(5));
  EXPECT_THAT(mistake("c3", {{"clients", 0.0}}), HasSubstr("found 0, allowed: whole number, 1 to"));
}

TEST(PolicyTable, TheParametersOfThoseThatGoByCaches) {
  EXPECT_EQ(std::get<Affinity>(*make_policy("affinity", {{"beta", 0.0}})).beta, 0);
  EXPECT_EQ(std::get<Affinity>(*make_policy("affinity")).beta, Affinity{}.beta);
  EXPECT_THAT(mistake("affinity", {{"beta", -0.5}}),
              HasSubstr("found -0.5, allowed: number, 0 or"));
  EXPECT_THAT(mistake("affinity", {{"beta", "much"}}), HasSubstr("found 'much', allowed: number"));
  EXPECT_THAT(mistake("affinity", {{"beta", std::nan("")}}), HasSubstr("allowed: number"));
  const auto found = std::get<CacheAware>(*make_policy(
      "cache_aware", {{"cache_threshold", 0.5}, {"balance_abs", 32.0}, {"balance_rel", 1.1}}));
  EXPECT_EQ(found.cache_threshold, 0.5);
  EXPECT_EQ(found.balance_abs, 32U);
  EXPECT_EQ(found.balance_rel, 1.1);
  EXPECT_THAT(mistake("cache_aware", {{"cache_threshold", 1.5}}),
              HasSubstr("allowed: number, 0 to 1"));
  EXPECT_THAT(mistake("cache_aware", {{"balance_abs", 0.5}}),
              HasSubstr("allowed: whole number, 0 to"));
}

TEST(PolicyTable, TheParametersOfPrequal) {
  const auto prequal = std::get<Prequal>(*make_policy("prequal", {{"pool", 8.0},
                                                                  {"r_probe", 1.5},
                                                                  {"r_remove", 0.0},
                                                                  {"q_rif", 1.0},
                                                                  {"delta", 0.25},
                                                                  {"max_age", "2s"},
                                                                  {"decay", 3.0},
                                                                  {"initial", "5ms"}}));
  EXPECT_EQ(prequal.pool, 8U);
  EXPECT_EQ(prequal.r_probe, 1.5);
  EXPECT_EQ(prequal.r_remove, 0);
  EXPECT_EQ(prequal.q_rif, 1);
  EXPECT_EQ(prequal.delta, 0.25);
  EXPECT_EQ(prequal.max_age, milliseconds(2000));
  EXPECT_EQ(prequal.decay, milliseconds(3000));
  EXPECT_EQ(prequal.initial, milliseconds(5));
  EXPECT_NEAR(std::get<Prequal>(*make_policy("prequal")).q_rif, std::pow(2, -0.25), 1e-15);
  EXPECT_THAT(mistake("prequal", {{"pool", 1.0}}), HasSubstr("found 1, allowed: whole number, 2"));
  EXPECT_THAT(mistake("prequal", {{"pool", 65.0}}), HasSubstr("found 65"));
  EXPECT_THAT(mistake("prequal", {{"r_probe", 0.0}}),
              HasSubstr("r_probe of prequal: found 0, allowed: number above 0, up to 64"));
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {-0.1, 1.1, kNan})
    EXPECT_THAT(mistake("prequal", {{"q_rif", wrong}}), HasSubstr("allowed: number, 0 to 1"));
  for (const double wrong : {-1.0, 64.5, kNan})
    EXPECT_THAT(mistake("prequal", {{"r_remove", wrong}}), HasSubstr("number, 0 to 64"));
  for (const double wrong : {-1.0, kInfinity, kNan})
    EXPECT_THAT(mistake("prequal", {{"delta", wrong}}), HasSubstr("number, 0 or more"));
  EXPECT_THAT(mistake("prequal", {{"q_rif", "high"}}), HasSubstr("found 'high'"));
}

TEST(PolicyTable, WeightedLeastRequestTakesABias) {
  const auto made = make_policy("weighted_least_request", {{"bias", 0.5}});
  ASSERT_TRUE(made);
  EXPECT_EQ(std::get<WeightedLeastRequest>(*made).bias, 0.5);
  EXPECT_EQ(name(*made), "weighted_least_request(0.5)");
  EXPECT_THAT(mistake("weighted_least_request", {{"bias", -1.0}}), HasSubstr("number, 0 to 100"));
}

TEST(PolicyTable, EveryPolicyHasItsPage) {
  const std::filesystem::path pages = std::filesystem::path(ARTEL_SOURCE_DIR) / "docs/policies";
  for (const PolicyEntry& entry : policy_table()) {
    EXPECT_TRUE(std::filesystem::exists(pages / (std::string(entry.name) + ".md"))) << entry.name;
  }
}

TEST(PolicyTable, NamesTellPoliciesApart) {
  EXPECT_EQ(name(Jsq{3}), "jsq(3)");
  EXPECT_EQ(name(LeastLoaded{Measure::weighted}), "least_loaded(weighted)");
  EXPECT_EQ(name(ClosedLoop{Law::yawp}), "closed_loop(yawp)");
  EXPECT_EQ(name(ClosedLoop{}), "closed_loop");
}

}  // namespace
}  // namespace artel::dispatch
