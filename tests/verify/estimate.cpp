#include "tests/verify/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <vector>

#include "artel/experiment/replication.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/pool.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                  const Precision& precision, std::vector<experiment::Replication>& replications) {
  const std::uint64_t warm_up = scenario.run.tasks.value_or(0) / 10;
  pool::Pool pool({.workers = precision.jobs});
  const auto replicate = [&](std::size_t index) {
    return *experiment::run_replication(
        scenario, scenario.dispatch.policies.front(),
        {.index = static_cast<std::uint32_t>(index), .warm_up_tasks = warm_up});
  };
  std::vector<double> values;
  std::size_t wanted = std::max<std::size_t>(precision.replications_min, replications.size());
  while (true) {
    parallel::map(pool, std::views::iota(replications.size(), wanted), replicate,
                  std::back_inserter(replications), {.chunk = 1});
    std::transform(replications.begin() + static_cast<std::ptrdiff_t>(values.size()),
                   replications.end(), std::back_inserter(values), measure);
    const auto interval = stat::mean_interval(values, experiment::kConfidence);
    const double missing = interval.half_width / (precision.relative * std::abs(interval.center));
    if (missing <= 1 || wanted >= precision.replications_max) {
      return {interval, static_cast<std::uint32_t>(wanted)};
    }
    // The half-width shrinks with the square root of the replications; 10% more, to be there at
    // once.
    const double enough = 1.1 * missing * missing * static_cast<double>(wanted);
    wanted = static_cast<std::size_t>(std::min<double>(enough + 1, precision.replications_max));
  }
}

Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                  const Precision& precision) {
  std::vector<experiment::Replication> replications;
  return estimate(scenario, measure, precision, replications);
}

}  // namespace artel::verify
