#include "tests/experiment/drawn_scenario.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/join.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/stat/interval.hpp"

namespace artel::experiment {
namespace {

using scenario::Quantity;
using scenario::Statistic;

// ARTEL_DRAWN_SCENARIOS, ARTEL_SWARM_SEED: how many, and the first.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::vector<std::uint64_t> numbers(std::uint64_t usual) {
  std::vector<std::uint64_t> found(from_environment("ARTEL_DRAWN_SCENARIOS", usual));
  auto next = from_environment("ARTEL_SWARM_SEED", 1);
  for (auto& number : found) number = next++;
  return found;
}

std::vector<scenario::PolicySpec> policies(std::span<const std::string_view> names) {
  std::vector<scenario::PolicySpec> specs;
  for (const auto name : names) specs.push_back(scenario::parse_policy_spec(name).value());
  return specs;
}

// The drawn one with these policies, at these numbers of workers; none: at its own.
scenario::Study study_of(const DrawnScenario& drawn, std::span<const scenario::PolicySpec> specs,
                         const std::vector<scenario::SweepAxis>& sweep = {}) {
  auto study = scenario::parse_study(drawn.text, "drawn.toml", {}, sweep);
  if (!study) {
    ADD_FAILURE() << to_string(study.error().front()) << "\n" << drawn.text;
    return {};
  }
  for (auto& point : study->points)
    point.scenario.dispatch.policies.assign(specs.begin(), specs.end());
  return *std::move(study);
}

// ---- A policy that knows more is no worse than one that knows nothing

constexpr std::string_view kKnowMore[] = {
    "random",
    "central",
    "least_loaded",
    "least_loaded(busyness=weighted)",
    "jsq(d=2)",
    "jsq(d=2; draws=different)",
    "jsq(d=all)",
    "jiq",
    "jbt(threshold=2)",
    "least_work_left",
    "weighted_least_request",
    "peak_ewma",
    "c3",
};

// Where the one is worse than the other by more than both intervals.
std::string worse(const PolicyResult& one, const PolicyResult& other) {
  const auto more = [&](Quantity quantity) -> std::string {
    const auto a = one.estimate(quantity, Statistic::mean);
    const auto b = other.estimate(quantity, Statistic::mean);
    if (!(a.center - a.half_width > b.center + b.half_width)) return "";
    return fmt::format("{} of {:.4g} ± {:.2g} instead of {:.4g} ± {:.2g}",
                       quantity == Quantity::failed ? "failures" : "mean response", a.center,
                       a.half_width, b.center, b.half_width);
  };
  const auto failures = more(Quantity::failed);
  // Who fails less may take longer.
  const bool alike = one.estimate(Quantity::failed, Statistic::mean).center ==
                     other.estimate(Quantity::failed, Statistic::mean).center;
  return !failures.empty() || !alike ? failures : more(Quantity::response);
}

TEST(DrawnScenarios, APolicyThatKnowsMoreIsNoWorseThanRandom) {
  constexpr std::uint64_t kTasks = 1500;
  constexpr std::uint32_t kReplications = 6;
  for (const auto number : numbers(8)) {
    const auto drawn = draw_scenario(number, kTasks, kReplications);
    // Its only queue is the common one, so fewer tasks find room.
    const auto excused = [&](std::string_view policy) {
      return policy == "central" && drawn.has("common_bound");
    };
    const auto found = run_experiment(study_of(drawn, policies(kKnowMore)), {});
    if (found.points.empty()) continue;
    const auto& results = found.points.front().policies;
    for (std::size_t k = 1; k < results.size(); ++k) {
      if (excused(kKnowMore[k]) || worse(results[k], results[0]).empty()) continue;
      // One in thousands is by chance: once more, with four times the tasks.
      const std::string_view again[] = {"random", kKnowMore[k]};
      const auto longer = run_experiment(
          study_of(draw_scenario(number, 4 * kTasks, 2 * kReplications), policies(again)), {});
      const auto& both = longer.points.front().policies;
      EXPECT_EQ(worse(both[1], both[0]), "") << kKnowMore[k] << ", scenario " << number << ":\n"
                                             << drawn.text;
    }
  }
}

// ---- A plan and a sweep say the same of the same file

std::vector<scenario::PolicySpec> every_policy() {
  std::vector<std::string_view> names = scenario::policy_names();
  // These need files, caches, or workers that have beacons.
  std::erase_if(names, [](std::string_view name) {
    return name == "plugin" || name == "affinity" || name == "cache_aware" || name == "closed_loop";
  });
  return policies(names);
}

TEST(DrawnScenarios, APlanAndASweepOfWorkersAgree) {
  constexpr std::uint64_t kTasks = 150;
  constexpr std::uint32_t kReplications = 5;  // the fewest that a plan makes
  const auto specs = every_policy();
  std::uint64_t compared = 0;
  for (const auto number : numbers(6)) {
    const auto drawn = draw_scenario(number, kTasks, kReplications);
    if (drawn.has("speeds")) continue;  // have as many workers as they are
    const auto study = study_of(drawn, specs);
    const auto plan =
        plan::plan(study.points.at(0).scenario,
                   {.slo = {{.name = "mean_response", .statistic = Statistic::mean, .limit = 2.5}},
                    .workers_max = 16});
    ASSERT_TRUE(plan) << to_string(plan.error());
    std::set<std::uint32_t> sizes;
    for (const auto& row : plan->rows)
      for (const auto& trial : row.trials) sizes.insert(trial.workers);
    if (sizes.empty()) continue;
    const auto swept = run_experiment(
        study_of(drawn, specs, {*scenario::parse_sweep("pool.workers=" + join(sizes, ","))}), {});
    std::size_t point = 0;
    for (const auto workers : sizes) {
      for (std::size_t k = 0; k < specs.size(); ++k) {
        const auto* const trial = plan->rows.at(k).trial(workers);
        if (trial == nullptr) continue;
        const auto& simulated = swept.points.at(point).policies.at(k).replications;
        ASSERT_FALSE(simulated.empty());
        for (std::size_t i = 0; i < simulated.size(); ++i)
          EXPECT_EQ(trial->result.replications.at(i), simulated.at(i))
              << specs[k].label << " with " << workers << ", scenario " << number << ":\n"
              << drawn.text;
        ++compared;
      }
      ++point;
    }
  }
  EXPECT_GT(compared, 10U);
}

}  // namespace
}  // namespace artel::experiment
