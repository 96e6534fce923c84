#pragma once

#include <stop_token>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"

namespace artel::plan {

/// The pool that a plan comes to, under other work than planned for.
struct Growth {
  double rate = 1;  ///< so many times as many tasks arrive
  double work = 1;  ///< each takes so many times as long
  experiment::PolicyResult result;
};

/// How growth() goes about it.
struct GrowthOptions {
  unsigned jobs = 1;       ///< threads; the result does not depend on it
  std::stop_token stop{};  ///< asked to stop: nothing comes of it
};

/// Runs the best row's pool at 0.8 to 1.5 times the rate, in order, and then with work 5% shorter
/// and 5% longer. Users of a closed loop do not come more often: there only the work changes.
/// Empty without a best row, and when stopped.
/// Cost: that of nine trials of the plan.
[[nodiscard]] std::vector<Growth> growth(const PlanResult& plan, const GrowthOptions& options);

}  // namespace artel::plan
