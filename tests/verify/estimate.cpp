#include "tests/verify/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/pool/parallel_for.hpp"
#include "artel/pool/pool.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

Measure measure_of(scenario::Quantity quantity, scenario::Statistic statistic) {
  return
      [=](const experiment::PolicyResult& result) { return result.estimate(quantity, statistic); };
}

Measure mean_of(std::function<double(const fleet::Replication&)> value) {
  return [value = std::move(value)](const experiment::PolicyResult& result) {
    std::vector<double> values;
    values.reserve(result.replications.size());
    std::ranges::transform(result.replications, std::back_inserter(values), value);
    return stat::mean_interval(values, experiment::kConfidence);
  };
}

Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                  const Precision& precision, experiment::PolicyResult& simulated) {
  const std::uint64_t warm_up = scenario.run.tasks.value_or(0) / 10;
  pool::Pool pool({.workers = precision.jobs});
  std::mutex lock;
  const auto replicate = [&](std::size_t index) {
    experiment::ReplicationOutcome outcome;
    outcome.replication = *fleet::run_replication(scenario, scenario.dispatch.policies.front(),
                                                  {.index = static_cast<std::uint32_t>(index),
                                                   .warm_up_tasks = warm_up,
                                                   .times = &outcome.times,
                                                   .class_times = &outcome.class_times});
    const std::lock_guard guard(lock);
    simulated.add(outcome);
  };
  const auto& replications = simulated.replications;
  std::size_t wanted = std::max<std::size_t>(precision.replications_min, replications.size());
  while (true) {
    const auto first = replications.size();
    pool::parallel_for(pool, first, wanted, 1, replicate);
    const auto interval = measure(simulated);
    const double missing = interval.half_width / (precision.relative * std::abs(interval.center));
    if (missing <= 1 || wanted >= precision.replications_max) {
      return {interval, static_cast<std::uint32_t>(wanted)};
    }
    // The half-width shrinks with the square root of the replications; 10% more, to be there at
    // once. But few replications say little of how wide it will be: four times as many at most.
    const double enough = std::min(4.0, 1.1 * missing * missing) * static_cast<double>(wanted);
    wanted = static_cast<std::size_t>(std::min<double>(enough + 1, precision.replications_max));
  }
}

Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                  const Precision& precision) {
  experiment::PolicyResult simulated;
  return estimate(scenario, measure, precision, simulated);
}

}  // namespace artel::verify
