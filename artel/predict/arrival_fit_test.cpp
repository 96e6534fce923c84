#include "artel/predict/arrival_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::predict {
namespace {

using namespace std::chrono_literals;

std::vector<Instant> drawn(scenario::Arrivals arrivals, std::uint64_t tasks, Seed seed = Seed{1}) {
  scenario::Scenario scenario;
  scenario.workload.arrivals = std::move(arrivals);
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.run.tasks = tasks;
  scenario.run.seed = seed;
  fleet::TaskSource source(scenario, 0);
  std::vector<Instant> times;
  while (const auto arrival = source.next_arrival()) times.push_back(*arrival);
  return times;
}

TEST(FitArrivals, EqualGapsAreConstant) {
  const auto fit = fit_arrivals(drawn(scenario::ConstantArrivals{.rate = 100}, 1000));
  ASSERT_TRUE(std::holds_alternative<scenario::ConstantArrivals>(fit.process));
  EXPECT_NEAR(std::get<scenario::ConstantArrivals>(fit.process).rate, 100, 1e-6);
  EXPECT_EQ(fit.ks, 0);
  for (const auto& d : fit.dispersion) EXPECT_LT(d.recorded, 0.1);
}

TEST(FitArrivals, PoissonArrivalsAreRecognisedWhateverTheSeed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto fit = fit_arrivals(drawn(scenario::PoissonArrivals{.rate = 50}, 20'000, Seed{seed}));
    ASSERT_TRUE(std::holds_alternative<scenario::PoissonArrivals>(fit.process)) << seed;
    EXPECT_NEAR(fit.rate, 50, 50 * 4 / std::sqrt(20'000.0)) << seed;  // four standard deviations
    EXPECT_NEAR(fit.gap_scv, 1, 0.1) << seed;
    EXPECT_LT(fit.ks, 1.5 * fit.ks_noise) << seed;
  }
}

TEST(FitArrivals, GapsMoreEvenThanPoissonsAreGamma) {
  for (const double shape : {2.0, 4.0, 25.0}) {
    const auto truth = *random::Distribution::gamma({.shape = shape, .scale = 0.02 / shape});
    const auto fit = fit_arrivals(drawn(scenario::RenewalArrivals{truth}, 50'000));
    const auto* gamma = std::get_if<scenario::RenewalArrivals>(&fit.process);
    ASSERT_NE(gamma, nullptr) << shape;
    EXPECT_NEAR(gamma->gap.mean(), 0.02, 0.0005) << shape;
    EXPECT_NEAR(gamma->gap.scv() * shape, 1, 0.05) << shape;
    EXPECT_LT(fit.ks, 1.5 * fit.ks_noise) << shape;
    for (const auto& d : fit.dispersion)
      EXPECT_NEAR(d.fitted, d.recorded, 0.02 + 5 * d.noise * d.recorded) << to_seconds(d.window);
  }
}

// Gaps are even, but how many come goes up and down: no renewal process does that.
TEST(FitArrivals, EvenGapsWhoseRateVariesAreNotGamma) {
  std::vector<Instant> arrivals{Instant{}};
  for (int i = 0; i < 20'000; ++i)
    arrivals.push_back(later(arrivals.back(), i / 1000 % 2 == 0 ? 10ms : 20ms));
  const auto fit = fit_arrivals(arrivals);
  EXPECT_LT(fit.gap_scv, 0.2);
  EXPECT_TRUE(std::holds_alternative<scenario::MmppArrivals>(fit.process));
}

TEST(FitArrivals, TheKolmogorovDistanceIsThatOfTheDefinition) {
  // Gaps 1, 3 of mean 2: P(gap <= t) = 1 - exp(-t / 2).
  const auto fit = fit_arrivals(std::vector<Instant>{Instant{0s}, Instant{1s}, Instant{4s}});
  const double at_1 = 1 - std::exp(-0.5);
  const double at_3 = 1 - std::exp(-1.5);
  const double greatest = std::max({at_1, std::abs(0.5 - at_1), at_3 - 0.5, 1 - at_3});
  EXPECT_DOUBLE_EQ(fit.ks, greatest);
  EXPECT_DOUBLE_EQ(fit.rate, 0.5);
}

TEST(FitArrivals, BurstsComeBackAsTheStatesThatMadeThem) {
  const scenario::MmppArrivals truth{
      {{.rate = 200, .mean_duration = 4s}, {.rate = 1000, .mean_duration = 1s}}};
  const auto fit = fit_arrivals(drawn(truth, 200'000));
  ASSERT_TRUE(std::holds_alternative<scenario::MmppArrivals>(fit.process));
  const auto& states = std::get<scenario::MmppArrivals>(fit.process).states;
  ASSERT_EQ(states.size(), 2U);
  EXPECT_NEAR(states[0].rate, 200, 20);
  EXPECT_NEAR(states[1].rate, 1000, 100);
  EXPECT_NEAR(to_seconds(states[0].mean_duration), 4, 1);
  EXPECT_NEAR(to_seconds(states[1].mean_duration), 1, 0.25);
  EXPECT_LT(fit.ks, 3 * fit.ks_noise);
  for (const auto& d : fit.dispersion) {
    if (d.window > 20s) continue;  // few windows: chance
    EXPECT_NEAR(d.fitted, d.recorded, 0.3 * d.recorded) << to_seconds(d.window);
  }
}

TEST(FitArrivals, TheFittedProcessKeepsTheRecordedRate) {
  const scenario::MmppArrivals truth{
      {{.rate = 10, .mean_duration = 1s}, {.rate = 500, .mean_duration = 300ms}}};
  const auto fit = fit_arrivals(drawn(truth, 50'000));
  ASSERT_TRUE(std::holds_alternative<scenario::MmppArrivals>(fit.process));
  double tasks = 0;
  double seconds = 0;
  for (const auto& state : std::get<scenario::MmppArrivals>(fit.process).states) {
    tasks += state.rate * to_seconds(state.mean_duration);
    seconds += to_seconds(state.mean_duration);
  }
  EXPECT_NEAR(tasks / seconds, fit.rate, 1e-6 * fit.rate);
}

TEST(FitArrivals, TwoArrivalsAreEnough) {
  const auto fit = fit_arrivals(std::vector<Instant>{Instant{0s}, Instant{2s}});
  EXPECT_DOUBLE_EQ(fit.rate, 0.5);
  EXPECT_TRUE(fit.dispersion.empty());
}

}  // namespace
}  // namespace artel::predict
