#include "artel/dispatch/sita.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::seconds;

std::set<std::size_t> chosen(const Sita& sita, Duration size, const LoadArray& queues) {
  std::set<std::size_t> workers;
  for (std::uint64_t dice = 0; dice < 100; ++dice) {
    const auto id = choose(sita, queues, Draw{.dice = dice, .size = size});
    if (id) workers.insert(index(*id));
  }
  return workers;
}

TEST(Sita, EveryIntervalHasItsOwnBlockOfWorkers) {
  const Sita sita{.cutoffs = {seconds(1), seconds(10)}};
  const LoadArray six = loads({9, 9, 9, 0, 0, 0});
  EXPECT_EQ(chosen(sita, Duration{0}, six), (std::set<std::size_t>{0, 1}));
  EXPECT_EQ(chosen(sita, seconds(1) - Duration{1}, six), (std::set<std::size_t>{0, 1}));
  EXPECT_EQ(chosen(sita, seconds(1), six), (std::set<std::size_t>{2, 3}));
  EXPECT_EQ(chosen(sita, seconds(99), six), (std::set<std::size_t>{4, 5}));
}

TEST(Sita, WithFewerWorkersThanIntervalsTheyShare) {
  const Sita sita{.cutoffs = {seconds(1), seconds(2), seconds(3)}};
  EXPECT_EQ(chosen(sita, Duration{0}, loads({0, 0})), (std::set<std::size_t>{0}));
  EXPECT_EQ(chosen(sita, seconds(1), loads({0, 0})), (std::set<std::size_t>{0}));
  EXPECT_EQ(chosen(sita, seconds(9), loads({0, 0})), (std::set<std::size_t>{1}));
}

TEST(Sita, AFullWorkersTaskGoesTowardsTheLonger) {
  const Sita sita{.cutoffs = {seconds(1), seconds(10)}};
  const LoadArray queues = loads({0, 1, 0}, 1);
  EXPECT_EQ(chosen(sita, seconds(5), queues), (std::set<std::size_t>{2}));
  EXPECT_FALSE(choose(sita, loads({1, 1, 1}, 1), Draw{}));
}

TEST(Sita, EqualLoadCutsWhereTheWorkIsHalf) {
  // 90 tasks of 1 s and 10 of 9 s: half of the work is in the short ones.
  std::vector<Duration> sizes(90, seconds(1));
  sizes.insert(sizes.end(), 10, seconds(9));
  EXPECT_EQ(Sita::equal_load(sizes, 2), (std::vector<Duration>{seconds(9)}));
}

TEST(Sita, EqualSizesStayTogether) {
  EXPECT_TRUE(Sita::equal_load(std::vector<Duration>(50, seconds(1)), 4).empty());
}

TEST(Sita, FitFillsInCutoffsOnlyWhereTheyAreMissing) {
  Policy fitted = Sita{.intervals = 0};
  EXPECT_TRUE(needs(fitted).sizes);
  std::vector<Duration> sizes;
  for (int i = 1; i <= 100; ++i) sizes.emplace_back(seconds(i));
  fit(fitted, sizes, 3);
  EXPECT_EQ(std::get<Sita>(fitted).cutoffs.size(), 2U);
  EXPECT_FALSE(needs(fitted).sizes);
  Policy given = Sita{.cutoffs = {seconds(5)}};
  fit(given, sizes, 3);
  EXPECT_EQ(std::get<Sita>(given).cutoffs, (std::vector<Duration>{seconds(5)}));
}

RC_GTEST_PROP(Sita, IntervalsOfEqualLoadDifferByOneSizeAtMost, ()) {
  const auto numbers =
      *rc::gen::suchThat(rc::gen::unique<std::vector<int>>(rc::gen::inRange(1, 100'000)),
                         [](const auto& all) { return all.size() >= 10; });
  std::vector<Duration> sizes;
  double total = 0;
  for (const int number : numbers) {
    sizes.emplace_back(seconds(number));
    total += number;
  }
  const std::size_t intervals = *rc::gen::inRange<std::size_t>(1, 5);
  const auto cutoffs = Sita::equal_load(sizes, intervals);
  RC_ASSERT(std::is_sorted(cutoffs.begin(), cutoffs.end()));
  RC_ASSERT(cutoffs.size() < intervals);
  const double largest = *std::max_element(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    double below = 0;
    for (const Duration size : sizes) below += size < cutoffs[i] ? to_seconds(size) : 0;
    const double due = total * static_cast<double>(i + 1) / static_cast<double>(intervals);
    RC_ASSERT(below >= due - 1e-6 * total);
    RC_ASSERT(below <= due + (static_cast<double>(i) + 1) * largest);
  }
}

}  // namespace
}  // namespace artel::dispatch
