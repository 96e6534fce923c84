#pragma once

#include <cstddef>

#include "artel/experiment/run_experiment.hpp"

namespace artel::experiment {

/// What is known of one class of tasks under a policy, as if there were no others: to be estimated
/// and judged like the whole. Utilisation and numbers in system are the whole's. Requires:
/// `task_class` is one of the scenario's.
[[nodiscard]] PolicyResult class_result(const PolicyResult& policy, std::size_t task_class);

}  // namespace artel::experiment
