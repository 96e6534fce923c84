#include "artel/arena/standings.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/stat/interval.hpp"

namespace artel::arena {
namespace {

// A ratio of means, and what each replication's share in its error is: their sum is 0, and their
// scatter tells how wrong the ratio may be.
struct Ratio {
  double value = 0;
  std::vector<double> deviations;
};

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Ratio ratio_of_means(std::span<const double> above, std::span<const double> below) {
  const double a = mean(above);
  const double b = mean(below);
  Ratio ratio{.value = 1, .deviations = std::vector<double>(above.size())};
  if (a == b && (a == 0 || std::isinf(a))) return ratio;
  if (b == 0 || std::isinf(a) || std::isinf(b)) {
    ratio.value = std::isinf(b) ? 0 : INFINITY;
    return ratio;
  }
  ratio.value = a / b;
  for (std::size_t r = 0; r < above.size(); ++r)
    ratio.deviations[r] = (above[r] - ratio.value * below[r]) / b;
  return ratio;
}

double half_width(std::span<const double> deviations, double level) {
  return stat::mean_interval(deviations, level).half_width;
}

// The scores of one policy, by replication: their mean is its score.
using Scores = std::vector<double>;

std::size_t cheapest(const std::vector<std::vector<double>>& policies) {
  std::size_t best = policies.size();
  for (std::size_t p = 0; p < policies.size(); ++p) {
    if (policies[p].empty()) continue;
    if (best == policies.size() || mean(policies[p]) < mean(policies[best])) best = p;
  }
  ARTEL_REQUIRE(best < policies.size(), "some policy runs in each scenario", policies.size());
  return best;
}

MatchOutcome outcome_of(const std::vector<double>& own, const std::vector<double>& best,
                        double level, std::size_t scenarios, Scores& scores) {
  if (own.empty()) return {.cost = {NAN, NAN, level}, .regret = {NAN, NAN, level}};
  const auto score = ratio_of_means(best, own);
  for (std::size_t r = 0; r < scores.size(); ++r)
    scores[r] += (score.value + score.deviations[r]) / static_cast<double>(scenarios);
  return {.ran = true,
          .cost = std::isinf(mean(own)) ? stat::Interval{INFINITY, 0, level}
                                        : stat::mean_interval(own, level),
          .regret = regret(own, best, level),
          .score = score.value};
}

// By pairs, each at a level at which all together have the one that was asked for.
void place(std::vector<Standing>& all, const std::vector<Scores>& scores, double level) {
  const auto count = static_cast<double>(all.size());
  const double each = 1 - (1 - level) / std::max(1.0, count - 1);
  for (auto& one : all) {
    one.rank_high = static_cast<std::uint32_t>(all.size());
    for (const auto& other : all) {
      if (other.policy == one.policy) continue;
      std::vector<double> ahead(scores[one.policy].size());
      for (std::size_t r = 0; r < ahead.size(); ++r)
        ahead[r] = scores[other.policy][r] - scores[one.policy][r];
      const auto by = stat::mean_interval(ahead, each);
      one.rank += other.score.center > one.score.center ? 1 : 0;
      one.rank_low += by.low() > 0 ? 1 : 0;
      one.rank_high -= by.high() < 0 ? 1 : 0;
    }
  }
}

}  // namespace

stat::Interval regret(const std::vector<double>& own, const std::vector<double>& other,
                      double level) {
  const auto ratio = ratio_of_means(own, other);
  return {ratio.value - 1, half_width(ratio.deviations, level), level};
}

std::vector<Standing> standings(const CostTable& costs, double level) {
  if (costs.empty()) return {};
  const std::size_t policies = costs.front().size();
  std::vector<Standing> all(policies);
  std::vector<Scores> scores(policies);
  for (const auto& scenario : costs) {
    const auto& best = scenario[cheapest(scenario)];
    for (std::size_t p = 0; p < policies; ++p) {
      scores[p].resize(best.size());
      all[p].outcomes.push_back(outcome_of(scenario[p], best, level, costs.size(), scores[p]));
    }
  }
  for (std::size_t p = 0; p < policies; ++p) {
    auto& one = all[p];
    one.policy = p;
    double sum = 0;
    for (std::size_t s = 0; s < one.outcomes.size(); ++s) {
      const auto& outcome = one.outcomes[s];
      sum += outcome.score;
      one.best_in += outcome.ran && outcome.regret.center == 0 ? 1 : 0;
      const auto& worst = one.outcomes[one.worst];
      if (outcome.ran && (!worst.ran || outcome.regret.center > worst.regret.center)) one.worst = s;
    }
    one.score = {sum / static_cast<double>(costs.size()), half_width(scores[p], level), level};
  }
  place(all, scores, level);
  std::ranges::sort(all, {}, [](const Standing& one) { return std::pair(one.rank, one.policy); });
  return all;
}

}  // namespace artel::arena
