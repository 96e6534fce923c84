#include "artel/arena/run_arena.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "artel/arena/costs.hpp"
#include "artel/arena/load_match.hpp"
#include "artel/arena/standings.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::arena {
namespace {

// Nobody asks for percentiles of all tasks together, and they take most of the memory.
void forget_times(experiment::ExperimentResult& result) {
  for (auto& point : result.points) {
    for (auto& policy : point.policies) {
      policy.times = {};
      policy.class_times.clear();
    }
  }
}

CostTable cost_table(std::span<const Match> matches, const experiment::ExperimentResult& result,
                     std::uint32_t replications) {
  CostTable table;
  for (std::size_t s = 0; s < matches.size(); ++s) {
    auto& row = table.emplace_back();
    std::size_t next = 0;
    for (const auto& cannot : matches[s].cannot) {
      auto& own = row.emplace_back();
      if (!cannot.empty()) continue;
      const auto& policy = result.points[s].policies[next++];
      own = costs(matches[s].scenario, policy);
      own.resize(replications, own.front());  // nothing is left to chance there: all are equal
    }
  }
  return table;
}

}  // namespace

ArenaResult run_arena(std::span<const Match> matches, const ArenaOptions& options) {
  scenario::Study study;
  std::size_t round = 0;  // replications of one
  for (const auto& match : matches) {
    study.points.push_back({.values = {}, .scenario = match.scenario});
    study.points.back().scenario.run.precision.reset();
    round += match.scenario.dispatch.policies.size();
  }
  experiment::ExperimentResult known;
  ArenaResult result;
  for (std::uint32_t rounds = 1; rounds <= options.replications; ++rounds) {
    for (auto& point : study.points)
      point.scenario.run.replications = point.scenario.run.replications_max = rounds;
    const auto before = round * (rounds - 1);
    auto measured = experiment::run_experiment(
        study, {.jobs = options.jobs,
                .stop = options.stop,
                .progress =
                    [&](const experiment::ExperimentProgress& progress) {
                      if (options.progress)
                        options.progress(before + progress.done, round * options.replications);
                    },
                .resume = rounds > 1 ? &known : nullptr});
    result.complete = measured.complete;
    if (!measured.complete) break;
    known = std::move(measured);
    forget_times(known);
    result.replications = rounds;
    if (rounds >= kRoundsMin && options.enough && options.enough()) break;
  }
  if (result.replications > 0)
    result.standings = standings(cost_table(matches, known, result.replications));
  return result;
}

}  // namespace artel::arena
