#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/study.hpp"

namespace artel::experiment {

/// The smallest value of a swept key at which a policy meets the objectives.
struct Smallest {
  std::string policy;
  std::string key;
  std::string others;                ///< values of the other axes: "run.seed=1, …"; often empty
  std::optional<std::size_t> point;  ///< index into the points; nullopt: none that was tried
  /// Of the next smaller value, or without a point of the largest: why it is not the answer.
  Verdict beyond = Verdict::missed;
};

/// Per policy and combination of the other axes: the smallest value that is met, interval included,
/// with every larger value tried met too. The axis is pool.workers if that is swept, otherwise the
/// last one. Empty without a sweep of numbers or without objectives.
[[nodiscard]] std::vector<Smallest> smallest_that_meets(const scenario::Study& study,
                                                        const ExperimentResult& result);

}  // namespace artel::experiment
