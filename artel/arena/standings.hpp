#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/stat/interval.hpp"

namespace artel::arena {

/// How much more `own` costs than `other`, replication by replication on the same tasks: ratio of
/// their means − 1. Requires: as many of both.
[[nodiscard]] stat::Interval regret(const std::vector<double>& own,
                                    const std::vector<double>& other, double level);

/// [scenario][policy][replication]: what it cost; less is better. A policy without numbers cannot
/// run in that scenario.
using CostTable = std::vector<std::vector<std::vector<double>>>;

/// How a policy did in one scenario.
struct MatchOutcome {
  bool ran = false;       ///< it can run there; otherwise nothing else holds but the score, 0
  stat::Interval cost;    ///< mean over replications
  stat::Interval regret;  ///< cost / least cost − 1: 0 of the best policy, 1 of one twice as bad
  double score = 0;       ///< least cost / cost, 0 to 1
};

/// How a policy did over all scenarios.
struct Standing {
  std::size_t policy = 0;  ///< which one, as in the table
  std::uint32_t rank = 1;  ///< 1 + how many have a higher score
  /// The rank lies from rank_low to rank_high: so many are better, or worse, beyond doubt.
  std::uint32_t rank_low = 1, rank_high = 1;
  stat::Interval score{};              ///< mean of MatchOutcome::score over the scenarios
  std::vector<MatchOutcome> outcomes;  ///< of each scenario
  std::size_t worst = 0;    ///< the scenario with its greatest regret, of those that it ran
  std::size_t best_in = 0;  ///< scenarios where none had a lower mean cost
};

/// Who won: the highest score first, equals in the order of the table.
///
/// Replications of one number met the same tasks under all policies, so differences are those of
/// pairs. The intervals are about the noise of the simulation, with these scenarios as they are.
/// Requires: all policies of a table have as many replications, or none; some policy runs in each
/// scenario.
/// Cost: O(scenarios × policies × replications + policies² × replications).
[[nodiscard]] std::vector<Standing> standings(const CostTable& costs,
                                              double level = experiment::kConfidence);

}  // namespace artel::arena
