#pragma once

#include <cstdint>
#include <functional>

#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

/// What is compared with theory.
using Measure = std::function<stat::Interval(const experiment::PolicyResult&)>;
/// As a user is told it.
[[nodiscard]] Measure measure_of(scenario::Quantity quantity, scenario::Statistic statistic);
/// The mean over replications.
[[nodiscard]] Measure mean_of(std::function<double(const fleet::Replication&)> value);

/// How well a number has to be known.
struct Precision {
  double relative = 0.01;  ///< half-width of the 99% interval / value
  unsigned jobs = 2;
  std::uint32_t replications_min = 24;
  std::uint32_t replications_max =
      1U << 16U;  ///< M/M/32 at load 0.5 needs 23 000: few tasks wait there
};

struct Estimate {
  stat::Interval interval;
  std::uint32_t replications = 0;
};

/// Replicates the scenario's only policy until the measure is known that precisely (or
/// replications_max is reached). The first tenth of the tasks of every replication is left out.
/// What has been simulated stays in `simulated`; what is there already, of the same scenario,
/// serves first.
[[nodiscard]] Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                                const Precision& precision, experiment::PolicyResult& simulated);

/// The same, from nothing.
[[nodiscard]] Estimate estimate(const scenario::Scenario& scenario, const Measure& measure,
                                const Precision& precision);

}  // namespace artel::verify
