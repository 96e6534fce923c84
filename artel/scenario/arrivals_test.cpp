// Arrivals by a law of gaps, in batches, and from several sources, as a scenario says them.

#include <gtest/gtest.h>

#include <string>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using namespace std::chrono_literals;

Scenario arriving(const std::string& arrivals) {
  const auto scenario =
      parse_scenario("[workload]\narrivals = " + arrivals +
                         "\nservice = { distribution = \"exponential\", mean = \"1s\" }\n"
                         "[pool]\nworkers = 8\n[dispatch]\npolicies = [\"central\"]\n",
                     "arriving.toml");
  EXPECT_TRUE(scenario) << to_string(scenario.error().front());
  return scenario.value_or(Scenario{});
}

TEST(Arrivals, GapsByALawAreScaledToALoad) {
  const auto given = arriving(
      R"({ kind = "renewal", gap = { distribution = "gamma", shape = 0.5, scale = "1s" } })");
  EXPECT_DOUBLE_EQ(given.workload.rate, 2);
  const auto scaled = arriving(R"({ kind = "renewal", load = 0.5, gap = "100ms" })");
  EXPECT_DOUBLE_EQ(scaled.workload.rate, 4);
  EXPECT_DOUBLE_EQ(std::get<RenewalArrivals>(scaled.workload.arrivals).gap.mean(), 0.25);
  const auto batches = arriving(R"({ kind = "renewal", gap = "1s", batch = [1, 5] })");
  EXPECT_DOUBLE_EQ(batches.workload.rate, 3);
}

TEST(Arrivals, ARateIsOfTasksNotOfBatches) {
  const auto scenario = arriving(R"({ kind = "poisson", rate = 4, batch = 10 })");
  EXPECT_DOUBLE_EQ(scenario.workload.rate, 4);
  EXPECT_EQ(scenario.workload.batch, BatchSizes{10});
  EXPECT_DOUBLE_EQ(scenario.load(), 0.5);
}

constexpr const char* kTwoSources = R"(sources = [
  { kind = "poisson", rate = 1 },
  { kind = "renewal", gap = "1s", batch = 3 },
])";

TEST(Arrivals, OfASumAddUpAndAreScaledTogether) {
  const auto given = arriving(std::string(R"({ kind = "sum", )") + kTwoSources + " }");
  EXPECT_DOUBLE_EQ(given.workload.rate, 4);
  const auto scaled =
      arriving(std::string(R"({ kind = "sum", load = 0.75, )") + kTwoSources + " }");
  const auto& sources = std::get<SummedArrivals>(scaled.workload.arrivals).sources;
  EXPECT_DOUBLE_EQ(scaled.workload.rate, 6);
  EXPECT_DOUBLE_EQ(sources[0].rate, 1.5);
  EXPECT_DOUBLE_EQ(std::get<PoissonArrivals>(sources[0].arrivals).rate, 1.5);
  EXPECT_DOUBLE_EQ(sources[1].rate, 4.5);
}

TEST(Arrivals, AreMadeFasterWhateverTheirKind) {
  auto scenario = arriving(std::string(R"({ kind = "sum", )") + kTwoSources + " }");
  make_faster(scenario.workload.arrivals, 2);
  const auto& sources = std::get<SummedArrivals>(scenario.workload.arrivals).sources;
  EXPECT_DOUBLE_EQ(sources[0].rate, 2);
  EXPECT_DOUBLE_EQ(sources[1].rate, 6);
  EXPECT_DOUBLE_EQ(std::get<RenewalArrivals>(sources[1].arrivals).gap.mean(), 0.5);
}

TEST(Arrivals, OfASumWithATimetableLastForItsDay) {
  const auto scenario = arriving(R"({ kind = "sum", sources = [
    { kind = "constant", rate = 1 },
    { kind = "timetable", day = "1h", points = [{ at = 0, rate = 2 }] } ] })");
  EXPECT_EQ(scenario.run.duration, Duration{1h});
  EXPECT_FALSE(scenario.run.tasks);
}

TEST(Arrivals, DiceAreThrownForWhatIsLeftToChance) {
  EXPECT_FALSE(drawn(ConstantArrivals{.rate = 1}, {4}));
  EXPECT_TRUE(drawn(ConstantArrivals{.rate = 1}, {4, 5}));
  EXPECT_TRUE(drawn(PoissonArrivals{.rate = 1}, {}));
  EXPECT_FALSE(drawn(RenewalArrivals{*random::Distribution::constant(1)}, {}));
  EXPECT_TRUE(drawn(RenewalArrivals{*random::Distribution::exponential(1)}, {}));
  const ArrivalSource even{.arrivals = ConstantArrivals{.rate = 1}};
  const ArrivalSource chance{.arrivals = PoissonArrivals{.rate = 1}};
  EXPECT_FALSE(drawn(SummedArrivals{{even, even}}, {}));
  EXPECT_TRUE(drawn(SummedArrivals{{even, chance}}, {}));
}

TEST(Arrivals, WhatIsWrongIsNamed) {
  EXPECT_EQ(arrivals_errors(R"({ kind = "poisson", rate = 1, batch = 0 })"
                            "\n"),
            "s.toml:3:50: workload.arrivals.batch: found 0, allowed: a whole number from 1 to "
            "100000, or a list of them\n");
  EXPECT_EQ(arrivals_errors(R"({ kind = "poisson", rate = 1, batch = [2, 1.5] })"
                            "\n"),
            "s.toml:3:50: workload.arrivals.batch: found 1.5, allowed: a whole number from 1 to "
            "100000, or a list of them\n");
  EXPECT_EQ(
      arrivals_errors(R"({ kind = "renewal", gap = 0 })"
                      "\n"),
      "s.toml:3:38: workload.arrivals.gap: the mean is 0 s, allowed: at least a nanosecond\n");
  EXPECT_EQ(arrivals_errors(R"({ kind = "sum", sources = [{ kind = "trace" }] })"
                            "\n"),
            "s.toml:3:48: workload.arrivals.sources.kind: found trace, allowed in a sum: poisson, "
            "constant, mmpp, timetable, renewal\n");
  EXPECT_EQ(arrivals_errors(R"({ kind = "sum", sources = [{ kind = "poisson" }] })"
                            "\n"),
            "s.toml:3:39: workload.arrivals.sources.rate is missing; expected a rate or a load\n");
}

}  // namespace
}  // namespace artel::scenario
