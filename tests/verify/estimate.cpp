#include "tests/verify/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/lab/experiment.hpp"
#include "artel/lab/parallel_for.hpp"
#include "artel/lab/replication.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

Estimate estimate(const lab::Scenario& scenario, const Measure& measure,
                  const Precision& precision) {
  const std::uint64_t warm_up = scenario.run.tasks.value_or(0) / 10;
  std::vector<double> values;
  std::size_t wanted = precision.replications_min;
  while (true) {
    const auto have = values.size();
    values.resize(wanted);
    lab::parallel_for(wanted - have, precision.jobs, {}, [&](std::size_t i) {
      const auto index = static_cast<std::uint32_t>(have + i);
      const auto replication = lab::run_replication(scenario, scenario.dispatch.policies.front(),
                                                    {.index = index, .warm_up_tasks = warm_up});
      values[have + i] = measure(*replication);
    });
    const auto interval = stat::mean_interval(values, lab::kConfidence);
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

}  // namespace artel::verify
