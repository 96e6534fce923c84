#include "artel/plan/growth.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::plan {
namespace {

constexpr std::array kRates{0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5};
constexpr std::array kWork{0.95, 1.05};

// Work takes longer where workers are slower by that.
scenario::Scenario changed(scenario::Scenario scenario, const Growth& by) {
  for (auto& speed : scenario.pool.speeds) speed /= by.work;
  scenario::make_faster(scenario.workload.arrivals, by.rate);
  scenario.workload.rate *= by.rate;
  return scenario;
}

}  // namespace

std::vector<Growth> growth(const PlanResult& plan, const GrowthOptions& options) {
  std::vector<Growth> grown;
  const auto* best = plan.best();
  if (best == nullptr) return grown;
  const bool open =
      !std::holds_alternative<scenario::ClosedArrivals>(plan.scenario.workload.arrivals);
  for (const double rate : kRates) {
    if (open || rate == 1) grown.push_back({.rate = rate, .work = 1, .result = {}});
  }
  for (const double work : kWork) grown.push_back({.rate = 1, .work = work, .result = {}});

  auto planned = plan.scenario;
  planned.pool = detail::resized(planned.pool, best->smallest.value_or(1));
  planned.dispatch.policies = {best->policy};
  const auto* trial = best->trial(best->smallest.value_or(1));
  if (trial != nullptr && !trial->result.exact) {
    planned.run.replications = static_cast<std::uint32_t>(
        std::max<std::size_t>(planned.run.replications, trial->result.replications.size()));
    planned.run.replications_max = planned.run.replications;
  }
  scenario::Study study;
  for (const auto& by : grown)
    study.points.push_back({.values = {}, .scenario = changed(planned, by)});
  auto measured = experiment::run_experiment(study, {.jobs = options.jobs, .stop = options.stop});
  if (!measured.complete) return {};
  for (std::size_t i = 0; i < grown.size(); ++i)
    grown[i].result = std::move(measured.points[i].policies.front());
  return grown;
}

}  // namespace artel::plan
