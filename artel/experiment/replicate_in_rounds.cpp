#include "artel/experiment/replicate_in_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/stat/interval.hpp"

namespace artel::experiment {
namespace {

// What is missing of the replications before `wanted`, the first of all contenders first.
std::vector<ReplicationKey> missing_before(const ReplicatedExperiment& experiment,
                                           const std::vector<std::uint32_t>& wanted) {
  std::vector<ReplicationKey> missing;
  for (std::size_t point = 0; point < wanted.size(); ++point) {
    for (std::uint32_t index = 0; index < wanted[point]; ++index) {
      for (std::size_t k = 0; k < experiment.contenders(point); ++k) {
        const ReplicationKey key{.point = point, .contender = k, .index = index};
        if (!experiment.has(key)) missing.push_back(key);
      }
    }
  }
  return missing;
}

}  // namespace

double off_by(const stat::Interval& interval, double relative) {
  if (interval.half_width == 0) return 0;
  const double off = interval.half_width / (relative * std::abs(interval.center));
  return std::isnan(off) ? INFINITY : off;
}

void replicate_in_rounds(ReplicatedExperiment& experiment) {
  std::vector<std::uint32_t> wanted(experiment.points());
  for (std::size_t point = 0; point < wanted.size(); ++point)
    wanted[point] = experiment.bounds(point).step;
  bool more = true;
  while (more && experiment.going()) {
    experiment.replicate(missing_before(experiment, wanted));
    if (!experiment.going()) return;  // some may not have been run
    more = false;
    for (std::size_t point = 0; point < wanted.size(); ++point) {
      const auto bounds = experiment.bounds(point);
      if (wanted[point] >= bounds.max || experiment.precise(point, wanted[point])) continue;
      wanted[point] = std::min(wanted[point] + bounds.step, bounds.max);
      more = true;
    }
  }
}

}  // namespace artel::experiment
