#include "artel/arena/costs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::arena {
namespace {

// A policy that answers nobody has no short answers.
double used(const fleet::Replication& replication, const scenario::Objective& objective) {
  const double value =
      fleet::value_of(replication, objective.quantity, objective.statistic) / objective.limit;
  const bool answers = is_share(objective.quantity) || replication.completed > 0;
  return answers && !std::isnan(value) ? value : INFINITY;
}

void take_worst(std::vector<double>& worst, const experiment::PolicyResult& policy,
                const scenario::Objective& objective) {
  for (std::size_t r = 0; r < worst.size(); ++r)
    worst[r] = std::max(worst[r], used(policy.replications[r], objective));
}

}  // namespace

std::vector<double> costs(const scenario::Scenario& scenario,
                          const experiment::PolicyResult& policy) {
  std::vector<double> worst(policy.replications.size());
  if (scenario.slo.empty())
    take_worst(worst, policy, {.name = "", .statistic = scenario::Statistic::mean, .limit = 1});
  for (const auto& objective : scenario.slo) {
    if (objective.of_class) {
      take_worst(worst, policy.of_class(objective.of_class->number), objective);
    } else {
      take_worst(worst, policy, objective);
    }
  }
  return worst;
}

std::string costs_text(const scenario::Scenario& scenario) {
  if (scenario.slo.empty()) return "mean_response";
  std::string text;
  for (const auto& objective : scenario.slo) {
    text += text.empty() ? "" : ", ";
    if (objective.of_class) text += objective.of_class->name + " ";
    text += objective.name + " <= ";
    text += is_share(objective.quantity) ? fmt::format("{}%", 100 * objective.limit)
                                         : format_duration(from_seconds(objective.limit));
  }
  return text;
}

}  // namespace artel::arena
