#include "artel/plan/next_workers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"

namespace artel::plan {
namespace {

using VerdictOf = std::function<experiment::Verdict(std::uint32_t workers)>;

// Searches to the end.
std::vector<PlanTrial> search(const PlanRange& range, const VerdictOf& verdict_of) {
  std::vector<PlanTrial> trials;
  while (const auto workers = next_workers(trials, range)) {
    const auto at = std::find_if(trials.begin(), trials.end(),
                                 [&](const auto& trial) { return trial.workers >= *workers; });
    EXPECT_TRUE(at == trials.end() || at->workers > *workers) << "never the same twice";
    EXPECT_GE(*workers, range.min);
    EXPECT_LE(*workers, range.max);
    trials.insert(at, {.workers = *workers, .verdict = verdict_of(*workers)});
    if (trials.size() > 5000) break;
  }
  return trials;
}

experiment::Verdict verdict_at(const std::vector<PlanTrial>& trials, std::uint32_t workers) {
  for (const auto& trial : trials) {
    if (trial.workers == workers) return trial.verdict;
  }
  ADD_FAILURE() << workers << " was not tried";
  return experiment::Verdict::unclear;
}

PlanRange any_range() {
  PlanRange range;
  range.min = *rc::gen::inRange(1U, 50U);
  range.first = range.min + *rc::gen::inRange(0U, 100U);
  range.max = range.first + *rc::gen::inRange(0U, 2000U);
  return range;
}

RC_GTEST_PROP(PlanSearch, FindsTheThresholdInFewTrials, ()) {
  const auto range = any_range();
  const auto threshold = *rc::gen::inRange(1U, 2400U);
  const auto trials = search(range, [&](auto workers) {
    return workers >= threshold ? experiment::Verdict::met : experiment::Verdict::missed;
  });
  const auto expected = threshold > range.max ? 0 : std::max(threshold, range.min);
  RC_ASSERT(smallest_met(trials).value_or(0) == expected);
  RC_ASSERT(holes(trials).empty());
  RC_ASSERT(trials.size() <= 26U);
}

RC_GTEST_PROP(PlanSearch, NeighboursOfTheAnswerAreTriedWhateverTheVerdicts, ()) {
  const auto range = any_range();
  const auto verdicts = *rc::gen::container<std::vector<experiment::Verdict>>(
      range.max + 1, rc::gen::element(experiment::Verdict::met, experiment::Verdict::met,
                                      experiment::Verdict::missed, experiment::Verdict::unclear));
  const auto trials = search(range, [&](auto workers) { return verdicts[workers]; });
  const auto smallest = smallest_met(trials);
  if (!smallest) {
    RC_ASSERT(verdict_at(trials, range.max) != experiment::Verdict::met);
    return;
  }
  RC_ASSERT(verdict_at(trials, *smallest) == experiment::Verdict::met);
  if (*smallest > range.min)
    RC_ASSERT(verdict_at(trials, *smallest - 1) != experiment::Verdict::met);
  if (*smallest < range.max)
    RC_ASSERT(verdict_at(trials, *smallest + 1) == experiment::Verdict::met);
}

TEST(PlanSearch, UnclearIsNotMet) {
  const auto trials = search({.first = 10, .min = 1, .max = 100}, [](auto workers) {
    return workers > 12    ? experiment::Verdict::met
           : workers == 12 ? experiment::Verdict::unclear
                           : experiment::Verdict::missed;
  });
  EXPECT_EQ(smallest_met(trials), 13U);
}

TEST(PlanSearch, GoesOnAboveWorkersThatDoWorse) {
  const auto trials = search({.first = 8, .min = 1, .max = 100}, [](auto workers) {
    return workers >= 8 && workers != 9 ? experiment::Verdict::met : experiment::Verdict::missed;
  });
  EXPECT_EQ(smallest_met(trials), 10U);
  EXPECT_EQ(holes(trials), std::vector<std::uint32_t>{9});
}

TEST(PlanSearch, UnclearIsNoHole) {
  const auto trials = search({.first = 8, .min = 1, .max = 100}, [](auto workers) {
    return workers == 12  ? experiment::Verdict::unclear
           : workers > 10 ? experiment::Verdict::met
                          : experiment::Verdict::missed;
  });
  EXPECT_EQ(verdict_at(trials, 11), experiment::Verdict::met);
  EXPECT_THAT(holes(trials), ::testing::IsEmpty());
}

TEST(PlanSearch, SizesThatGoByOddAndEvenAreFoundOut) {
  for (const std::uint32_t first : {3U, 8U, 16U, 40U}) {
    const auto trials = search({.first = first, .min = 1, .max = 100}, [](auto workers) {
      return workers >= 20 || workers % 2 == 1 ? experiment::Verdict::met
                                               : experiment::Verdict::missed;
    });
    EXPECT_EQ(smallest_met(trials), 19U) << first;
    EXPECT_THAT(holes(trials), ::testing::Contains(18U)) << first;
    EXPECT_EQ(verdict_at(trials, 17), experiment::Verdict::met) << first;
  }
}

TEST(PlanSearch, NothingMetEndsAtTheMost) {
  const auto trials =
      search({.first = 3, .min = 1, .max = 100}, [](auto) { return experiment::Verdict::missed; });
  EXPECT_EQ(smallest_met(trials), std::nullopt);
  EXPECT_EQ(trials.back().workers, 100U);
  EXPECT_LE(trials.size(), 7U);
}

}  // namespace
}  // namespace artel::plan
